// Sorts elements by row number: with a radix sort, in linear time, if there are many.

/// The order of elements by row. Each word has a row number in its upper half, and in its lower half the element's
/// index in the given array, which must have fewer than 2^32 elements.
struct RowOrder {
  private(set) var words: [UInt64]

  /// Stable: elements with the same row keep their order.
  init<Element>(_ elements: [Element], _ row: (Element) -> UInt32) {
    words = []
    words.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() { words.append(UInt64(row(element)) << 32 | UInt64(index)) }
    // For fewer elements, passes over 256 counters cost more than comparisons.
    if words.count < 100 { words.sort() } else { sortByDigits() }
  }

  static func row(_ word: UInt64) -> UInt32 { UInt32(word >> 32) }
  static func index(_ word: UInt64) -> Int { Int(word & 0xFFFF_FFFF) }

  private mutating func sortByDigits() {
    let largest = words.max() ?? 0
    var target = [UInt64](repeating: 0, count: words.count)
    for shift in stride(from: UInt64(32), to: 64, by: 8) where largest >> shift != 0 {
      withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { starts in
        starts.initialize(repeating: 0)
        for word in words { starts[Int(word >> shift & 255)] += 1 }
        var sum = 0
        for digit in 0..<256 { (starts[digit], sum) = (sum, sum + starts[digit]) }
        target.withUnsafeMutableBufferPointer { target in
          for word in words {
            let digit = Int(word >> shift & 255)
            target[starts[digit]] = word
            starts[digit] += 1
          }
        }
      }
      swap(&words, &target)
    }
  }
}
