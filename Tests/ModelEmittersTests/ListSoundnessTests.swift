// Every list that the reader accepts becomes Swift that compiles.
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct ListSoundnessTests {
  private static let types = [
    "bool", "int32", "int64", "uint32", "uint64", "float", "double", "string", "data", "uuid", "timestamp", "file",
    "ref(user)", "ref(board)", "place", "mood",
  ]
  private static let operands = [
    "true", "7", "-1", "1.5", "some text", "happy", "$me", "seat($me)", "$now", "$today",
  ]

  /// Fields of all types. Their names are filled up to `length` characters.
  private struct Names {
    var length: Int
    var fields: [(name: String, type: String)] = []

    init(length: Int) {
      self.length = length
      for (index, type) in ListSoundnessTests.types.enumerated() {
        fields.append((name("single\(index)"), type))
        if type != "ref(board)" { fields.append((name("optional\(index)"), type + "?")) }
        if !["bool", "float", "double", "file", "place"].contains(type) {
          fields.append((name("set\(index)"), "set(\(type))"))
        }
      }
      fields.append((name("counter"), "counter"))
      fields.append((name("stops"), "list(place)"))
    }

    func name(_ first: String) -> String { first + String(repeating: "a", count: max(0, length - first.utf8.count)) }

    /// The paths of fields, and of those inside files and structs.
    var paths: [String] {
      fields.map(\.name)
        + fields.filter { $0.type.hasPrefix("file") }.flatMap {
          ["\($0.name).hash", "\($0.name).size", "\($0.name).name"]
        }
        + fields.filter { $0.type.hasPrefix("place") }.flatMap { field in
          ["town", "at", "since", "nick", "tags", "old"].map { inner in "\(field.name).\(name(inner))" }
            + ["\(field.name).\(name("inner")).\(name("deep"))"]
        } + ["town", "nick", "tags", "old"].map { "\(name("stops")).\(name($0))" }
        + ["$creator", "$created", "$updated"]
    }
  }

  /// A schema with these lists, each of which is a body in braces.
  private static func files(_ names: Names, lists: [String]) -> [SourceFile] {
    let fields = names.fields.enumerated().map { "  \($1.name): { type: \($1.type), tag: \($0 + 2) }" }
    let place = [
      ("town", "string = 1"), ("at", "timestamp? = 2"), ("since", "timestamp = 3"), ("inner", "inner = 4"),
      ("nick", "string? = 5"), ("tags", "list(string) = 6"),
      ("old", "{ type: string, tag: 7, deprecated: true }"),
    ].map { name, type in "\(names.name(name)): \(type)" }
    let item = """
      model: item
      queue: board
      fields:
        board: { type: ref(board), tag: 1 }
      \(fields.joined(separator: "\n"))
      structs:
        place: { fields: { \(place.joined(separator: ", ")) } }
        inner: { fields: { \(names.name("deep")): timestamp = 1 } }
      enums: { mood: { cases: { happy: 1, sad: 2 } } }
      lists:
      \(lists.enumerated().map { "  \(names.name("list\($0)")): \($1)" }.joined(separator: "\n"))
      """
    let seat = "model: seat\nqueue: board\nidentity: [user]\nfields: { board: ref(board) = 1, user: ref(user) = 2 }\n"
    let board =
      "model: board\nqueue: self\nfields: { title: string = 1 }\nlists: { all: { order: $created }, any: { where: $creator == $me } }\n"
    return [("modelgen", "schema: Lists\n"), ("board", board), ("seat", seat), ("item", item)].map { name, text in
      SourceFile(path: name + ".yaml", bytes: Array(text.utf8))
    }
  }

  private static func accepted(_ bodies: [String], _ names: Names) -> [String] {
    bodies.filter { SchemaReader.read(files(names, lists: [$0])).schema != nil }
  }

  /// All conditions, orders, sections, parameters and distinct values that the reader accepts.
  private static func everyList(_ names: Names) -> [String] {
    let order = "order: \(names.fields[0].name)"
    let operators = ["==", "!=", "<", "<=", ">", ">=", "contains"]
    let paths = names.paths
    // A text accepts every operand, so the first two that are accepted are enough.
    let comparisons = paths.flatMap { path in
      operators.flatMap { sign in
        accepted(operands.map { "{ where: \(path) \(sign) \($0), \(order) }" }, names).prefix(2)
      }
    }
    let nulls = paths.flatMap { ["\($0) is null", "\($0) is not null"] }
    let number = names.fields.first { $0.type == "int32?" }?.name ?? ""
    let several = "{ where: [\(number) > 1, \(number) < 9], \(order) }"
    // Each condition again, as one of four alternatives.
    let terms = comparisons.map { String($0.dropFirst("{ where: ".count).dropLast(", \(order) }".count)) }
    let choices = stride(from: 0, to: terms.count, by: 4).map { start in
      "any: [\(terms[min(start, terms.count - 4)...].prefix(4).joined(separator: ", "))]"
    }
    let kept = names.fields.flatMap { field in
      ["", " descending"].map {
        "section: value(\(field.name)), order: [\(field.name)\($0), \(names.fields[2].name)], keepEmpty: true, limit: 1000"
      }
    }
    let sections = paths.flatMap { path in
      ["day", "week", "month", "year", "value", "initial"].map {
        "section: \($0)(\(path)), order: [\(path), \(names.fields[2].name)]"
      }
        + ["section: gap(\(path) 6h), order: \(path) descending", "section: value(\(path)), order: \(path) descending"]
    }
    return comparisons
      + accepted(
        [several] + nulls.map { "{ where: \($0), \(order) }" } + (sections + kept).map { "{ \($0) }" }
          + choices.map { "{ where: [\(number) > 1, \($0)], \(order) }" }
          + paths.flatMap { ["{ order: \($0) descending }", "{ order: [\($0), \(names.fields[0].name)] }"] }
          + (names.fields.map(\.name) + ["$creator"]).map { "{ per: \($0), \(order) }" }
          + paths.map { "{ distinct: \($0), \(order) }" }, names)
  }

  @Test func everyListCompiles() throws {
    let names = Names(length: 1)
    let lists = Self.everyList(names)
    #expect(lists.count > 300, "only \(lists.count) were taken")
    let result = SchemaReader.read(Self.files(names, lists: lists))
    try TypeChecker.check(try #require(result.schema, "\(result.diagnostics.prefix(3))"), "\(lists.count) lists,")
  }
}
