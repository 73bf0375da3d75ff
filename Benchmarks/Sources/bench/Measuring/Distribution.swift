// The distribution of measured times: median, percentiles and maximum.

import Foundation

struct Distribution {
  /// Seconds, ascending.
  private let sorted: [Double]

  init(_ seconds: [Double]) {
    sorted = seconds.sorted()
  }

  var count: Int { sorted.count }
  var median: Double { percentile(0.5) }
  var maximum: Double { sorted.last ?? .nan }

  /// The smallest time that at least the share `part` of all times does not exceed.
  func percentile(_ part: Double) -> Double {
    sorted.isEmpty ? .nan : sorted[max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1)]
  }

  /// `12.3 µs, 99 % in 45.6 µs`
  var text: String { "\(median.asTime), 99 % in \(percentile(0.99).asTime)" }
}

extension Double {
  /// Seconds, as a person reads them.
  var asTime: String {
    switch abs(self) {
    case ..<1e-3: String(format: "%.1f µs", self * 1e6)
    case ..<1: String(format: "%.1f ms", self * 1e3)
    default: String(format: "%.2f s", self)
    }
  }

  /// Bytes, as a person reads them.
  var asBytes: String { String(format: self < 1e7 ? "%.1f MB" : "%.0f MB", self / 1e6) }

  func asRatio(of other: Double) -> String { String(format: "%.2f", self / other) }
}
