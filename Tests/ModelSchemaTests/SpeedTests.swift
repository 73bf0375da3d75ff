// A thousand schemas, read and validated: a bound that only a change of the order of growth can break.

import ModelSchema
import Testing

@Suite struct SpeedTests {
  @Test func aThousandSchemasOfTwelveFields() {
    let fields = (1...11).map {
      "  field\($0): \(["string", "int64?", "list(string)", "timestamp"][$0 % 4]) = \($0 + 1)\n"
    }
    let texts = (0..<1000).map { number in
      let next = (number + 1) % 1000
      return (
        "item\(number).yaml",
        "model: item\(number)\nqueue: self\nfields:\n  next: ref(item\(next)) = 1\n" + fields.joined()
      )
    }
    let files = SchemaFolder.texts(Dictionary(uniqueKeysWithValues: texts))
    var result: ReadingResult?
    let duration = ContinuousClock().measure { result = SchemaReader.read(files) }
    print("1,000 schemas of 12 fields: \(duration)")
    #expect(result?.schema?.models.count == 1000)
    #expect(duration < .seconds(10), "Slower by far than the 0.5 s that were measured.")
  }
}
