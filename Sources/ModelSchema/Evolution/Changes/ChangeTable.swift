// The table of changes. Tests with bytes, ids, stores and operations of generated code confirm what it says.

// MARK: - Schema and models

extension ChangeRule {
  static let schemaRenamed = ChangeRule(
    "schema-renamed", .breaking, [.stores, .ids], "The schema has another name.",
    "Give it the old name again: stores, queues and home queues belong to it.")
  static let modelAdded = ChangeRule("model-added", .safe, [], "There is a new model.")
  static let modelRenamed = ChangeRule(
    "model-renamed", .safe, [.swift, .otherPlatforms], "A model has a new name, and `was:` its first one.")
  static let modelRemoved = ChangeRule(
    "model-removed", .breaking, [.swift, .otherPlatforms], "A released model is gone.",
    "A rename: write `was: OLD` into the new file. A removal: add the name to `reserved: { models: [OLD] }` in modelgen.yaml."
  )
  static let modelRetired = ChangeRule(
    "model-retired", .safe, [.swift, .otherPlatforms],
    "A model was removed and its name reserved: its objects stay where they are, and nothing shows them.")
  static let modelReturned = ChangeRule(
    "model-returned", .risky, [], "A removed model is back: its old objects show again.",
    "Take another name if it is another thing.")
  static let queueChanged = ChangeRule(
    "queue-changed", .breaking, [.ids], "Objects of a model are born in other queues.",
    "An object never leaves its queue: make a new model, and copy what should move into it.")
  static let ephemeralChanged = ChangeRule(
    "ephemeral-changed", .breaking, [.swift, .otherPlatforms],
    "A stored model became ephemeral, or an ephemeral one stored.",
    "Make a new model. Older apps go on doing with this one what they did, and neither sees the values of the other.")
  static let identityChanged = ChangeRule(
    "identity-changed", .breaking, [.ids], "Ids of a model are derived from something else.",
    "Keep the identity. A new model with the new identity can take its place; the old one stays as long as apps use it."
  )
  static let newestByChanged = ChangeRule(
    "newest-by-changed", .risky, [], "`newestBy:` names another field.",
    "Objects that exist keep their old number until they are changed: a new device loads them in the old order.")
}

// MARK: - Fields of models and structs

extension ChangeRule {
  static let fieldAdded = ChangeRule("field-added", .safe, [], "There is a new field.")
  static let requiredFieldAdded = ChangeRule(
    "required-field-added", .breaking, [.bytes],
    "There is a new required field of a type without a zero, and without a default.",
    "Make it optional (`?`); an enum may have a default instead. Objects that exist have no value for it.")
  static let fieldRenamed = ChangeRule(
    "field-renamed", .safe, [.swift, .otherPlatforms], "A field has a new name, and `was:` the old one.")
  static let fieldReplaced = ChangeRule(
    "field-replaced", .breaking, [.bytes], "The tag of a released field has another name.",
    "The same field under a new name: write `was: OLD`. Another field: give it the tag FREE, and reserve NUMBER.")
  static let fieldMoved = ChangeRule(
    "field-moved", .breaking, [.bytes, .stores], "A released field has another tag.",
    "Give the field its old tag again, or the new one a new name.")
  static let fieldRemoved = ChangeRule(
    "field-removed", .breaking, [.swift, .otherPlatforms], "A released field is gone.",
    "A removal: put its tag under `reserved: { tags: [NUMBER] }`. A rename: keep the tag, and write `was: OLD`.")
  static let fieldRetired = ChangeRule(
    "field-retired", .safe, [.swift, .otherPlatforms],
    "A field was removed and its tag reserved: its values stay in the bytes. Apps that still know it read new objects without it."
  )
  static let requiredFieldRetired = ChangeRule(
    "required-field-retired", .risky, [.swift, .otherPlatforms],
    "A required field of a type without a zero was removed and its tag reserved.",
    "Apps that still know it show objects that are made from now on with the beginning of 1970, an id of nothing or an unknown case. Deprecate it first, and let `modelgen retire` say when they are gone."
  )
  static let fieldReturned = ChangeRule(
    "field-returned", .risky, [.bytes], "A removed field is back: what was written before shows again.",
    "Take a tag that was never used if it is another field.")
  static let fieldType = ChangeRule(
    "field-type", .breaking, [.bytes, .stores], "A tag has another type.",
    "Keep the field, with `deprecated: true`, and add the new one with a tag and a name of its own.")
  static let fieldTypeReplaced = ChangeRule(
    "field-type-replaced", .safe, [.swift, .otherPlatforms],
    "A field has another struct or enum, whose tags or numbers mean the same.")
  static let fieldOptional = ChangeRule(
    "field-optional", .risky, [.bytes, .swift], "A required field became optional.",
    "Apps that require it read an absent value as the default or zero.")
  static let fieldRequired = ChangeRule(
    "field-required", .risky, [.bytes, .swift], "An optional field became required.",
    "Where it is absent, apps now read the default or zero.")
  static let fieldRequiredWithoutDefault = ChangeRule(
    "field-required-without-default", .breaking, [.bytes, .swift],
    "An optional field of a type without a zero became required, and has no default.",
    "Keep it optional: objects that exist may have no value for it.")
  static let defaultChanged = ChangeRule(
    "default-changed", .risky, [.bytes], "A default has changed.",
    "Objects without a value read differently in older apps. Objects that were written with a value keep it.")
  static let fieldConverted = ChangeRule(
    "field-converted", .safe, [], "There is a new field that is read from older ones, and they are written with it.")
  static let conversionChanged = ChangeRule(
    "conversion-changed", .breaking, [.bytes],
    "A released field is read from other fields than before, or with a function now, or without.",
    "Keep `from:` as it was. A field that is to be read from older ones gets a tag and a name of its own.")
}

// MARK: - Structs and enums

extension ChangeRule {
  static let typeAdded = ChangeRule("type-added", .safe, [], "There is a new struct or enum.")
  static let typeRenamed = ChangeRule(
    "type-renamed", .safe, [.swift, .otherPlatforms], "A struct or enum has a new name, and `was:` its first one.")
  static let typeRemoved = ChangeRule(
    "type-removed", .safe, [.swift, .otherPlatforms], "A struct or enum is gone that no field uses any more.")
  static let caseAdded = ChangeRule(
    "case-added", .safe, [.swift], "There is a new case. Older apps show it as unknown, and keep it.")
  static let caseRenamed = ChangeRule(
    "case-renamed", .safe, [.swift, .otherPlatforms], "A case has a new name, and `was:` the old one.")
  static let caseReplaced = ChangeRule(
    "case-replaced", .breaking, [.bytes], "The number of a released case has another name.",
    "The same case under a new name: write `was: OLD`. Another case: give it the number FREE, and reserve NUMBER.")
  static let caseMoved = ChangeRule(
    "case-moved", .breaking, [.bytes], "A released case has another number.",
    "Give it its old number again.")
  static let caseRemoved = ChangeRule(
    "case-removed", .breaking, [.bytes], "A released case is gone.",
    "A removal: put its number under `reserved: { numbers: [NUMBER] }`. A rename: keep the number, and write `was: OLD`."
  )
  static let caseRetired = ChangeRule(
    "case-retired", .risky, [.bytes, .swift, .otherPlatforms],
    "A case was removed and its number reserved: objects that have it show it as unknown.",
    "Keep the case as long as objects have it.")
  static let caseReturned = ChangeRule(
    "case-returned", .risky, [.bytes], "A removed case is back: objects that have its number show it again.",
    "Take a number that was never used if it is another case.")
}

// MARK: - Operations

extension ChangeRule {
  static let operationAdded = ChangeRule("operation-added", .safe, [], "There is a new operation.")
  static let operationRenamed = ChangeRule(
    "operation-renamed", .safe, [.swift], "An operation has a new name, and `was:` its first one.")
  static let operationRemoved = ChangeRule(
    "operation-removed", .risky, [.pendingOperations, .swift], "An operation is gone.",
    "Those that are pending still go out. A failed one can be read by its name only: write `was:` if it was renamed.")
  static let operationChanged = ChangeRule(
    "operation-changed", .risky, [.pendingOperations], "An operation does something else.",
    "Older apps go on doing what they did, and so do operations that are pending. Add another operation if that matters."
  )
  static let parameterAdded = ChangeRule(
    "parameter-added", .safe, [.swift], "There is a new parameter at the end, which may be absent.")
  static let requiredParameterAdded = ChangeRule(
    "required-parameter-added", .risky, [.pendingOperations, .swift], "There is a new required parameter.",
    "Make it optional: a failed operation of an older version has no value for it when it is repeated.")
  static let parameterRenamed = ChangeRule(
    "parameter-renamed", .safe, [.swift], "A parameter has a new name at its old position.")
  static let parameterMoved = ChangeRule(
    "parameter-moved", .breaking, [.pendingOperations, .swift], "A parameter has another position.",
    "Keep the order and add new ones at the end: a failed operation of an older version would be repeated with its values mixed up."
  )
  static let parameterRemoved = ChangeRule("parameter-removed", .safe, [.swift], "The last parameters are gone.")
  static let parameterWidened = ChangeRule(
    "parameter-widened", .safe, [.swift], "An integer parameter of 32 bits has 64 bits now.")
  static let parameterType = ChangeRule(
    "parameter-type", .breaking, [.pendingOperations, .swift], "A parameter has another type.",
    "Add a parameter at the end, or another operation: a failed operation of an older version would be repeated with a wrong value."
  )
}

// MARK: - Access

extension ChangeRule {
  static let accessNarrowed = ChangeRule(
    "access-narrowed", .risky, [.access], "Fewer users may do something.",
    "What they did offline is refused when it arrives, and reported to them.")
  static let accessWidened = ChangeRule(
    "access-widened", .risky, [.access], "More users may do something.",
    "Make sure that this is wanted: it holds for objects that exist too.")
}

// MARK: - Lists and views

extension ChangeRule {
  static let listAdded = ChangeRule("list-added", .safe, [], "There is a new list.")
  static let listRemoved = ChangeRule("list-removed", .safe, [.swift], "A list is gone.")
  static let listChanged = ChangeRule(
    "list-changed", .safe, [], "A list has other conditions, another order or other sections.")
  static let viewAdded = ChangeRule("view-added", .safe, [], "There is a new view.")
  static let viewRemoved = ChangeRule("view-removed", .safe, [.swift], "A view is gone.")
  static let viewChanged = ChangeRule("view-changed", .safe, [.swift], "A view has other fields.")
}
