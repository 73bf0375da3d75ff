// Makes ids for tests from numbers: ids of any kind, of queues, and of objects that are bound to a queue.

import SyncProtocol
public import WireFormat

extension ObjectID {
  public init(high: UInt64, low: UInt64) { self.init(UUIDValue(high: high, low: low)) }

  /// The id of a queue, or of its root, in the form of a random one.
  public static func queue(_ number: UInt64) -> Self { Self(high: 0x4000, low: 1 << 63 | number) }

  /// The id of an object of a queue. Without a queue, the object never leaves the device.
  public static func object<Queue>(_ number: UInt64, in queue: ObjectID<Queue>?) -> Self {
    Self(.object(number, in: QueueID(queue?.rawValue ?? .zero)))
  }
}

extension UUIDValue {
  /// The id of an object of a queue. Ids are in the order of the numbers, which must be below 2^48. With `.zero` as its
  /// queue, an object never leaves the device.
  public static func object(_ number: UInt64, in queue: QueueID) -> Self { .bound(to: queue, chosen: number << 16) }
}
