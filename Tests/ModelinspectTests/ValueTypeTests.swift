// Reads the words that the store keeps for types.
import ModelSupport
import Testing

@testable import modelinspect

@Suite struct ValueTypeTests {
  private static let point = [StoredField(tag: 1, name: "x", type: "double")]

  @Test(arguments: [
    ("string", "string", WireType.length, false), ("string?", "string", .length, false),
    ("list(int32)", "int32", .varint, true), ("set(id)", "id", .length, true), ("enum?", "enum", .varint, false),
    ("list(point)", "point", .length, true), ("map(string)", "map(string)", nil, false), ("", "", nil, false),
    ("list(", "list(", nil, false),
  ])
  func readsWordsOfTypes(text: String, word: String, wireType: WireType?, isCollection: Bool) {
    let type = ValueType(StoredField(tag: 1, name: "field", type: text), in: ["point": Self.point])
    #expect(type.word == word)
    #expect(type.wireType == wireType)
    #expect(type.isCollection == isCollection)
    #expect(type.isStruct == (word == "point"))
  }
}
