// Defaults are emitted as literals of exactly the value in the schema.
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct SwiftDefaultTests {
  @Test(
    arguments: [
      (BaseType.bool, Literal.bool(true), "true"), (.int32, .integer(-7), "-7"),
      (.int64, .integer(.min), "-9_223_372_036_854_775_808"), (.int64, .integer(999_999), "999999"),
      (.uint64, .unsigned(.max), "18_446_744_073_709_551_615"), (.double, .double(1.5), "1.5"),
      (.double, .double(-0.0), "-0.0"), (.double, .double(.leastNonzeroMagnitude), "0x0.0000000000001p-1022"),
      (.double, .double(7.0368708395477446e+177), nil), (.double, .double(.greatestFiniteMagnitude), nil),
      (.float, .double(0.1), nil), (.string, .string("a\"\\(b)\n\u{202E}"), "\"a\\\"\\\\(b)\\u{A}\\u{202E}\""),
      (.enumeration(TypeName(model: "photo", name: "mood")), .enumCase("good"), ".good"),
    ] as [(BaseType, Literal, String?)])
  func emitsDefaultAsExactLiteral(base: BaseType, value: Literal, expected: String?) throws {
    let mood = EnumDeclaration.of("mood", [EnumCase(name: "good", number: 1)])
    let text = Schema.of(.of("photo", [.of("value", base, default: value)]), enums: [mood]).swift("Photo")
    let prefix = "    self.value = "
    let assignments = text.split(separator: "\n").filter { $0.hasPrefix(prefix) }
    let literal = String(try #require(assignments.last).dropFirst(prefix.count))
    if let expected { #expect(literal == expected) }
    #expect(text.contains(" = \(literal)) {"), "the initialiser has the same default")
    if case .double(let number) = value {
      let digits = literal.replacing("_", with: "")
      let wanted = base == .float ? Double(Float(number)) : number
      #expect(Double(digits)?.bitPattern == wanted.bitPattern, "\(literal) is not \(wanted)")
    }
  }

  @Test func randomDoublesComeBackBitForBit() throws {
    let seed: UInt64 = 42
    var random = SeededRandom(seed: seed)
    for _ in 0..<2000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = Schema.of(.of("photo", [.of("value", .double, default: .double(value))])).swift("Photo")
      let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("    self.value = ") })
      let literal = line.dropFirst("    self.value = ".count).replacing("_", with: "")
      #expect(Double(String(literal))?.bitPattern == value.bitPattern, "seed \(seed): \(literal) is not \(value)")
    }
  }
}
