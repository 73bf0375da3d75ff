// For the names that other languages give to our types, the right type is suggested.

import ModelSchema
import Testing

@Suite struct TypeWordTests {
  @Test(arguments: [
    ("int", "int64"), ("Int", "int64"), ("integer", "int64"), ("long", "int64"), ("Int32", "int32"), ("short", "int32"),
    ("uint8", "uint32"), ("uint", "uint64"), ("boolean", "bool"), ("Bool", "bool"), ("float64", "double"),
    ("Double", "double"), ("text", "string"), ("str", "string"), ("String", "string"), ("url", "string"),
    ("bytes", "data"), ("blob", "data"), ("UUID", "uuid"), ("guid", "uuid"), ("date", "timestamp"),
    ("datetime", "timestamp"), ("Date", "timestamp"), ("strng", "string"), ("sice", "size"), ("SIZE", "size"),
  ])
  func suggestsTypeForForeignWord(word: String, type: String) {
    let text = "model: item\nqueue: self\nfields: { value: \(word)? = 1 }\nenums: { size: { cases: { small: 1 } } }\n"
    let result = SchemaReader.read(SchemaFolder.texts(["item.yaml": text]))
    #expect(result.diagnostics.map(\.replacement) == [type])
  }

  @Test(arguments: [("array", "list"), ("Array", "list"), ("List", "list"), ("Set", "set"), ("reference", "ref")])
  func suggestsTypeWithArgumentForForeignWord(word: String, type: String) {
    let text = "model: item\nqueue: self\nfields: { value: \(word)(item) = 1 }\n"
    let result = SchemaReader.read(SchemaFolder.texts(["item.yaml": text]))
    #expect(result.diagnostics.map(\.replacement) == [type])
  }
}
