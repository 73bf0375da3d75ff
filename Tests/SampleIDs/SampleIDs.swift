// Ids of tests, by numbers: queues, and objects that are bound to one.

import SyncProtocol
public import WireFormat

extension UUIDValue {
  /// A queue, as if its id were random.
  public static func queue(_ number: UInt64) -> Self { Self(high: 0x4000, low: 1 << 63 | number) }

  /// An object of a queue; ids are in the order of the numbers, which are below 2^48. `.zero` stands for the device.
  public static func object(_ number: UInt64, in queue: Self) -> Self { .bound(to: queue, chosen: number << 16) }
}

extension ObjectID {
  /// A queue, or the object that is one.
  public static func queue(_ number: UInt64) -> Self { Self(.queue(number)) }

  /// An object of a queue, nil for one that never leaves the device.
  public static func object<Queue>(_ number: UInt64, in queue: ObjectID<Queue>?) -> Self {
    Self(.object(number, in: queue?.rawValue ?? .zero))
  }
}
