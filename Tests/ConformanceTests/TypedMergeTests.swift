// The law that ties merge and codec together, on generated models: a patch applied to bytes, then decoded, equals the
// same edit applied to the decoded value.
import ModelSupport
import Testing
import TypeMatrix

@Suite struct TypedMergeTests {
  static let models: [any TypedModel.Type] = [
    EverySingle.self, EveryOptional.self, EveryList.self, EverySet.self, InStruct.self, Homeward.self,
  ]
  static let seeds: Range<UInt64> = 0..<200

  @Test(arguments: SeededModels.all.indices) func changesLeadFromOneValueToTheOther(index: Int) throws {
    try Self.checkChanges(SeededModels.all[index])
  }

  @Test(arguments: models.indices) func typedEditsCoverEveryField(index: Int) {
    func check<Value: TypedModel>(_ type: Value.Type) {
      #expect(Value.fixedTags + Value.typedFields.map(\.tag) == Value.fieldTable.fields.map(\.tag))
    }
    check(Self.models[index])
  }

  @Test(arguments: models.indices) func patchedBytesEqualEditedValue(index: Int) throws {
    try Self.checkEdits(Self.models[index])
  }

  private static func checkChanges<Value: SeededModel>(_ type: Value.Type) throws {
    for seed in seeds {
      let old = Value.fixture(seed: seed)
      let new = try Value(id: old.id, blob: Value.fixture(seed: seed + 10_000).encoded())
      #expect(Value.fieldTable.mergeKinds == kinds(of: old), "\(type)")
      let changes = try new.changes(since: old)
      #expect(try old.applying(changes) == new, "\(type), seed \(seed)")
      #expect(try changes.merged(into: old.encoded()) == new.encoded(), "\(type), seed \(seed)")
      #expect(changes.isEmpty == (old == new), "\(type), seed \(seed)")
    }
  }

  /// The merge kinds that a table must have, by the types of the properties. Counters are listed, because a counter is
  /// an `Int64` like others.
  private static func kinds<Value: SeededModel>(of value: Value) -> MergeKinds {
    let counters = ["everySingle.aCounter", "homeward.count", "card.votes", "keyword.static"]
    let sets = Mirror(reflecting: value).children
      .filter { String(describing: Swift.type(of: $0.value)).hasPrefix("SortedSet<") }.compactMap(\.label)
    let fields = Value.fieldTable.fields
    return MergeKinds(
      sets: fields.filter { sets.contains($0.name) }.map(\.tag),
      counters: fields.filter { counters.contains("\(Value.modelName).\($0.name)") }.map(\.tag))
  }

  private static func checkEdits<Value: TypedModel>(_ type: Value.Type) throws {
    let fields = Value.typedFields
    for seed in seeds {
      var generator = FixtureGenerator(seed: seed)
      // A field of a newer schema, which must survive.
      var unknown = RecordWriter()
      unknown.string(100_000, "kept")
      let made = Value.fixture(&generator)
      let old = try Value(id: made.id, blob: made.encoded() + unknown.bytes)
      let new = Value.fixture(&generator)
      let edits = try fields.filter { _ in generator.next() % 4 != 0 }.map { field in
        try field.randomEdit(old, new, &generator)
      }
      var expected = old
      for edit in edits { edit.apply(&expected) }

      let oldBytes = try old.encoded()
      var inOrder = oldBytes
      for edit in edits { inOrder = try edit.parts.patch().merged(into: inOrder) }
      #expect(try Value(id: old.id, blob: inOrder) == expected, "\(type), seed \(seed)")
      var shuffled = oldBytes
      for edit in edits.shuffled(using: &generator) { shuffled = try edit.parts.patch().merged(into: shuffled) }
      #expect(shuffled == inOrder, "\(type), seed \(seed): patches of different fields commute")
      let together = edits.reduce(into: PatchParts()) { $0.append($1.parts) }
      #expect(try together.patch().merged(into: oldBytes) == inOrder, "\(type), seed \(seed): one patch for all")
    }
  }
}
