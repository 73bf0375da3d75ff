// Splits a file into lines, to show them and to find places in them.

/// The lines of a file. They end at LF, CR LF or CR, as in editors.
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

  /// Nobody reads a longer line, and finding a column in it for thousands of mistakes takes time.
  private static let longestLine = 64 << 10

  /// `line` counts from 1. Nil behind the last line, and for a line of more than 64 KiB. Invalid UTF-8 becomes U+FFFD.
  func text(ofLine line: Int) -> String? {
    guard line >= 1, line <= ranges.count, ranges[line - 1].count <= Self.longestLine else { return nil }
    return String(decoding: bytes[ranges[line - 1]], as: UTF8.self)
  }

  /// The number of lines; the last one is empty where the file ends with a line end.
  var count: Int { ranges.count }

  /// The index in the bytes of a place, which may be the end of its line; nil where there is no such place.
  func index(of place: SourcePosition) -> Int? {
    guard place.line >= 1, place.line <= ranges.count, place.column >= 1 else { return nil }
    let range = ranges[place.line - 1]
    var index = range.lowerBound
    for _ in 1..<place.column {
      guard index < range.upperBound else { return nil }
      index += 1
      while index < range.upperBound, bytes[index] & 0xC0 == 0x80 { index += 1 }
    }
    return index
  }

  /// The place behind the last character of a line.
  func end(ofLine line: Int) -> SourcePosition {
    let scalars = bytes[ranges[line - 1]].count { $0 & 0xC0 != 0x80 }
    return SourcePosition(line: line, column: scalars + 1)
  }

  /// What ends the first line, and LF where there is one line only.
  var lineEnd: String {
    guard ranges.count > 1 else { return "\n" }
    return String(decoding: bytes[ranges[0].upperBound..<ranges[1].lowerBound], as: UTF8.self)
  }
}
