// Tests of the lexer: texts and their tokens, and the places of texts that are no token.
import Testing

@testable import GraphQL

@Suite struct LexerTests {
  @Test(
    arguments: [
      ("", []), (" \t\r\n,# comment\n,", []), ("\u{FEFF}a\u{FEFF}b", [.name("a"), .name("b")]),
      ("{ ... ! $", [.punctuator("{"), .punctuator("..."), .punctuator("!"), .punctuator("$")]),
      ("_a1 A", [.name("_a1"), .name("A")]), ("0 -0 12 -7", [.int("0"), .int("-0"), .int("12"), .int("-7")]),
      ("1.5 -0.0e-10 1E+9", [.float("1.5"), .float("-0.0e-10"), .float("1E+9")]),
      ("99999999999999999999999", [.int("99999999999999999999999")]),
      (#""" "a" "\"\\\/\b\f\n\r\t""#, [.string(""), .string("a"), .string("\"\\/\u{8}\u{C}\n\r\t")]),
      (#""\u00e9\uD83D\uDE00\u{1F600}é""#, [.string("é😀😀é")]), ("\"a\tb\"", [.string("a\tb")]),
      (#""""a "quoted" \""" b""""#, [.string(#"a "quoted" """ b"#)]),
      ("\"\"\"\n    a\n      b\r\n\n    c\n  \"\"\"", [.string("a\n  b\n\nc")]), (#""""""""#, [.string("")]),
      ("\"\"\"  a\n  b\"\"\"", [.string("  a\nb")]), ("#only", []),
    ] as [(String, [GraphQLToken.Kind])])
  func textsAreRead(text: String, expected: [GraphQLToken.Kind]) throws {
    #expect(try tokens(text) == expected)
  }

  @Test(arguments: [
    ("a ?", 2), ("..", 0), (". . .", 0), ("01", 1), ("00", 1), ("1a", 1), ("1.", 2), ("1.a", 2), (".5", 0), ("1e", 2),
    ("1e+", 3), ("1.2.3", 3), ("-", 1), ("-a", 1), ("+1", 0), ("1_000", 1), ("\"", 1), ("\"a", 2), ("\"a\nb\"", 2),
    (#""\x""#, 1), (#""\u12G4""#, 1), (#""\uD800""#, 1), (#""\uDC00""#, 1), (#""\uD800\u0041""#, 1), (#""\u{}""#, 1),
    (#""\u{110000}""#, 1), (#""\u{1234567}""#, 1), (#""\u{D800}""#, 1), (#""\"#, 1), (#""\u"#, 1), (#""\u{"#, 1),
    (#""""a"#, 4), (#""""a"""#, 6), (#""""a\""""#, 8), ("é", 0), ("a \u{0}", 2), ("'a'", 0), ("a;b", 1), ("😀", 0),
  ])
  func refusesTextThatIsNoToken(text: String, offset: Int) {
    let error = #expect(throws: GraphQLError.self) { try tokens(text) }
    #expect(error?.code == .parseFailed)
    #expect(error?.offset == offset, "\(error?.message ?? "")")
  }

  @Test func boundsTheNumberOfTokens() throws {
    #expect(try tokens("a b c", atMost: 3).count == 3)
    let error = #expect(throws: GraphQLError.self) { try tokens("a b c d", atMost: 3) }
    #expect(error == .invalid("The document has too many tokens.", at: 6))
  }

  @Test(arguments: [
    ("abc", 0, 1, 1), ("abc", 2, 1, 3), ("a\nb", 2, 2, 1), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1), ("é😀b", 6, 1, 3),
    ("a\n\n", 3, 3, 1), ("", 0, 1, 1), ("a", 99, 1, 2),
  ])
  func placesAreLinesAndColumns(text: String, offset: Int, line: Int, column: Int) {
    let place = GraphQLPlaces(Array(text.utf8)).place(of: offset)
    #expect(place == (line, column))
  }

  private func tokens(_ text: String, atMost maximum: Int = 1_000) throws -> [GraphQLToken.Kind] {
    var lexer = GraphQLLexer(Array(text.utf8), tokens: maximum)
    var kinds: [GraphQLToken.Kind] = []
    while true {
      let token = try lexer.next()
      if token.kind == .end { return kinds }
      kinds.append(token.kind)
    }
  }
}
