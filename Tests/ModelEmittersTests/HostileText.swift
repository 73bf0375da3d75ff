// Text that tries to leave the comment or literal in which it stands.
import ModelSchema
import TestSupport

struct HostileText {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private static let pieces: [String] = [
    "\n", "\r", "\r\n", "\n\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}", "*/", "/*", "//", "///", "\\(",
    "\\", "\\\\", "\"", "\\\"", "\"\"\"", "#\"", "\"#", "'", "`", "}", "{", ")", "]", ";", "\0", "\u{1}", "\u{7F}",
    "\t",
    "\u{202E}", "\u{202A}", "\u{2066}", "\u{2069}", "\u{200B}", "\u{200F}", "\u{FEFF}", "\u{E000}", "\u{FFFF}",
    "\u{301}",
    "\u{1F469}\u{200D}\u{1F4BB}", "\u{1F1E9}\u{1F1EA}", "e\u{301}", "\u{10FFFF}", "\u{E0001}", "\u{3164}", "日本", "ß",
    " ",
    "  ", "a", "word", "import Foundation", "public let x = 1", "syntax = \"proto2\";", "#if true", "@available",
    "\\u{41}",
    "%s", "$0", "TODO", "-", "- Parameter x:", "<!--", "swift-format-ignore",
  ]

  mutating func next() -> String {
    let count = Int.random(in: 1...8, using: &random)
    return (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
  }

  /// A schema with `text` in every place that takes text.
  static func schema(_ text: String) -> Schema {
    let place = StructDeclaration.of(
      "place", [.of("name", .string, doc: text, default: .string(text)), .of("was", .bool, tag: 2, deprecated: text)],
      doc: text)
    let mood = EnumDeclaration.of("mood", [EnumCase(name: "good", number: 1, doc: text)], doc: text)
    let fields: [FieldDeclaration] = [
      .of("title", .string, tag: 1, doc: text, default: .string(text)),
      .of("old", .string, tag: 2, doc: text, deprecated: text),
    ]
    var photo = ModelDeclaration.of("photo", fields, doc: text)
    photo.operations = [operation(text)]
    return .of(photo, structs: [place], enums: [mood])
  }

  /// An operation whose effects set a title, insert it, and create a photo with it.
  private static func operation(_ text: String) -> OperationDeclaration {
    let title = FieldAssignment(field: "title", value: .literal(.string(text)))
    return OperationDeclaration(
      name: "call", doc: text, parameters: [], requirements: [],
      effects: [.set([title]), .insert([title]), .create(model: "photo", [title])])
  }
}
