// Edits of texts: what is not edited stays as it is, byte for byte.
import Testing

@testable import ModelSchema

@Suite struct EditTests {
  /// Line, first column and column behind the last, and the new text.
  private typealias Edit = (line: Int, start: Int, end: Int, text: String)

  private static func applied(_ edits: [Edit], to text: String) -> String? {
    let edits = edits.map { edit in
      TextEdit(
        range: SourceRange(
          file: "a.yaml", start: SourcePosition(line: edit.line, column: edit.start),
          end: SourcePosition(line: edit.line, column: edit.end)), text: edit.text)
    }
    return SourceFile(path: "a.yaml", bytes: Array(text.utf8)).applying(edits)
      .map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("one\ntwo\n", [(2, 1, 4, "2")], "one\n2\n"),
      ("one\r\ntwo\r\n", [(2, 1, 4, "2")], "one\r\n2\r\n"),
      ("one\rtwo", [(2, 2, 3, "2")], "one\rt2o"),
      ("\u{FEFF}one", [(1, 1, 4, "1")], "\u{FEFF}1"),
      ("one\u{2028}two\n", [(1, 5, 8, "2")], "one\u{2028}2\n"),
      ("größe: é\n", [(1, 8, 9, "e"), (1, 1, 6, "size")], "size: e\n"),
      ("a b", [(1, 1, 1, "<"), (1, 4, 4, ">")], "<a b>"),
      ("a", [(1, 2, 2, "1"), (1, 2, 2, "2")], "a12"),
      ("a\n", [(2, 1, 1, "b")], "a\nb"),
      ("", [(1, 1, 1, "b")], "b"),
      ("abc", [(1, 1, 3, "x"), (1, 2, 4, "y")], nil),
      ("abc", [(1, 3, 6, "x")], nil),
      ("abc", [(2, 1, 1, "x")], nil),
    ] as [(String, [(Int, Int, Int, String)], String?)])
  func editsLeaveTheRest(text: String, edits: [(Int, Int, Int, String)], expected: String?) {
    #expect(Self.applied(edits, to: text) == expected)
  }
}
