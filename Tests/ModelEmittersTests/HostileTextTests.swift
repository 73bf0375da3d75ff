// No text of a schema can change the meaning of generated code.
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct HostileTextTests {
  static let seed: UInt64 = 20_261_121

  @Test func hostileTextDoesNotChangeTokens() {
    var texts = HostileText(seed: Self.seed)
    let expected = kinds(Self.file(HostileText.schema("x")))
    #expect(!expected.contains { if case .invalid = $0 { true } else { false } })
    for index in 0..<10_000 {
      let text = texts.next()
      let tokens = SwiftTokenizer.tokens(of: Self.file(HostileText.schema(text)))
      guard tokens.map(\.kind).filter({ $0 != .comment }) == expected else {
        Issue.record("seed \(Self.seed), text \(index): \(text.debugDescription) changes the tokens")
        return
      }
      // Eight literals: the default of a model's field in its initialiser and its zero, that of a struct's field in its
      // initialiser, two reasons of deprecation, and three effects.
      let values = tokens.filter { $0 == .string(text) }.count
      guard values >= 8 else {
        Issue.record("seed \(Self.seed), text \(index): \(text.debugDescription) is not the value of its literals")
        return
      }
    }
  }

  @Test(arguments: ["let x = 1", "\"\\(x)\"", "/* a */", "\"\"\" a \"\"\"", "#\"a\"#", "// a\rlet x", "\"a\u{202E}\""])
  func tokenizerNoticesUnescapedText(text: String) {
    let tokens = SwiftTokenizer.tokens(of: text)
    #expect(tokens != [.comment] && tokens.map(\.kind) != [.string("")], "\(tokens)")
  }

  @Test func protocTakesHostileDocs() throws {
    var texts = HostileText(seed: Self.seed + 1)
    var schema = Schema.of()
    for index in 0..<200 {
      var part = HostileText.schema(texts.next()).files[0]
      part.stem = "photo\(index)"
      part.model?.name = "photo\(index)"
      schema.files.append(part)
    }
    try ProtoTests.accept(schema.proto(), "seed \(Self.seed + 1)")
  }

  /// Compiles the literals and runs them. Their values at run time are the texts.
  @Test func compiledLiteralsHaveTheirValues() throws {
    guard let swiftc = try Program.find("swiftc") else { return }
    var texts = HostileText(seed: Self.seed + 2)
    let expected = (0..<300).map { _ in texts.next() }
    var source = "func show(_ text: String) { print(text.utf8.map(String.init).joined(separator: \" \")) }\n"
    for text in expected {
      let lines = Self.file(HostileText.schema(text)).split(separator: "\n", omittingEmptySubsequences: false)
      // A long literal stands on the line after `=`.
      let assignment = try #require(lines.lastIndex { $0.hasPrefix("    self.title =") })
      let literal = lines[assignment].dropFirst("    self.title = ".count)
      source += lines.filter { $0.hasPrefix("///") }.joined(separator: "\n") + "\n"
      source += "show(\(literal.isEmpty ? lines[assignment + 1] : literal))\n"
    }
    let folder = try TemporaryFolder()
    try folder.write("main.swift", source)
    let compiled = try swiftc.run(["-Onone", "-o", "show", "main.swift"], in: folder.url)
    try #require(compiled.status == 0, "seed \(Self.seed + 2): \(compiled.text.prefix(800))")
    let shown = try Program(url: folder.url("show")).run([], in: folder.url)
    let lines = expected.map { $0.utf8.map(String.init).joined(separator: " ") }
    #expect(shown.text == lines.joined(separator: "\n") + "\n", "seed \(Self.seed + 2)")
  }

  private static func file(_ schema: Schema) -> String { schema.swift("Photo") }

  /// The kinds of all tokens. Comments are left out, because a doc of two lines is two comments.
  private func kinds(_ text: String) -> [SwiftToken] {
    SwiftTokenizer.tokens(of: text).map(\.kind).filter { $0 != .comment }
  }
}
