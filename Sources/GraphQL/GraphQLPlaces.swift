// The lines and columns of a document.

/// Converts offsets in a document to lines and columns. Finds the lines once, for all errors of an answer.
struct GraphQLPlaces {
  private let source: [UInt8]
  /// Offsets of the first bytes of lines, ascending. A line ends with LF, CR, or CR and LF.
  private var starts = [0]

  init(_ source: [UInt8]) {
    self.source = source
    for index in source.indices {
      let endsLine =
        source[index] == 0x0A || source[index] == 0x0D && (index + 1 == source.count || source[index + 1] != 0x0A)
      if endsLine { starts.append(index + 1) }
    }
  }

  /// The line and column of an offset. Both count from 1; a column is a Unicode scalar.
  func place(of offset: Int) -> (line: Int, column: Int) {
    let end = min(offset, source.count)
    let line = starts.lastIndex { $0 <= end } ?? 0
    return (line + 1, String(decoding: source[starts[line]..<end], as: UTF8.self).unicodeScalars.count + 1)
  }
}
