// Applies edits to the bytes of a file. Every byte outside of them stays as it is: line ends, a byte order mark, a
// missing line end at the end.

extension SourceFile {
  /// The file after `edits`. Nil where two of them overlap, or one is at a place that the file has not.
  func applying(_ edits: [TextEdit]) -> SourceFile? {
    let lines = SourceLines(bytes)
    var replaced: [(range: Range<Int>, text: String)] = []
    for edit in edits {
      guard let start = lines.index(of: edit.range.start), let end = lines.index(of: edit.range.end), start <= end
      else { return nil }
      replaced.append((start..<end, edit.text))
    }
    // The sort is stable: what is inserted at one place keeps its order.
    replaced.sort { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    var result: [UInt8] = []
    var done = 0
    for (range, text) in replaced {
      guard range.lowerBound >= done else { return nil }
      result += bytes[done..<range.lowerBound]
      result += Array(text.utf8)
      done = range.upperBound
    }
    return SourceFile(path: path, bytes: result + bytes[done...])
  }
}
