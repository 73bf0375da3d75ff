// What changes in a file, as `git apply` and `patch -p1` read it.
import ModelSchema

enum UnifiedDiff {
  /// The lines around a change that are shown.
  private static let context = 3

  /// The diff between two texts of a file; empty where they are equal.
  static func text(from old: SourceFile, to new: SourceFile) -> String {
    guard old.bytes != new.bytes else { return "" }
    let path = old.path.drop { $0 == "/" }
    let hunks = hunks(changes(lines(of: old.bytes), lines(of: new.bytes)))
    return "--- a/\(path)\n+++ b/\(path)\n" + hunks.map(text).joined()
  }

  /// A line with its line end.
  private enum Line {
    case same(ArraySlice<UInt8>)
    case removed(ArraySlice<UInt8>)
    case added(ArraySlice<UInt8>)

    var isSame: Bool { if case .same = self { true } else { false } }
  }

  /// Lines that belong together. The numbers count from 1 and are those of the first line.
  private struct Hunk {
    var oldStart: Int
    var newStart: Int
    var lines: [Line]
  }

  private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      lines.append(rest[..<end])
      rest = rest[end...]
    }
    return lines
  }

  /// All lines of both texts: where they differ, the removed ones first.
  private static func changes(_ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) -> [Line] {
    let difference = new.difference(from: old)
    let removed = Set(difference.removals.map(offset))
    let added = Set(difference.insertions.map(offset))
    var result: [Line] = []
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      if removed.contains(before) {
        result.append(.removed(old[before]))
        before += 1
      } else if added.contains(after) {
        result.append(.added(new[after]))
        after += 1
      } else {
        result.append(.same(old[before]))
        (before, after) = (before + 1, after + 1)
      }
    }
    return result
  }

  private static func offset(_ change: CollectionDifference<ArraySlice<UInt8>>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  private static func hunks(_ lines: [Line]) -> [Hunk] {
    var hunks: [Hunk] = []
    var (old, new) = (1, 1)
    var shown = 0
    for (index, line) in lines.enumerated() {
      let nearest = max(0, index - context)...min(lines.count - 1, index + context)
      if nearest.contains(where: { !lines[$0].isSame }) {
        if hunks.isEmpty || shown != index { hunks.append(Hunk(oldStart: old, newStart: new, lines: [])) }
        hunks[hunks.count - 1].lines.append(line)
        shown = index + 1
      }
      switch line {
      case .same: (old, new) = (old + 1, new + 1)
      case .removed: old += 1
      case .added: new += 1
      }
    }
    return hunks
  }

  private static func text(_ hunk: Hunk) -> String {
    let old = hunk.lines.count { if case .added = $0 { false } else { true } }
    let new = hunk.lines.count { if case .removed = $0 { false } else { true } }
    let head = "@@ -\(range(hunk.oldStart, old)) +\(range(hunk.newStart, new)) @@\n"
    return head
      + hunk.lines.map { line in
        switch line {
        case .same(let bytes): text(" ", bytes)
        case .removed(let bytes): text("-", bytes)
        case .added(let bytes): text("+", bytes)
        }
      }.joined()
  }

  /// `START,COUNT`. An empty range is told by the line before it, and a count of 1 is left out.
  private static func range(_ start: Int, _ count: Int) -> String {
    switch count {
    case 0: "\(start - 1),0"
    case 1: "\(start)"
    default: "\(start),\(count)"
    }
  }

  private static func text(_ sign: String, _ line: ArraySlice<UInt8>) -> String {
    let text = sign + String(decoding: line, as: UTF8.self)
    return line.last == UInt8(ascii: "\n") ? text : text + "\n\\ No newline at end of file\n"
  }
}
