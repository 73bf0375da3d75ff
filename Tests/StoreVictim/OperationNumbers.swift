// The world of the victim: its randomness is the number of the operation that is being performed, so that the id of an
// operation says which one it is, in the outbox, on the server and in attention.

import ModelRuntime
import Synchronization

final class OperationNumbers: Sendable {
  private let last: Atomic<Int64>

  init(first: Int64) {
    last = Atomic(first - 1)
  }

  /// The number of the operation that is performed next. One thread performs.
  func next() -> Int64 {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  var environment: RuntimeEnvironment {
    RuntimeEnvironment(
      clock: { self.last.load(ordering: .relaxed) }, randomness: { UInt64(self.last.load(ordering: .relaxed)) },
      spawning: RuntimeEnvironment.live.spawn, sleeping: RuntimeEnvironment.live.sleep)
  }
}

extension UUIDValue {
  /// The number of the operation that has this id: what a random UUID keeps of its last 62 bits.
  var operationNumber: Int64 { Int64(low & 0x3FFF_FFFF_FFFF_FFFF) }
}
