// Compares lists with a sort of all objects after each change. Every pair of a condition, an order, a section, a type
// of field and a source of a change must occur.

import Foundation
import ModelSupport
import Testing
import TypeMatrix

@Suite struct ListPairTests {
  @Test func listsMatchSortForEveryPairOfTraits() throws {
    let lines = try Self.lines(of: "ranked")
    #expect(try lines == Self.lines(of: "rankedHere"))
    let lists = lines.compactMap { PairList($0) }
    #expect(lists.count == lines.count && lists.count > 40)
    var table = PairTable(lists)
    for seed in UInt64(1)...3 {
      let world = try PairWorld(seed: seed)
      var (before, beforeHere) = (world.lists.map { $0.sections() }, world.listsHere.map { $0.sections() })
      for step in 0..<120 {
        let source = try world.change()
        // After some changes nothing is compared before the next one.
        if step % 5 == 4 { continue }
        try Self.check(world.lists, lists, world, Ranked.self, source, &before, &table, "seed \(seed), step \(step)")
        try Self.check(
          world.listsHere, lists, world, RankedHere.self, source, &beforeHere, &table, "seed \(seed), step \(step)")
      }
    }
    print(table)
    #expect(table.missing == [])
  }

  private static func check<Object: PairFields>(
    _ open: [OpenPairList], _ lists: [PairList], _ world: PairWorld, _: Object.Type, _ source: PairSource?,
    _ before: inout [[[UUIDValue]]], _ table: inout PairTable, _ where: String
  ) throws {
    // The second look lets lists read all again where much has changed that they ask about.
    for _ in 0..<2 {
      for list in open { _ = list.sections() }
      world.run()
    }
    var objects = try world.store.objects(Object.self).map { object in
      PairObject(object, try #require(try world.store.systemFields(of: object.id)))
    }
    for index in objects.indices { objects[index].showKin(objects) }
    let moment = world.moment
    for (number, list) in open.enumerated() {
      let found = list.sections()
      try #require(list.isComplete())
      let expected = lists[number].expected(objects, at: moment)
      try #require(found == expected, "\(`where`), \(source.map { "\($0)" } ?? "nothing"), \(list.name)")
      if let source, found != before[number] { table.count(lists[number], source) }
      before[number] = found
    }
  }

  private static func lines(of model: String) throws -> [Substring] {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let file = tests.appendingPathComponent("TypeMatrix/Schemas/\(model).yaml")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("  list") }
  }
}

/// How often lists have changed, for each pair of their traits. The source of the change is one of the traits.
private struct PairTable: CustomStringConvertible {
  private typealias Pair = [String]
  private var counts: [Pair: Int] = [:]
  private var rows: [(kind: String, names: [String])]

  init(_ lists: [PairList]) {
    func all(_ kind: String) -> [String] { Array(Set(lists.flatMap { Self.traits(of: $0)[kind] ?? [] })).sorted() }
    rows = ["condition", "order", "section", "type"].map { ($0, all($0)) }
    rows.append(("source", PairSource.allCases.map(\.rawValue)))
  }

  private static func traits(of list: PairList) -> [String: Set<String>] {
    let conditions = list.terms.joined()
    let order: String =
      switch list.order.map(\.isDescending) {
      case [false]: "ascending"
      case [true]: "descending"
      case [true, false], [false, true]: "mixed"
      default: "two"
      }
    return [
      "condition": conditions.isEmpty ? ["none"] : Set(conditions.map(\.kind)),
      "order": [order], "section": [String(list.section.prefix { $0 != "(" })],
      "type": Set(conditions.map(\.field) + list.order.map(\.field)),
    ]
  }

  mutating func count(_ list: PairList, _ source: PairSource) {
    var traits = Self.traits(of: list)
    traits["source"] = [source.rawValue]
    for (first, second) in Self.kinds(rows.map(\.kind)) {
      for one in traits[first] ?? [] { for other in traits[second] ?? [] { counts[[one, other], default: 0] += 1 } }
    }
  }

  private static func kinds(_ names: [String]) -> [(String, String)] {
    names.indices.flatMap { first in names[(first + 1)...].map { (names[first], $0) } }
  }

  /// These pairs cannot occur, because a list divided by gaps has one order.
  private static let impossible: Set<Pair> = [["two", "gap"], ["mixed", "gap"]]

  var missing: [[String]] {
    var missing: [Pair] = []
    for (first, row) in rows.enumerated() {
      for other in rows[(first + 1)...] {
        for one in row.names {
          missing += other.names.map { [one, $0] }.filter { counts[$0] == nil && !Self.impossible.contains($0) }
        }
      }
    }
    return missing
  }

  var description: String {
    var lines: [String] = []
    for (first, row) in rows.enumerated() {
      for other in rows[(first + 1)...] {
        lines.append("\(row.kind) × \(other.kind), changes of lists:")
        for one in row.names {
          let cells = other.names.map { "\($0) \(counts[[one, $0]].map(String.init) ?? "–")" }
          lines.append("  \(one): " + cells.joined(separator: ", "))
        }
      }
    }
    return lines.joined(separator: "\n")
  }
}
