// The table of changes. Tests with bytes, ids, stores and operations of generated code confirm what it says.

enum ChangeTable {
  struct Group: Sendable {
    var name: String
    var rules: [ChangeRule]
  }

  static let rules = Dictionary(uniqueKeysWithValues: groups.flatMap(\.rules).map { ($0.id, $0) })

  static let groups: [Group] = [
    Group(
      name: "Schema and models",
      rules: [
        rule(
          .schemaRenamed, .breaking, [.stores, .ids], "The schema has another name.",
          "Give it the old name again: stores, queues and home queues belong to it."),
        rule(.modelAdded, .safe, [], "There is a new model."),
        rule(.modelRenamed, .safe, [.swift, .otherPlatforms], "A model has a new name, and `was:` its first one."),
        rule(
          .modelRemoved, .breaking, [.swift, .otherPlatforms], "A released model is gone.",
          "A rename: write `was: OLD` into the new file. A removal: add the name to `reserved: { models: [OLD] }` in modelgen.yaml."
        ),
        rule(
          .modelRetired, .safe, [.swift, .otherPlatforms],
          "A model was removed and its name reserved: its objects stay where they are, and nothing shows them."),
        rule(
          .modelReturned, .risky, [], "A removed model is back: its old objects show again.",
          "Take another name if it is another thing."),
        rule(
          .queueChanged, .breaking, [.ids], "Objects of a model are born in other queues.",
          "An object never leaves its queue: make a new model, and copy what should move into it."),
        rule(
          .identityChanged, .breaking, [.ids], "Ids of a model are derived from something else.",
          "Keep the identity. A new model with the new identity can take its place; the old one stays as long as apps use it."
        ),
        rule(
          .newestByChanged, .risky, [], "`newestBy:` names another field.",
          "Objects that exist keep their old number until they are changed: a new device loads them in the old order."),
      ]),
    Group(
      name: "Fields of models and structs",
      rules: [
        rule(.fieldAdded, .safe, [], "There is a new field."),
        rule(
          .requiredFieldAdded, .breaking, [.bytes],
          "There is a new required field of a type without a zero, and without a default.",
          "Make it optional (`?`); an enum may have a default instead. Objects that exist have no value for it."),
        rule(.fieldRenamed, .safe, [.swift, .otherPlatforms], "A field has a new name, and `was:` the old one."),
        rule(
          .fieldReplaced, .breaking, [.bytes], "The tag of a released field has another name.",
          "The same field under a new name: write `was: OLD`. Another field: give it the tag FREE, and reserve NUMBER."
        ),
        rule(
          .fieldMoved, .breaking, [.bytes, .stores], "A released field has another tag.",
          "Give the field its old tag again, or the new one a new name."),
        rule(
          .fieldRemoved, .breaking, [.swift, .otherPlatforms], "A released field is gone.",
          "A removal: put its tag under `reserved: { tags: [NUMBER] }`. A rename: keep the tag, and write `was: OLD`."),
        rule(
          .fieldRetired, .safe, [.swift, .otherPlatforms],
          "A field was removed and its tag reserved: its values stay in the bytes. Apps that still know it read new objects without it."
        ),
        rule(
          .requiredFieldRetired, .risky, [.swift, .otherPlatforms],
          "A required field of a type without a zero was removed and its tag reserved.",
          "Apps that still know it show objects that are made from now on with the beginning of 1970, an id of nothing or an unknown case. Deprecate it first, and let `modelgen retire` say when they are gone."
        ),
        rule(
          .fieldReturned, .risky, [.bytes], "A removed field is back: what was written before shows again.",
          "Take a tag that was never used if it is another field."),
        rule(
          .fieldType, .breaking, [.bytes, .stores], "A tag has another type.",
          "Keep the field, with `deprecated: true`, and add the new one with a tag and a name of its own."),
        rule(
          .fieldTypeReplaced, .safe, [.swift, .otherPlatforms],
          "A field has another struct or enum, whose tags or numbers mean the same."),
        rule(
          .fieldOptional, .risky, [.bytes, .swift], "A required field became optional.",
          "Apps that require it read an absent value as the default or zero."),
        rule(
          .fieldRequired, .risky, [.bytes, .swift], "An optional field became required.",
          "Where it is absent, apps now read the default or zero."),
        rule(
          .fieldRequiredWithoutDefault, .breaking, [.bytes, .swift],
          "An optional field of a type without a zero became required, and has no default.",
          "Keep it optional: objects that exist may have no value for it."),
        rule(
          .defaultChanged, .risky, [.bytes], "A default has changed.",
          "Objects without a value read differently in older apps. Objects that were written with a value keep it."),
        rule(
          .fieldConverted, .safe, [], "There is a new field that is read from older ones, and they are written with it."
        ),
        rule(
          .conversionChanged, .breaking, [.bytes],
          "A released field is read from other fields than before, or with a function now, or without.",
          "Keep `from:` as it was. A field that is to be read from older ones gets a tag and a name of its own."),
      ]),
    Group(
      name: "Structs and enums",
      rules: [
        rule(.typeAdded, .safe, [], "There is a new struct or enum."),
        rule(
          .typeRenamed, .safe, [.swift, .otherPlatforms], "A struct or enum has a new name, and `was:` its first one."),
        rule(.typeRemoved, .safe, [.swift, .otherPlatforms], "A struct or enum is gone that no field uses any more."),
        rule(.caseAdded, .safe, [.swift], "There is a new case. Older apps show it as unknown, and keep it."),
        rule(.caseRenamed, .safe, [.swift, .otherPlatforms], "A case has a new name, and `was:` the old one."),
        rule(
          .caseReplaced, .breaking, [.bytes], "The number of a released case has another name.",
          "The same case under a new name: write `was: OLD`. Another case: give it the number FREE, and reserve NUMBER."
        ),
        rule(
          .caseMoved, .breaking, [.bytes], "A released case has another number.",
          "Give it its old number again."),
        rule(
          .caseRemoved, .breaking, [.bytes], "A released case is gone.",
          "A removal: put its number under `reserved: { numbers: [NUMBER] }`. A rename: keep the number, and write `was: OLD`."
        ),
        rule(
          .caseRetired, .risky, [.bytes, .swift, .otherPlatforms],
          "A case was removed and its number reserved: objects that have it show it as unknown.",
          "Keep the case as long as objects have it."),
        rule(
          .caseReturned, .risky, [.bytes], "A removed case is back: objects that have its number show it again.",
          "Take a number that was never used if it is another case."),
      ]),
    Group(
      name: "Operations",
      rules: [
        rule(.operationAdded, .safe, [], "There is a new operation."),
        rule(.operationRenamed, .safe, [.swift], "An operation has a new name, and `was:` its first one."),
        rule(
          .operationRemoved, .risky, [.pendingOperations, .swift], "An operation is gone.",
          "Those that are pending still go out. A failed one can be read by its name only: write `was:` if it was renamed."
        ),
        rule(
          .operationChanged, .risky, [.pendingOperations], "An operation does something else.",
          "Older apps go on doing what they did, and so do operations that are pending. Add another operation if that matters."
        ),
        rule(.parameterAdded, .safe, [.swift], "There is a new parameter at the end, which may be absent."),
        rule(
          .requiredParameterAdded, .risky, [.pendingOperations, .swift], "There is a new required parameter.",
          "Make it optional: a failed operation of an older version has no value for it when it is repeated."),
        rule(.parameterRenamed, .safe, [.swift], "A parameter has a new name at its old position."),
        rule(
          .parameterMoved, .breaking, [.pendingOperations, .swift], "A parameter has another position.",
          "Keep the order and add new ones at the end: a failed operation of an older version would be repeated with its values mixed up."
        ),
        rule(.parameterRemoved, .safe, [.swift], "The last parameters are gone."),
        rule(.parameterWidened, .safe, [.swift], "An integer parameter of 32 bits has 64 bits now."),
        rule(
          .parameterType, .breaking, [.pendingOperations, .swift], "A parameter has another type.",
          "Add a parameter at the end, or another operation: a failed operation of an older version would be repeated with a wrong value."
        ),
      ]),
    Group(
      name: "Access",
      rules: [
        rule(
          .accessNarrowed, .risky, [.access], "Fewer users may do something.",
          "What they did offline is refused when it arrives, and reported to them."),
        rule(
          .accessWidened, .risky, [.access], "More users may do something.",
          "Make sure that this is wanted: it holds for objects that exist too."),
      ]),
    Group(
      name: "Lists and views",
      rules: [
        rule(.listAdded, .safe, [], "There is a new list."),
        rule(.listRemoved, .safe, [.swift], "A list is gone."),
        rule(.listChanged, .safe, [], "A list has other conditions, another order or other sections."),
        rule(.viewAdded, .safe, [], "There is a new view."),
        rule(.viewRemoved, .safe, [.swift], "A view is gone."),
        rule(.viewChanged, .safe, [.swift], "A view has other fields."),
      ]),
  ]

  private static func rule(
    _ id: ChangeRule.ID, _ severity: ChangeSeverity, _ breaks: [Breakage], _ change: String, _ remedy: String = ""
  ) -> ChangeRule {
    ChangeRule(id: id.rawValue, severity: severity, breaks: breaks, change: change, remedy: remedy)
  }
}
