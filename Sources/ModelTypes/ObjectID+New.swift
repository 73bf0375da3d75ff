// Makes ids of new objects, queues and operations from random bits.

import Determinism
import SyncProtocol
public import WireFormat

extension UUIDValue {
  /// A random UUID, version 4 (RFC 9562), from the environment's randomness.
  public static func random() -> Self {
    let environment = RuntimeEnvironment.current
    return version4(environment.randomBits(), environment.randomBits())
  }

  /// A UUID of these bits, in which the version and the variant of RFC 9562 replace 6.
  static func version4(_ high: UInt64, _ low: UInt64) -> Self {
    Self(high: high & ~0xF000 | 0x4000, low: low & ~(3 << 62) | 2 << 62)
  }
}

extension ObjectID where Object: Model {
  /// The id of a new object in a queue. Pass nil for an object that never leaves the device.
  ///
  /// The id is random, and bound to that queue, so that the object can be in no other one.
  public static func new(in queue: QueueID?) -> Self {
    Self(.bound(to: queue ?? .zero, chosen: RuntimeEnvironment.current.randomBits()))
  }

  @available(*, unavailable, message: "An id is bound to a queue: `.new(in:)`, with the queue of the object.")
  public static func new() -> Self { Self(.random()) }
}

extension ObjectID where Object: QueueModel {
  /// The id of a new object that is a queue: a random UUID, version 4.
  public static func new() -> Self { Self(.random()) }
}

extension ObjectID<ObjectQueue> {
  /// The id of a new queue: a random UUID, version 4.
  public static func new() -> Self { Self(.random()) }
}

extension ObjectID<OperationTag> {
  /// The id of a new operation: a random UUID, version 4.
  package static func new() -> Self { Self(.random()) }
}
