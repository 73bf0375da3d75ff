// Every field of a view that the reader accepts becomes Swift that compiles, however long its names are, and so does every
// list that reads one.
import Foundation
import ModelEmitters
import ModelSchema
import TestSupport
import Testing

@Suite struct ViewSoundnessTests {
  private static let types = [
    "bool", "int32", "float", "string", "data", "uuid", "timestamp", "file", "ref(user)", "ref(item)", "place", "mood",
  ]

  /// Makes names, which are filled up to `length` characters.
  private struct Names {
    var length: Int

    func callAsFunction(_ first: String) -> String {
      first + String(repeating: "a", count: max(0, length - first.utf8.count))
    }

    var fields: [(name: String, type: String)] {
      types.enumerated().flatMap { index, type in
        [
          (self("single\(index)"), type), (self("optional\(index)"), type + "?"),
          (self("list\(index)"), "list(\(type))"),
        ]
      } + [(self("counter"), "counter"), (self("gone"), "string")]
    }

    /// Paths of up to three steps, through references, structs and files.
    var paths: [String] {
      let own = fields.map(\.name)
      let inside = fields.flatMap { field -> [String] in
        switch field.type.prefix(4) {
        case "file": ["\(field.name).hash", "\(field.name).size"]
        case "plac": [self("town"), self("tags"), "\(self("inner")).\(self("at"))"].map { "\(field.name).\($0)" }
        default: []
        }
      }
      let through = fields.filter { $0.type.hasPrefix("ref(item") }.flatMap { field in
        (own + inside + ["$creator", "$updated"]).map { "\(field.name).\($0)" }
      }
      return ["$creator", "$created", "$updated"] + own + inside + through
    }

    /// Questions about the photos on an item.
    private var questions: [String] {
      let list = "\(self("photo")).\(self("on"))"
      let fields = ["taken", "width", "mood", "text", "item", "place"].map { self($0) } + ["$creator", "$created"]
      let bounds = paths + ["\(self("seat"))($me).\(self("seen"))"]
      let newest = "newest(\(self("photo")).\(self("byTime")))"
      return ["count(\(list))", newest, "\(newest).$created"]
        + paths.prefix(40).map { "\(newest).\(self("item")).\($0)" }
        + fields.flatMap { field in
          ["counts(\(list) by \(field))", "sum(\(list) \(field))", "\(newest).\(field)"]
            + bounds.map { "count(\(list) where \(field) >= \($0))" }
        }
    }

    /// Every view field, whether the reader accepts it or not.
    var sources: [String] {
      let keys = paths.prefix(60) + ["$me"]
      let models = ["seat", "photo", "draft"].map { self($0) }
      return paths + paths.map { "count(\($0))" } + questions
        + models.flatMap { model in keys.map { "\(model)(\($0)).\(self("text"))" } }
    }
  }

  private static func files(_ names: Names, _ sources: [String], lists: [String] = []) -> [SourceFile] {
    let fields = names.fields.enumerated().map { index, field in
      let deprecated = field.name == names("gone") ? ", deprecated: true" : ""
      return "  \(field.name): { type: \(field.type), tag: \(index + 2)\(deprecated) }"
    }
    let place = "\(names("town")): string = 1, \(names("inner")): inner = 2, \(names("tags")): list(string) = 3"
    let views = sources.enumerated().map { "    \(names("field\($0)")): \($1)" }
    let listed = lists.enumerated().map { "  \(names("list\($0)")): { \($1) }" }
    let item = """
      model: item
      queue: board
      fields:
        board: { type: ref(board), tag: 1 }
      \(fields.joined(separator: "\n"))
      structs:
        place: { fields: { \(place) } }
        inner: { fields: { \(names("at")): timestamp? = 1 } }
      enums: { mood: { cases: { happy: 1, sad: 2 } } }
      views:
        \(names("row")):
      \(views.joined(separator: "\n"))
      \(listed.isEmpty ? "" : "lists:")
      \(listed.joined(separator: "\n"))
      """
    func other(_ name: String, _ key: String, _ type: String, _ rest: String = "") -> (String, String) {
      let fields =
        "board: ref(board) = 1, \(key): \(type) = 2, \(names("text")): string = 3, \(names("item")): ref(item) = 4, "
        + "\(names("taken")): timestamp? = 5, \(names("width")): int32 = 6, \(names("mood")): \(names("mood"))? = 7, "
        + "\(names("place")): data? = 8, \(names("seen")): timestamp = 9"
      let identity = key + (type == "file" ? ".hash" : "")
      let text =
        "model: \(names(name))\nqueue: board\nidentity: [\(identity)]\nfields: { \(fields) }\n"
        + "enums: { \(names("mood")): { cases: { calm: 1 } } }\n\(rest)"
      return (names(name), text)
    }
    let files = [
      ("modelgen", "schema: Views\n"), ("board", "model: board\nqueue: self\nfields: { title: string = 1 }\n"),
      ("item", item), other("seat", "user", "ref(user)"), other("draft", "bytes", "data"),
      other(
        "photo", names("file"), "file",
        "lists: { \(names("on")): { per: \(names("item")), order: \(names("text")) }, "
          + "\(names("byTime")): { per: \(names("item")), order: \(names("taken")) descending } }\n"),
    ]
    return files.map { SourceFile(path: $0 + ".yaml", bytes: Array($1.utf8)) }
  }

  private static func schema(length: Int) throws -> (schema: Schema, count: Int) {
    let names = Names(length: length)
    let taken = names.sources.filter { SchemaReader.read(files(names, [$0])).schema != nil }
    let result = SchemaReader.read(files(names, taken))
    return (try #require(result.schema, "\(result.diagnostics.prefix(3))"), taken.count)
  }

  /// Every list that the reader accepts by a field of a view.
  private static func lists(_ names: Names, by field: String, showing source: String) -> [String] {
    let orders = ["", " descending"].map { "order: [\(field)\($0), $created]" } + ["order: \(field)"]
    let conditions =
      ["is null", "is not null"]
      + ["true", "7", "1.5", "happy", "calm", "some text", "$me", "$now"].flatMap { operand in
        ["==", ">=", "contains"].map { "\($0) \(operand)" }
      }
    let sections = ["day", "value", "initial"].map { "section: \($0)(\(field)), order: \(field) descending" }
    let bodies =
      orders + sections + conditions.map { "where: \(field) \($0)" } + ["distinct: \(field)"]
      + ["where: { any: [\(field) is not null, \(field) <= 7, \(field) <= $now] }"]
    return bodies.filter { body in
      let body = body.replacing(field, with: "\(names("row")).\(names("field0"))")
      return SchemaReader.read(files(names, [source], lists: [body])).schema != nil
    }
  }

  @Test(arguments: [1, 60]) func everyListByFieldOfViewCompiles(length: Int) throws {
    let names = Names(length: length)
    let taken = names.sources.filter { SchemaReader.read(Self.files(names, [$0])).schema != nil }
    let sources = stride(from: 0, to: taken.count, by: max(1, taken.count / 100)).map { taken[$0] }
    let lists = sources.enumerated().flatMap { index, source in
      Self.lists(names, by: "\(names("row")).\(names("field\(index)"))", showing: source)
    }
    #expect(lists.count > 300, "only \(lists.count) were taken")
    let result = SchemaReader.read(Self.files(names, sources, lists: lists))
    try TypeChecker.check(
      try #require(result.schema, "\(result.diagnostics.prefix(3))"), "\(lists.count) lists by fields of views,")
  }

  @Test(arguments: [1, 60]) func everyFieldOfViewCompiles(length: Int) throws {
    let (schema, count) = try Self.schema(length: length)
    #expect(count > 150, "only \(count) were taken")
    try TypeChecker.check(schema, "\(count) fields of views,")
  }
}
