// What one piece of work cost: on the clock, and of all processors.

import Foundation

struct Cost {
  /// On the clock, the disk's time included.
  var seconds: Double
  /// Of all threads.
  var processorSeconds: Double

  static func measured(_ body: () throws -> Void) rethrows -> Cost {
    let processor = processorTime()
    let elapsed = try ContinuousClock().measure(body)
    return Cost(seconds: elapsed / .seconds(1), processorSeconds: processorTime() - processor)
  }

  private static func processorTime() -> Double {
    var usage = rusage()
    getrusage(.init(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
  }
}

extension [Double] {
  var median: Double { Distribution(self).median }
}

/// The time of one call on the clock.
func timed(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .seconds(1)
}
