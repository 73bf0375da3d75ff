// Tests of JSON and base64, each also against Foundation's own.
import Foundation
import TestSupport
import Testing

@testable import JSON

@Suite struct JSONTests {
  @Test(
    arguments: [
      ("null", JSONValue.null), (" true\n", .bool(true)), ("-0", .number("-0")), ("1.50E+3", .number("1.50E+3")),
      ("123456789012345678901234567890", .number("123456789012345678901234567890")),
      (#""\u0041\n\/\"\\é\uD83D\uDE00""#, .string("A\n/\"\\é😀")), ("[]", []),
      ("[1,[2]]", [.number("1"), [.number("2")]]),
      (#"{"b":1,"a":{}}"#, ["b": .number("1"), "a": [:]]),
    ] as [(String, JSONValue)])
  func textsAreRead(text: String, expected: JSONValue) throws {
    #expect(try JSONValue(parsing: Array(text.utf8)) == expected)
    #expect(try JSONValue(parsing: expected.encoded) == expected)
  }

  @Test(arguments: [
    "", " ", "nul", "True", "01", "-", "1.", ".5", "1e", "+1", "0x1", "NaN", "\"", "\"\n\"", #""\x""#, #""\u12""#,
    #""\u12G4""#, #""\uD800""#, #""\uD800\u0041""#, #""\uDC00\uD800""#, "[", "[1", "[1,]", "[,1]", "[1 2]", "{",
    "{1:2}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1,"a":2}"#, "1 2", "[]]", "\u{FEFF}1", "'a'", "/**/1",
  ])
  func refusesInvalidJSON(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text.utf8)) }
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xE2, 0x22],
  ])
  func refusesInvalidUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
  }

  @Test func depthAndNumberOfValuesAreBounded() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(throws: Never.self) { try JSONValue(parsing: nested(32)) }
    for depth in [33, 1_000_000] {
      #expect(throws: JSONError(offset: 32, isTooLarge: true)) { try JSONValue(parsing: nested(depth)) }
    }
    var limits = JSONLimits()
    limits.values = 4
    #expect(throws: Never.self) { try JSONValue(parsing: Array("[1,2,3]".utf8), limits: limits) }
    #expect(throws: JSONError(offset: 7, isTooLarge: true)) {
      try JSONValue(parsing: Array("[1,2,3,4]".utf8), limits: limits)
    }
  }

  @Test func refusesDuplicateAmongManyMembers() throws {
    let members = (0..<20).map { "\"m\($0)\":0" }
    func object(_ members: [String]) -> [UInt8] { Array("{\(members.joined(separator: ","))}".utf8) }
    #expect(throws: Never.self) { try JSONValue(parsing: object(members)) }
    #expect(throws: JSONError.self) { try JSONValue(parsing: object(members + ["\"m3\":0"])) }
  }

  @Test func everyCharacterIsWrittenAsFoundationReadsIt() throws {
    let text = String(String.UnicodeScalarView((0...0x2FF).compactMap(Unicode.Scalar.init))) + "\u{2028}😀"
    let bytes = JSONValue.array([.string(text)]).encoded
    #expect(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String] == [text])
    #expect(try JSONValue(parsing: bytes) == [.string(text)])
  }

  @Test func base64IsThatOfFoundation() {
    let seed: UInt64 = 3
    var random = SeededRandom(seed: seed)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
      let text = Base64.text(of: bytes)
      #expect(text == Data(bytes).base64EncodedString(), "seed \(seed), \(count)")
      #expect(Base64.bytes(of: text) == bytes, "seed \(seed), \(count)")
      #expect(Base64.capacity(of: text) >= count)
    }
  }

  @Test(arguments: ["A", "AA", "AAA", "AB==", "AAB=", "A===", "====", "AA=A", "AAAA\n", "AA\u{E9}", "AA-_", "AAAA===="])
  func refusesInvalidBase64(text: String) {
    #expect(Base64.bytes(of: text) == nil)
  }
}
