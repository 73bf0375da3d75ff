// Reads the words that the store keeps for types.
import ModelSupport
import Testing

@testable import modelinspect

@Suite struct ValueTypeTests {
  private static let point = [StoredField(tag: 1, name: "x", type: "double")]

  @Test(arguments: [
    ("string", ValueType.Element.string, false), ("string?", .string, false), ("list(int32)", .int32, true),
    ("set(id)", .id, true), ("enum?", .enumeration([]), false), ("list(point)", .structure(point), true),
    ("map(string)", .unknown, false), ("", .unknown, false), ("list(", .unknown, false),
  ])
  func readsWordsOfTypes(word: String, element: ValueType.Element, isCollection: Bool) {
    let type = ValueType(StoredField(tag: 1, name: "field", type: word), in: ["point": Self.point])
    #expect(type.element == element)
    #expect(type.isCollection == isCollection)
  }
}
