// A bound of the design, and whether a figure keeps it.

import Foundation

struct Aim {
  enum Bound: String {
    case atLeast = "≥"
    case atMost = "≤"
  }

  let bound: Bound
  let value: Double
  let unit: String

  static func atLeast(_ value: Double, _ unit: String = "×") -> Aim { Aim(bound: .atLeast, value: value, unit: unit) }
  static func atMost(_ value: Double, _ unit: String) -> Aim { Aim(bound: .atMost, value: value, unit: unit) }

  var text: String { "\(bound.rawValue) \(value.formatted()) \(unit)" }

  /// By how much the bound is missed; nil where it is met.
  func missedBy(_ figure: Double) -> String? {
    guard bound == .atLeast ? figure < value : figure > value else { return nil }
    // A bound of zero has no percentage.
    return value == 0 ? figure.formatted() : "\(Int((abs(figure / value - 1) * 100).rounded(.up))) %"
  }
}
