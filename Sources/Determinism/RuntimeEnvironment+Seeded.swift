// An environment that repeats: the same seed gives the same times and numbers, in the order in which they are asked
// for.

import Synchronization

extension RuntimeEnvironment {
  /// Numbers of SplitMix64 from `seed`, and a clock that begins at `startMilliseconds` and moves by 1 ms a reading.
  ///
  /// So no two readings of the clock are equal. Tasks may share it, but a run repeats only if they ask in the same
  /// order. `spawning` starts tasks, by default on the shared threads, in any order; `sleeping` lets them sleep, by
  /// default in real time.
  public static func seeded(
    _ seed: UInt64, startMilliseconds: Int64 = 1_700_000_000_000,
    spawning: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void = RuntimeEnvironment.live.spawn,
    sleeping: @escaping @Sendable (Int64) async throws -> Void = RuntimeEnvironment.live.sleep
  ) -> Self {
    let numbers = SplitMix64(state: seed)
    let ticks = Ticks(startMilliseconds)
    return Self(
      clock: { ticks.next() }, randomness: { numbers.next() }, spawning: spawning, sleeping: sleeping)
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): mixes a counter, so its only state is one atomic number.
private final class SplitMix64: Sendable {
  private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15
  private let state: Atomic<UInt64>

  init(state: UInt64) {
    self.state = Atomic(state)
  }

  func next() -> UInt64 {
    var mixed = state.wrappingAdd(Self.step, ordering: .relaxed).newValue
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

private final class Ticks: Sendable {
  private let value: Atomic<Int64>

  init(_ start: Int64) {
    value = Atomic(start)
  }

  func next() -> Int64 {
    value.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}
