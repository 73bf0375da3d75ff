// Reads and validates a thousand schemas, within a bound that only a change of the order of growth can break.

import Foundation
import ModelSchema
import Testing

@Suite struct SpeedTests {
  /// Eight times as many files, which name each other, take about eight times as long.
  @Test func timeGrowsWithTheNumberOfSchemas() {
    let few = Self.shortest(of: 3) { Self.readModels(count: 125) }
    let many = Self.shortest(of: 3) { Self.readModels(count: 1000) }
    print("125 and 1,000 schemas of 12 fields: \(few), \(many)")
    #expect(many < few * 40)
  }

  /// Renames, reserved names and unknown types by the thousand. Eight times as many take about eight times as long;
  /// comparing each with all others would take 64 times as long.
  @Test(arguments: [
    ("string = TAG, was: oldTAG", ""), ("string = TAG", "reserved: { names: [NAMES], tags: [NUMBERS] }\n"),
    ("strng0 = TAG", ""),
  ])
  func timeGrowsWithTheNumberOfNames(field: String, reserved: String) {
    let few = Self.shortest(of: 3) { Self.readModel(of: 500, field, reserved) }
    let many = Self.shortest(of: 3) { Self.readModel(of: 4000, field, reserved) }
    print("500 and 4,000 fields like `\(field)`: \(few), \(many)")
    #expect(many < few * 40)
  }

  /// The shortest of several runs, in processor time, which other processes of the machine do not use up.
  private static func shortest(of runs: Int, _ body: () -> Void) -> Duration {
    (0..<runs).map { _ in
      let start = processorTime()
      body()
      return processorTime() - start
    }.min() ?? .zero
  }

  private static func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func readModels(count: Int) {
    let fields = (1...11).map {
      "  field\($0): \(["string", "int64?", "list(string)", "timestamp"][$0 % 4]) = \($0 + 1)\n"
    }
    let texts = (0..<count).map { number in
      let next = (number + 1) % count
      return (
        "item\(number).yaml",
        "model: item\(number)\nqueue: self\nfields:\n  next: ref(item\(next)) = 1\n" + fields.joined()
      )
    }
    let files = SchemaFolder.texts(Dictionary(uniqueKeysWithValues: texts))
    #expect(SchemaReader.read(files).schema?.models.count == count)
  }

  private static func readModel(of count: Int, _ field: String, _ reserved: String) {
    let fields = (0..<count).map { "  f\($0): { type: \(field.replacing("TAG", with: "\($0 + 20_000)")) }\n" }
    let names = (0..<count).map { "gone\($0)" }.joined(separator: ", ")
    let numbers = (0..<count).map { "\($0 * 2 + 40_000)" }.joined(separator: ", ")
    let end = reserved.replacing("NAMES", with: names).replacing("NUMBERS", with: numbers)
    let text = "model: item\nqueue: self\nfields:\n" + fields.joined() + end
    let result = SchemaReader.read(SchemaFolder.texts(["item.yaml": text]))
    #expect(result.diagnostics.allSatisfy { $0.rule == "unknown-type" })
  }
}
