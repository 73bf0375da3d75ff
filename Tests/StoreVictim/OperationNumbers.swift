// The environment of the victim. Its randomness is the number of the operation that is being performed, so an
// operation's id tells its number: in the outbox, on the server and among the failed ones.

import ModelSupport
import Synchronization

final class OperationNumbers: Sendable {
  private let last: Atomic<Int64>

  init(first: Int64) {
    last = Atomic(first - 1)
  }

  /// Moves on to the next operation, and returns its number. Only one thread performs.
  func next() -> Int64 {
    last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  var environment: RuntimeEnvironment {
    RuntimeEnvironment(
      clock: { self.last.load(ordering: .relaxed) }, randomness: { UInt64(self.last.load(ordering: .relaxed)) },
      spawning: RuntimeEnvironment.live.spawn, sleeping: RuntimeEnvironment.live.sleep)
  }
}

extension OperationID {
  /// The number of the operation with this id: the last 62 bits, which a random UUID keeps.
  var operationNumber: Int64 { Int64(rawValue.low & 0x3FFF_FFFF_FFFF_FFFF) }
}
