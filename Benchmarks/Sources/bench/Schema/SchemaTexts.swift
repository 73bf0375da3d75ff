// A schema folder of any size, as texts: models that refer to each other, with varied field types and ten lines each.

import MeasuredSchema

enum SchemaTexts {
  private static let types = [
    "string", "int64?", "list(string)", "timestamp", "bool", "set(ref(user))", "double?", "uuid", "list(place)",
    "counter", "data?", "file",
  ]

  static func files(count: Int) -> [SourceFile] {
    let configuration = SourceFile(path: "modelgen.yaml", bytes: Array("schema: Measured\n".utf8))
    let places = SourceFile(
      path: "places.yaml",
      bytes: Array("structs: { place: { fields: { latitude: double = 1, name: string? = 2 } } }\n".utf8))
    return [configuration, places]
      + (0..<count).map { number in
        SourceFile(path: "item\(number).yaml", bytes: Array(model(number, of: count).utf8))
      }
  }

  private static func model(_ number: Int, of count: Int) -> String {
    let fields = (2...6).map { tag in "  field\(tag): \(types[(number + tag * 5) % types.count]) = \(tag)\n" }
    return """
      model: item\(number)
      doc: The item with the number \(number).
      queue: self
      fields:
        next: ref(item\((number + 1) % count)) = 1
      \(fields.joined())
      """
  }
}
