// Patches that are built call by call: the bytes of patches from parts, and the effect of the difference they make.

import TestSupport
import Testing
import WireFormat

@Suite struct PatchBuilders {
  @Test func everyKindOfEditBecomesPartOfPatch() throws {
    var edit = PatchBuilder()
    edit.set(1, "x")
    edit.set(2, Int32(-1))
    edit.set(3, counter: 5)
    edit.set(4, [UInt32(1), 300])
    edit.clear(5)
    edit.insert(6, "b")
    edit.insert(6, "a")
    edit.remove(6, "c")
    edit.increment(7, by: -2)
    edit.increment(7, by: 5)
    let number: [UInt8] = [0x10] + plainVarint(UInt64.max)
    let expected = try Patch(
      set: [0x0A, 1, 0x78] + number + [0x18, 10, 0x22, 3, 1, 0xAC, 2], clear: [5],
      insert: [0x32, 1, 0x61, 0x32, 1, 0x62], remove: [0x32, 1, 0x63], increment: [0x38, 6])
    #expect(try edit.patch() == expected)
  }

  @Test func orderOfEditsDoesNotChangePatch() throws {
    var numbers = SeededRandom(seed: 20_261_121)
    let edits: [(inout PatchBuilder) -> Void] = [
      { $0.set(1, true) }, { $0.set(300, "long ago") }, { $0.clear(2) }, { $0.clear(16) }, { $0.insert(3, "bb") },
      { $0.insert(3, "c") }, { $0.insert(3, "a") }, { $0.remove(3, "d") }, { $0.remove(4, UInt64.max) },
      { $0.increment(5, by: 1) }, { $0.increment(17, by: .min) },
    ]
    func patch(_ edits: [(inout PatchBuilder) -> Void]) throws -> Patch {
      var builder = PatchBuilder()
      for edit in edits { edit(&builder) }
      return try builder.patch()
    }
    let expected = try patch(edits)
    for _ in 0..<200 { #expect(try patch(edits.shuffled(using: &numbers)) == expected) }
  }

  /// An empty value has no records, so setting it clears the field.
  @Test func settingEmptyValueClearsField() throws {
    var edit = PatchBuilder()
    edit.set(1, String?.none)
    edit.set(2, [String]())
    edit.set(3, SortedSet<String>())
    edit.set(4, ObjectID<Self>.zero)
    #expect(try edit.patch() == Patch(clear: [1, 2, 3, 4]))
    edit.set(2, ["a"])
    edit.set(1, String?.some(""))
    #expect(try edit.patch() == Patch(set: [0x0A, 0, 0x12, 1, 0x61], clear: [3, 4]))
    edit.clear(1)
    #expect(try edit.patch() == Patch(set: [0x12, 1, 0x61], clear: [1, 3, 4]))
  }

  @Test func lastInsertOrRemoveOfElementCounts() throws {
    var edit = PatchBuilder()
    edit.insert(1, "a")
    edit.remove(1, "a")
    edit.insert(1, "b")
    edit.insert(1, "b")
    #expect(try edit.patch() == Patch(insert: [0x0A, 1, 0x62], remove: [0x0A, 1, 0x61]))
    edit.insert(1, "a")
    #expect(try edit.patch() == Patch(insert: [0x0A, 1, 0x61, 0x0A, 1, 0x62]))
  }

  @Test func incrementsWrapOnOverflow() throws {
    var edit = PatchBuilder()
    edit.increment(1, by: .max)
    edit.increment(1, by: 1)
    var other = PatchBuilder()
    other.increment(1, by: .min)
    #expect(try edit.patch() == other.patch())
  }

  private static let edits: [(name: String, edit: @Sendable (inout PatchBuilder) -> Void)] = [
    ("set", { $0.set(1, "a") }), ("clear", { $0.clear(1) }), ("insert", { $0.insert(1, "a") }),
    ("remove", { $0.remove(1, "b") }), ("increment", { $0.increment(1, by: 1) }),
  ]

  /// Tries all pairs of edits of one field. Only set with clear, and insert with remove, may stand together.
  @Test(arguments: edits.indices, edits.indices) func refusesContradictingEditsOfOneField(first: Int, second: Int) {
    var edit = PatchBuilder()
    Self.edits[first].edit(&edit)
    Self.edits[second].edit(&edit)
    let names = Set([Self.edits[first].name, Self.edits[second].name])
    let isOneWay = names.count == 1 || names == ["set", "clear"] || names == ["insert", "remove"]
    #expect(code { try edit.patch() } == (isOneWay ? nil : .invalidPatch), "\(names)")
  }

  @Test func fillIsAppliedBeforeOtherParts() throws {
    var edit = PatchBuilder()
    edit.set(1, "new")
    let patch = try edit.patch(filling: [0x0A, 1, 0x61, 0x10, 1])
    #expect(try patch.merged(into: []) == [0x0A, 3] + Array("new".utf8) + [0x10, 1])
    #expect(try patch.merged(into: [0x10, 2]) == [0x0A, 3] + Array("new".utf8) + [0x10, 2])
    #expect(code { try PatchBuilder().patch(filling: [0x10, 2, 0x0A, 0]) } == .invalidPatch, "not in order")
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func differenceHasSameEffectAsEdit(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    let kinds = MergeKinds(sets: [3], counters: [4])
    for _ in 0..<100 {
      var old = PatchBuilder()
      old.set(1, "old")
      old.set(2, Int64(7))
      old.set(3, SortedSet((0..<8).filter { _ in numbers.below(2) == 0 }.map { "e\($0)" }))
      old.increment(4, by: Int64(numbers.below(9)) + 1)
      let content = try old.patch().merged(into: [])
      var edit = PatchBuilder()
      if numbers.below(2) == 0 { edit.set(1, "new") }
      if numbers.below(2) == 0 { edit.clear(2) }
      for element in 0..<8 where numbers.below(2) == 0 {
        if numbers.below(2) == 0 { edit.insert(3, "e\(element)") } else { edit.remove(3, "e\(element)") }
      }
      if numbers.below(2) == 0 { edit.increment(4, by: Int64(numbers.below(9)) + 1) }
      let changed = try edit.patch().merged(into: content)
      let difference = try Patch.difference(from: content, to: changed, kinds: kinds)
      #expect(try difference.merged(into: content) == changed, "seed \(seed)")
      // An edit may insert what is there, or remove what is absent. The difference does not name that.
      #expect(Set(difference.tags).isSubset(of: try edit.patch().tags), "seed \(seed)")
    }
  }
}
