// The bytes of a file before any YAML is read: a byte order mark, and characters that no text may contain.

import ModelSchema
import Testing

@Suite struct SourceTextTests {
  private static let model = "model: item\nqueue: self\nfields:\n  name: string = 1\n"

  private static func read(_ text: String, configuration: String = "schema: Test\n") -> ReadingResult {
    SchemaReader.read(SchemaFolder.texts(["item.yaml": text, "modelgen.yaml": configuration]))
  }

  private static func places(_ text: String) -> [String] {
    read(text).diagnostics.map { "\($0.location.start.line):\($0.location.start.column) \($0.rule)" }
  }

  @Test func byteOrderMarkIsNoPartOfText() {
    let marked = Self.read("\u{FEFF}" + Self.model, configuration: "\u{FEFF}schema: Test\n")
    #expect(marked.diagnostics.isEmpty)
    #expect(marked.schema != nil)
    #expect(marked.schema == Self.read(Self.model).schema)
  }

  @Test(arguments: [
    ("modle: item\n", "1:1 unknown-key"), ("# é \u{1}\n", "1:5 control-character"),
    ("{ model: item, queue: self, fields: { a: strin = 1 } }\n", "1:42 unknown-type"),
  ]) func byteOrderMarkCountsAsNoColumn(text: String, place: String) {
    #expect(Self.places(text) == [place])
    #expect(Self.places("\u{FEFF}" + text) == [place])
  }

  @Test(arguments: [
    "\u{0}", "\u{7F}", "\u{80}", "\u{81}", "\u{85}", "\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}",
    "\u{FFFF}",
  ])
  func reportsPlaceOfForbiddenCharacter(character: String) {
    #expect(Self.places(Self.model + "doc: é\(character)\n") == ["5:7 control-character"])
  }

  @Test(arguments: ["\u{A0}", "\u{2027}", "\u{202A}", "\u{FEFE}", "\u{FFFD}", "\u{1FFFF}", "\u{10FFFF}"])
  func acceptsUnusualCharacters(character: String) {
    #expect(Self.places(Self.model + "doc: \"é\(character).\"\n") == [])
  }
}
