// Keys of numbers have the order of the values in both directions, and give the values back.

import ModelTypes
import Snapshots
import Testing

@Suite struct ListNumberTests {
  private func check<Value: ListNumber & ListSection>(_ values: [Value]) throws {
    for (first, second) in zip(values, values.dropFirst()) {
      #expect(try number(.ascending(first)) < number(.ascending(second)), "\(first), \(second)")
      #expect(try number(.descending(first)) > number(.descending(second)), "\(first), \(second)")
    }
    for value in values {
      #expect(Value(.ascending(value), isDescending: false) == value && ListKey.ascending(value) != .null)
      #expect(Value(.descending(value), isDescending: true) == value && ListKey.descending(value) != .null)
    }
  }

  private func number(_ key: ListKey) throws -> UInt64 {
    guard case .number(let number) = key else { throw NoNumber() }
    return number
  }

  private struct NoNumber: Error {}

  /// In descending order zero and one, and false and true, once had the same key.
  @Test func keysAreInTheOrderOfTheirValues() throws {
    try check([false, true])
    try check([0, 1, 2, .max - 1, .max] as [UInt32])
    try check([0, 1, 2, .max - 1] as [UInt64])
    try check([.min, .min + 1, -1, 0, 1, .max] as [Int32])
    try check([.min, .min + 1, -1, 0, 1, .max - 1] as [Int64])
    try check([-.infinity, -1, -0.0, 0.0, .leastNonzeroMagnitude, 1, .infinity] as [Double])
    try check([-.infinity, -1, -0.0, 0.0, 1, .infinity] as [Float])
  }

  /// A value and an optional take different functions of the same names, which must give the same keys.
  @Test func optionalHasSameKeyAsValue() {
    for value in [.min, -1, 0, 1, .max - 1, .max] as [Int64] {
      #expect(ListKey.ascending(value) == .ascending(Optional(value)))
      #expect(ListKey.descending(value) == .descending(Optional(value)))
    }
    for value in [-.infinity, -1, -0.0, 0, 1, .infinity, .nan, -.nan] as [Double] {
      #expect(ListKey.ascending(value) == .ascending(Optional(value)))
      #expect(ListKey.descending(value) == .descending(Optional(value)))
    }
  }

  @Test func maximumLeavesHighestKeyToNil() {
    #expect(ListKey.ascending(nil as UInt64?) == .null && ListKey.descending(nil as UInt64?) == .null)
    #expect(ListKey.ascending(UInt64.max) == .ascending(UInt64.max - 1))
    #expect(ListKey.descending(UInt64.max) == .descending(UInt64.max - 1))
  }
}
