// Maps character offsets to lines and columns, for texts in which libyaml counts more lines than editors do: YAML 1.1
// also ends lines at U+0085, U+2028 and U+2029.

/// The start of each line, as an offset in Unicode scalars.
struct PositionMap {
  private let lineStarts: [Int]

  /// Nil for a text without these unusual line breaks, which needs no mapping.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard Self.hasUnusualBreak(bytes) else { return nil }
    var starts = [0]
    var offset = 0
    var previous: UInt8 = 0
    for byte in bytes where byte & 0xC0 != 0x80 {
      if previous == 0x0A || (previous == 0x0D && byte != 0x0A) { starts.append(offset) }
      offset += 1
      previous = byte
    }
    if previous == 0x0A || previous == 0x0D { starts.append(offset) }
    lineStarts = starts
  }

  func position(ofScalar offset: Int) -> SourcePosition {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: offset - lineStarts[low] + 1)
  }

  private static func hasUnusualBreak(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for (index, byte) in bytes.enumerated() where byte >= 0xC2 {
      if byte == 0xC2, index + 1 < bytes.count, bytes[index + 1] == 0x85 { return true }
      if byte == 0xE2, index + 2 < bytes.count, bytes[index + 1] == 0x80, bytes[index + 2] | 1 == 0xA9 { return true }
    }
    return false
  }
}
