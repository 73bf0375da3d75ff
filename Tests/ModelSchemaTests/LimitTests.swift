// Files that are too large, too damaged or too strange give one clear diagnostic, at once.

import ModelSchema
import Testing

@Suite struct LimitTests {
  private static func rules(_ bytes: [UInt8]) -> [String] {
    let files = SchemaFolder.texts([:]) + [SourceFile(path: "item.yaml", bytes: bytes)]
    return SchemaReader.read(files).diagnostics.map(\.rule)
  }

  @Test func refusesFileOfTenMegabytes() {
    #expect(Self.rules([UInt8](repeating: 0x61, count: 10 << 20)) == ["file-too-large"])
  }

  @Test(
    arguments: [
      ([], "empty-file"), ([0xEF, 0xBB, 0xBF], "empty-file"), ([0xFF, 0xFE, 0x61, 0], "not-utf8"),
      ([0x61, 0, 0x62, 0], "not-utf8"), ([0x61, 0x3A, 0x20, 0], "control-character"), ([0xC0, 0x80], "not-utf8"),
      ([0xED, 0xA0, 0x80], "not-utf8"), ([0xF4, 0x90, 0x80, 0x80], "not-utf8"), ([0xE2, 0x82], "not-utf8"),
    ] as [([UInt8], String)])
  func refusesEmptyFileAndInvalidBytes(bytes: [UInt8], rule: String) {
    #expect(Self.rules(bytes) == [rule])
  }

  @Test func refusesTooDeepNesting() {
    #expect(Self.rules([UInt8](repeating: 0x5B, count: 500_000)).contains("too-deep"))
  }

  /// Searching for suggestions costs more than all the rest, so only the first 100 findings get one.
  @Test func suggestsForFirstHundredFindingsOnly() {
    let fields = (1...300).map { "  field\($0): strng = \($0)\n" }.joined()
    let files = SchemaFolder.texts(["item.yaml": "model: item\nqueue: self\nfields:\n\(fields)"])
    let replacements = SchemaReader.read(files).diagnostics.map(\.replacement)
    #expect(replacements.count == 300)
    #expect(replacements.prefix(100).allSatisfy { $0 == "string" })
    #expect(replacements.dropFirst(100).allSatisfy { $0 == nil })
  }

  /// The place of a word in a text of several lines is the whole text, so the word gets no replacement.
  @Test func suggestsNoReplacementInMultilineText() {
    let text = "model: item\nqueue: self\nfields:\n  name:\n    strng\n    = 1\n"
    let found = SchemaReader.read(SchemaFolder.texts(["item.yaml": text])).diagnostics
    #expect(found.map(\.rule) == ["unknown-type"])
    #expect(found.first?.replacement == nil)
  }

  @Test func reportsMissingConfigurationWithoutFiles() {
    #expect(SchemaReader.read([]).diagnostics.map(\.rule) == ["missing-config"])
  }
}
