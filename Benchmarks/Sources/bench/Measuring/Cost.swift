// The cost of one piece of work: elapsed time, and processor time.

import Foundation

struct Cost {
  /// Elapsed time; includes waiting for the disk.
  var seconds: Double
  /// Processor time of all threads of the process.
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

/// The elapsed seconds of one call.
func timed(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .seconds(1)
}
