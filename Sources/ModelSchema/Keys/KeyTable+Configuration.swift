// The keys of `modelgen.yaml`.

extension KeyTable {
  static let configuration = KeyTable([
    SchemaKey(
      "schema", "The name of the schema: Journal gives JournalSchema. It never changes, since stores belong to it.",
      .swiftName, isRequired: true),
    SchemaKey(
      "access",
      "The access level of generated code: public, for a target whose models another uses, or internal (if absent).",
      .words(AccessLevel.allCases.map(\.rawValue))),
    SchemaKey(
      "output", "The output folder, from here; ../Generated if absent. It lies outside of this folder.",
      .expression(#"^(\./+)*\.\.(/|$)"#, examples: [Configuration().output])),
    SchemaKey("fixtures", "true: fixture(seed:) is generated, for tests. false if absent.", .flag),
    SchemaKey("reserved", "Names of models that were removed, and are never used again.", .mapping(.reservedModels)),
    SchemaKey("waivers", "Breaking changes that are wanted.", .list(.mapping(.waiver))),
  ])

  static let reservedModels = KeyTable([SchemaKey("models", "The names.", .list(.name))])

  static let waiver = KeyTable([
    SchemaKey("rule", "The rule of the change.", .words(ChangeRule.byID.keys.sorted()), isRequired: true),
    SchemaKey("at", "What has changed, as in the lock: model photo field 3.", .text, isRequired: true),
    SchemaKey("reason", "Why it is wanted.", .text, isRequired: true),
  ])
}
