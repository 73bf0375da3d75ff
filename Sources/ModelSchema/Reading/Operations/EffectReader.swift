// Reads the effects of an operation and checks that each is allowed.

struct EffectReader: CatalogReader {
  let model: CatalogModel
  let values: ValueReader
  let catalog: Catalog

  /// The reader of each effect, by the effect's key.
  private static let readers: [(key: SchemaKey, read: @Sendable (EffectReader, YAMLPair) -> [Effect])] = [
    (.set, { [.set($0.fields.assigned($1, .set))] }),
    (.clear, { [.clear($0.fields.cleared($1))] }),
    (.insert, { [.insert($0.fields.assigned($1, .insert))] }),
    (.remove, { [.remove($0.fields.assigned($1, .remove))] }),
    (.increment, { [.increment($0.fields.assigned($1, .increment))] }),
    (.raise, { [.set($0.fields.assigned($1, .bound(.raise)))] }),
    (.lower, { [.set($0.fields.assigned($1, .bound(.lower)))] }),
    (.create, { $0.creations.created($1).map { .create(model: $0.model, $0.assignments) } }),
    (.upsert, { $0.creations.upserted($1).map { .upsert(model: $0.model, $0.assignments) } }),
    (.delete, { $0.isDeleted($1) ? [.delete] : [] }),
    (.follow, { $0.members.followed($1) }),
    (.role, { $0.members.given($1) }),
    (.unfollow, { $0.members.unfollowed($1) }),
  ]

  static let effects = readers.map(\.key)
  static let keys = effects.map(\.name)

  func read(_ pair: YAMLPair) -> [Effect] {
    Self.readers.first { $0.key.name == pair.key.text }?.read(self, pair) ?? []
  }

  private var assignments: AssignmentReader { AssignmentReader(values: values, catalog: catalog) }
  private var fields: FieldEffectReader { FieldEffectReader(model: model, assignments: assignments, catalog: catalog) }
  private var creations: CreationReader { CreationReader(model: model, assignments: assignments, catalog: catalog) }
  private var members: MemberEffectReader { MemberEffectReader(model: model, values: values, findings: findings) }

  private func isDeleted(_ pair: YAMLPair) -> Bool {
    guard let flag = kinds.flag(pair.value, "`delete:`") else { return false }
    if !flag { findings.report(.wrongKind, "`delete:` is `true`, or is not there.", at: pair.value.range) }
    if flag, model.isQueueWithIdentity {
      findings.report(
        .effectTarget,
        "A `\(model.name.text)` is a queue with an identity, which never ends: people leave it (`unfollow: $me`) and may "
          + "come again.", at: pair.key.range)
    }
    return flag
  }
}
