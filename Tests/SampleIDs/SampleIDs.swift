// Makes ids for tests from numbers: ids of queues, and of objects that are bound to a queue.

import SyncProtocol
public import WireFormat

extension UUIDValue {
  /// The id of a queue, in the form of a random one.
  public static func queue(_ number: UInt64) -> Self { Self(high: 0x4000, low: 1 << 63 | number) }

  /// The id of an object of a queue. Ids are in the order of the numbers, which must be below 2^48. With `.zero` as its
  /// queue, an object never leaves the device.
  public static func object(_ number: UInt64, in queue: Self) -> Self { .bound(to: queue, chosen: number << 16) }
}

extension ObjectID {
  /// The id of a queue, or of its root.
  public static func queue(_ number: UInt64) -> Self { Self(.queue(number)) }

  /// The id of an object of a queue. Without a queue, the object never leaves the device.
  public static func object<Queue>(_ number: UInt64, in queue: ObjectID<Queue>?) -> Self {
    Self(.object(number, in: queue?.rawValue ?? .zero))
  }
}
