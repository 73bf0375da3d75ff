// The rules for schemas as data. Messages are made where a rule is checked, because they name what is in the schema.

/// A row of the rule table.
public struct Rule: Hashable, Sendable {
  /// What users see. A rule's fixture folder is named after it.
  public var id: String
  public var severity: Diagnostic.Severity
  /// A sentence that is true of a schema that keeps the rule.
  public var purpose: String

  private init(_ id: String, _ purpose: String, _ severity: Diagnostic.Severity = .error) {
    (self.id, self.purpose, self.severity) = (id, purpose, severity)
  }

  /// Every rule, in the order of the documentation.
  public static let all: [Rule] = [
    fileTooLarge, notUTF8, controlCharacter, emptyFile, tab, yamlSyntax, commaInBraces, severalDocuments,
    yamlDirective, yamlAnchor, yamlAlias, yamlMergeKey, yamlTag, duplicateKey, tooDeep, tooManyNodes, scalarTooLong,
    unknownKey, missingKey, wrongKind, quotedExpression, missingConfig, configValue, notYetSupported,
    invalidName, invalidSwiftName, fileName, modelName, duplicateName, duplicateSwiftName, reservedName, nameReused,
    nameAmbiguous, wasUnchanged, wasTaken,
    fieldSyntax, unknownType, unknownModel, nestedCollection, optionalCollection, setElement, counterPosition,
    tagRange, duplicateTag, tagReused, reservedSyntax, defaultType, defaultRange, conversionSource, conversionType,
    conversionRights, emptyDeclaration, structRecursion, enumNumber, duplicateEnumNumber,
    queuePlacement, identityField, identityOrder, newestByField, ephemeralModel,
    valueSyntax, unknownParameter, unknownField, valueType, effectTarget, fixedField, missingField, upsertIdentity,
    lookupIdentity, requirementType, emptyOperation, operationCrossesQueue, unusedParameter,
    accessDevice, accessRoot, accessField, accessCreator, accessHolder, accessMembers, unknownRole,
    openUser, accessDefault,
    conditionSyntax, conditionType, sectionSyntax, sectionField, sectionOrder, keepEmpty, listLimit, orderField,
    distinctField, viewPath,
    lockDamaged, lockConflict, lockNewer, unusedWaiver,
  ]
}

// MARK: - File

extension Rule {
  static let fileTooLarge = Rule("file-too-large", "A file has at most 1 MiB.")
  static let notUTF8 = Rule("not-utf8", "A file is UTF-8.")
  static let controlCharacter = Rule(
    "control-character", "A file has no control characters except tab and line ends, and no U+2028 or U+2029.")
  static let emptyFile = Rule("empty-file", "A file is not empty.")
  static let tab = Rule("tab", "Lines are indented with spaces.")
  static let yamlSyntax = Rule("yaml-syntax", "A file is YAML.")
  static let commaInBraces = Rule(
    "comma-in-braces", "YAML splits braces at commas: no expression has one, and a text with one is quoted.")
  static let severalDocuments = Rule("several-documents", "A file is one YAML document.")
  static let yamlDirective = Rule("yaml-directive", "No `%` directives.")
  static let yamlAnchor = Rule("yaml-anchor", "No anchors.")
  static let yamlAlias = Rule("yaml-alias", "No aliases.")
  static let yamlMergeKey = Rule("yaml-merge-key", "No merge keys.")
  static let yamlTag = Rule("yaml-tag", "No YAML tags.")
  static let duplicateKey = Rule("duplicate-key", "A key is in a mapping only once.")
  static let tooDeep = Rule("too-deep", "At most 32 levels of nesting.")
  static let tooManyNodes = Rule("too-many-nodes", "At most 50,000 values in a file.")
  static let scalarTooLong = Rule("scalar-too-long", "A single text has at most 16 KiB.")
}

// MARK: - Keys

extension Rule {
  static let unknownKey = Rule("unknown-key", "Only keys of the schema language.")
  static let missingKey = Rule("missing-key", "Required keys are present.")
  static let wrongKind = Rule(
    "wrong-kind", "A key has the kind of value that it needs: a single value, a list or a mapping.")
  static let quotedExpression = Rule(
    "quoted-expression", "A type, tag, path, condition or other expression is written without quotes.")
  static let missingConfig = Rule("missing-config", "A folder has a `modelgen.yaml`.")
  static let configValue = Rule("config-value", "The values of `modelgen.yaml` are ones that modelgen knows.")
  static let notYetSupported = Rule(
    "not-yet-supported", "Maps and unions are part of the language, but not of this version.")
}

// MARK: - Names

extension Rule {
  static let invalidName = Rule("invalid-name", "A name matches `[a-z][A-Za-z0-9]*` and has at most 64 characters.")
  static let invalidSwiftName = Rule(
    "invalid-swift-name", "A Swift type name matches `[A-Z][A-Za-z0-9]*` and has at most 64 characters.")
  static let fileName = Rule("file-name", "A schema file is named `NAME.yaml`.")
  static let modelName = Rule("model-name", "A model has the name of its file.")
  static let duplicateName = Rule("duplicate-name", "Names are unique, ignoring case.")
  static let duplicateSwiftName = Rule(
    "duplicate-swift-name", "Swift type names are unique, and a nested type hides no model.")
  static let reservedName = Rule("reserved-name", "A name is not reserved by Swift or by generated code.")
  static let nameReused = Rule("name-reused", "A name under `reserved:` is never used again.")
  static let nameAmbiguous = Rule(
    "name-ambiguous", "A Swift type name is not a type of Swift, Foundation, SwiftUI, Testing or the runtime.", .warning
  )
  static let wasUnchanged = Rule("was-unchanged", "`was:` differs from the present name.")
  static let wasTaken = Rule("was-taken", "No other declaration has, or had, the name in `was:`.")
}

// MARK: - Fields and types

extension Rule {
  static let fieldSyntax = Rule("field-syntax", "A field is `TYPE = TAG`.")
  static let unknownType = Rule("unknown-type", "A type is a built-in one, or a struct or enum that is visible here.")
  static let unknownModel = Rule("unknown-model", "`ref(M)` names a model, or `user`.")
  static let nestedCollection = Rule("nested-collection", "A list or set does not contain lists or sets.")
  static let optionalCollection = Rule("optional-collection", "Lists, sets and counters are never optional.")
  static let setElement = Rule("set-element", "A set holds integers, strings, data, uuids, timestamps, refs or enums.")
  static let counterPosition = Rule("counter-position", "A counter is a required field of a model.")
  static let tagRange = Rule("tag-range", "A tag is 1 … 536,870,911, except 19,000 … 19,999.")
  static let duplicateTag = Rule("duplicate-tag", "A tag stands for one field.")
  static let tagReused = Rule("tag-reused", "A tag under `reserved:` is never used again.")
  static let reservedSyntax = Rule("reserved-syntax", "`reserved:` lists names, numbers, and ranges like `20 to 29`.")
  static let defaultType = Rule("default-type", "A default fits the type of its field.")
  static let defaultRange = Rule("default-range", "A default is within the bounds of its type.")
  static let conversionSource = Rule(
    "conversion-source", "`from:` names deprecated fields beside it, each for one conversion.")
  static let conversionType = Rule(
    "conversion-type", "Without `via:`, values of the older type turn into those of the new one by themselves.")
  static let conversionRights = Rule(
    "conversion-rights", "A field and those that it is read from have the same rights in `access:`.")
  static let emptyDeclaration = Rule("empty-declaration", "A mapping or list has at least one entry.")
  static let structRecursion = Rule("struct-recursion", "A struct contains itself only through a list.")
  static let enumNumber = Rule("enum-number", "The number of a case is an int32, and not 0.")
  static let duplicateEnumNumber = Rule("duplicate-enum-number", "A number stands for one case.")
}

// MARK: - Models

extension Rule {
  static let queuePlacement = Rule(
    "queue-placement", "`queue:` is `self`, `device`, or a required ref to a model with `queue: self` or to a user.")
  static let identityOrder = Rule(
    "identity-order", "In the identity of a queue, people who are equal stand in one `set(ref(user))`.", .notice)
  static let identityField = Rule(
    "identity-field",
    "An identity is made of required values that can be compared byte by byte; that of a queue names its users.")
  static let newestByField = Rule("newest-by-field", "`newestBy:` names a field that is a timestamp or an integer.")
  static let ephemeralModel = Rule(
    "ephemeral-model",
    "An ephemeral model has fields and a queue that a field names; nothing of it is stored, and nothing refers to it.")
}

// MARK: - Operations

extension Rule {
  static let valueSyntax = Rule(
    "value-syntax", "A value is a literal, `$parameter`, `$me`, `$self`, `$now` or `model(value)`, with a path.")
  static let unknownParameter = Rule(
    "unknown-parameter",
    "After `$` comes a parameter, `me`, `self` or `now`; in a condition only `me`, `now` or `today`.")
  static let unknownField = Rule("unknown-field", "Every field that is named exists.")
  static let valueType = Rule("value-type", "A value has the type of the field it goes to.")
  static let effectTarget = Rule(
    "effect-target", "An effect suits what it changes, and a field is changed by one effect.")
  static let fixedField = Rule("fixed-field", "The queue and identity of an object never change.")
  static let missingField = Rule("missing-field", "A created object gets all its required fields.")
  static let upsertIdentity = Rule(
    "upsert-identity", "`upsert` needs a model with an identity that is no queue of its own.")
  static let lookupIdentity = Rule(
    "lookup-identity", "`model(value)` needs a model with an identity of one field, in the same queue.")
  static let requirementType = Rule("requirement-type", "`requires:` is `uploaded(PATH)`, where PATH leads to a file.")
  static let emptyOperation = Rule("empty-operation", "An operation has at least one effect.")
  static let operationCrossesQueue = Rule(
    "operation-crosses-queue", "Every effect changes objects of the queue of the operation's object.")
  static let unusedParameter = Rule("unused-parameter", "Every parameter is used.", .warning)
}

// MARK: - Access

extension Rule {
  static let accessDevice = Rule("access-device", "A model with `queue: device` has no `access:`.")
  static let accessRoot = Rule(
    "access-root", "Only owners delete an object of a model with `queue: self`, and nobody one with an identity.")
  static let accessField = Rule("access-field", "Everyone who may create an object may set its required fields.")
  static let accessCreator = Rule("access-creator", "`create:` cannot be a right of the `creator`.")
  static let accessHolder = Rule(
    "access-holder", "`user(FIELD)` names a `ref(user)`, or a ref to a model whose identity is one user.")
  static let accessMembers = Rule("access-members", "`members:` stands in a model with `queue: self`.")
  static let unknownRole = Rule(
    "unknown-role",
    "A role is `owner`, `writer` or `reader`; a right may be of `creator`, `user(FIELD)` or `nobody` too.")
  static let openUser = Rule(
    "open-user", "A rule says who may put which user into a `ref(user)`, and an ephemeral model has none.", .notice)
  static let accessDefault = Rule(
    "access-default", "A field that not everybody may set has a default that is the zero of its type.", .notice)
}

// MARK: - Lists and views

extension Rule {
  static let conditionSyntax = Rule(
    "condition-syntax", "A condition is `FIELD OPERATOR VALUE`, `FIELD is null` or `FIELD is not null`.")
  static let conditionType = Rule("condition-type", "The two sides of a condition can be compared.")
  static let sectionSyntax = Rule(
    "section-syntax",
    "A section is `day(f)`, `week(f)`, `month(f)`, `year(f)`, `gap(f 6h)`, `value(f)` or `initial(f)`.")
  static let sectionField = Rule("section-field", "The kind of a section suits the type of its field.")
  static let sectionOrder = Rule("section-order", "A list is ordered first by the field of its section.")
  static let keepEmpty = Rule("keep-empty", "Only sections by an enum can be kept when they are empty.")
  static let listLimit = Rule("list-limit", "`limit:` is a whole number from 1 to 100,000.")
  static let orderField = Rule("order-field", "A list is ordered by fields that have an order.")
  static let distinctField = Rule("distinct-field", "`distinct:` and `per:` name a field whose values can be compared.")
  static let viewPath = Rule(
    "view-path", "A view field is a path, a count, `model(FIELD).path`, or a question about a list of another model.")
}

// MARK: - Lock

extension Rule {
  static let lockDamaged = Rule("lock-damaged", "`modelgen.lock` is as `modelgen release` wrote it.")
  static let lockConflict = Rule("lock-conflict", "`modelgen.lock` has no marks of a merge.")
  static let lockNewer = Rule("lock-newer", "The version of the lock's format is one that this modelgen reads.")
  static let unusedWaiver = Rule("unused-waiver", "A waiver permits a change that is there.", .warning)
}
