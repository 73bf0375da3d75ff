// The lines of a file, for showing them.

/// Splits at LF, CR LF and CR, as editors do.
struct SourceLines {
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(_ bytes: [UInt8]) {
    var ranges: [Range<Int>] = []
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var index = start
    while index < bytes.count {
      if bytes[index] == 0x0A || bytes[index] == 0x0D {
        ranges.append(start..<index)
        if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { index += 1 }
        start = index + 1
      }
      index += 1
    }
    ranges.append(start..<max(start, bytes.count))
    self.bytes = bytes
    self.ranges = ranges
  }

  /// A longer line is nobody's to read, and finding a place in it takes time: for each of thousands of mistakes.
  private static let longestLine = 64 << 10

  /// `line` counts from 1; nil behind the end, and for a line of more than 64 KiB. Damaged UTF-8 shows as U+FFFD.
  func text(ofLine line: Int) -> String? {
    guard line >= 1, line <= ranges.count, ranges[line - 1].count <= Self.longestLine else { return nil }
    return String(decoding: bytes[ranges[line - 1]], as: UTF8.self)
  }

  /// The whole file; `line` counts from 1 and is there.
  func replacing(line: Int, with text: String) -> [UInt8] {
    var bytes = bytes
    bytes.replaceSubrange(ranges[line - 1], with: text.utf8)
    return bytes
  }
}
