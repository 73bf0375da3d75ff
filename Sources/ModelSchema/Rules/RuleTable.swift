// The rule table: for each rule its group, its severity, and what it asks of a schema.

enum RuleTable {
  struct Row: Sendable {
    var group: String
    var id: Rule.ID
    var severity: Diagnostic.Severity
    /// A sentence that is true of a schema that keeps the rule.
    var purpose: String
  }

  static let rows: [Row] = groups.flatMap { group in
    group.rules.map { Row(group: group.name, id: $0.0, severity: $0.1, purpose: $0.2) }
  }

  static let severities = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.severity) })

  private static let groups: [(name: String, rules: [(Rule.ID, Diagnostic.Severity, String)])] = [
    (
      "File",
      [
        (.fileTooLarge, .error, "A file has at most 1 MiB."),
        (.notUTF8, .error, "A file is UTF-8."),
        (.controlCharacter, .error, "A file has no control characters except tab and line ends."),
        (.emptyFile, .error, "A file is not empty."),
        (.tab, .error, "Lines are indented with spaces."),
        (.yamlSyntax, .error, "A file is YAML."),
        (.commaInBraces, .error, "YAML splits braces at commas: no expression has one, and a text with one is quoted."),
        (.severalDocuments, .error, "A file is one YAML document."),
        (.yamlDirective, .error, "No `%` directives."),
        (.yamlAnchor, .error, "No anchors."),
        (.yamlAlias, .error, "No aliases."),
        (.yamlMergeKey, .error, "No merge keys."),
        (.yamlTag, .error, "No YAML tags."),
        (.duplicateKey, .error, "A key is in a mapping only once."),
        (.tooDeep, .error, "At most 32 levels of nesting."),
        (.tooManyNodes, .error, "At most 50,000 values in a file."),
        (.scalarTooLong, .error, "A single text has at most 16 KiB."),
      ]
    ),
    (
      "Keys",
      [
        (.unknownKey, .error, "Only keys of the schema language."),
        (.missingKey, .error, "Required keys are present."),
        (.wrongKind, .error, "A key has the kind of value that it needs: a single value, a list or a mapping."),
        (.quotedExpression, .error, "A type, tag, path, condition or other expression is written without quotes."),
        (.missingConfig, .error, "A folder has a `modelgen.yaml`."),
        (.configValue, .error, "The values of `modelgen.yaml` are ones that modelgen knows."),
        (.notYetSupported, .error, "Maps and unions are part of the language, but not of this version."),
      ]
    ),
    (
      "Names",
      [
        (.invalidName, .error, "A name matches `[a-z][A-Za-z0-9]*` and has at most 64 characters."),
        (.invalidSwiftName, .error, "A Swift type name matches `[A-Z][A-Za-z0-9]*` and has at most 64 characters."),
        (.fileName, .error, "A schema file is named `NAME.yaml`."),
        (.modelName, .error, "A model has the name of its file."),
        (.duplicateName, .error, "Names are unique, ignoring case."),
        (.duplicateSwiftName, .error, "Swift type names are unique, and a nested type hides no model."),
        (.reservedName, .error, "A name is not reserved by Swift or by generated code."),
        (.nameReused, .error, "A name under `reserved:` is never used again."),
        (
          .nameAmbiguous, .warning,
          "A Swift type name is not a type of Swift, Foundation, SwiftUI, Testing or the runtime."
        ),
        (.wasUnchanged, .error, "`was:` differs from the present name."),
        (.wasTaken, .error, "No other declaration has, or had, the name in `was:`."),
      ]
    ),
    (
      "Fields and types",
      [
        (.fieldSyntax, .error, "A field is `TYPE = TAG`."),
        (.unknownType, .error, "A type is a built-in one, or a struct or enum that is visible here."),
        (.unknownModel, .error, "`ref(M)` names a model, or `user`."),
        (.nestedCollection, .error, "A list or set does not contain lists or sets."),
        (.optionalCollection, .error, "Lists, sets and counters are never optional."),
        (.setElement, .error, "A set holds integers, strings, data, uuids, timestamps, refs or enums."),
        (.counterPosition, .error, "A counter is a required field of a model."),
        (.tagRange, .error, "A tag is 1 … 536,870,911, except 19,000 … 19,999."),
        (.duplicateTag, .error, "A tag stands for one field."),
        (.tagReused, .error, "A tag under `reserved:` is never used again."),
        (.reservedSyntax, .error, "`reserved:` lists names, numbers, and ranges like `20 to 29`."),
        (.defaultType, .error, "A default fits the type of its field."),
        (.defaultRange, .error, "A default is within the bounds of its type."),
        (.conversionSource, .error, "`from:` names deprecated fields beside it, each for one conversion."),
        (
          .conversionType, .error,
          "Without `via:`, values of the older type turn into those of the new one by themselves."
        ),
        (.conversionRights, .error, "A field and those that it is read from have the same rights in `access:`."),
        (.emptyDeclaration, .error, "A mapping or list has at least one entry."),
        (.structRecursion, .error, "A struct contains itself only through a list."),
        (.enumNumber, .error, "The number of a case is an int32, and not 0."),
        (.duplicateEnumNumber, .error, "A number stands for one case."),
      ]
    ),
    (
      "Models",
      [
        (
          .queuePlacement, .error,
          "`queue:` is `self`, `device`, or a required ref to a model with `queue: self` or to a user."
        ),
        (.identityField, .error, "An identity is made of required values that can be compared byte by byte."),
        (.newestByField, .error, "`newestBy:` names a field that is a timestamp or an integer."),
      ]
    ),
    (
      "Operations",
      [
        (
          .valueSyntax, .error,
          "A value is a literal, `$parameter`, `$me`, `$self`, `$now` or `model(value)`, with a path."
        ),
        (
          .unknownParameter, .error,
          "After `$` comes a parameter, `me`, `self` or `now`; in a condition only `me`, `now` or `today`."
        ),
        (.unknownField, .error, "Every field that is named exists."),
        (.valueType, .error, "A value has the type of the field it goes to."),
        (.effectTarget, .error, "An effect suits what it changes, and a field is changed by one effect."),
        (.fixedField, .error, "The queue and identity of an object never change."),
        (.missingField, .error, "A created object gets all its required fields."),
        (.upsertIdentity, .error, "`upsert` needs a model with an identity."),
        (.lookupIdentity, .error, "`model(value)` needs a model with an identity of one field, in the same queue."),
        (.requirementType, .error, "`requires:` is `uploaded(PATH)`, where PATH leads to a file."),
        (.emptyOperation, .error, "An operation has at least one effect."),
        (.operationCrossesQueue, .error, "Every effect changes objects of the queue of the operation's object."),
        (.unusedParameter, .warning, "Every parameter is used."),
      ]
    ),
    (
      "Access",
      [
        (.accessDevice, .error, "A model with `queue: device` has no `access:`."),
        (.accessRoot, .error, "Only owners delete an object of a model with `queue: self`."),
        (.accessField, .error, "Everyone who may create an object may set its required fields."),
        (.accessCreator, .error, "`create:` cannot be a right of the `creator`."),
        (.unknownRole, .error, "A role is `owner`, `writer` or `reader`; a right may be granted to the `creator` too."),
      ]
    ),
    (
      "Lists and views",
      [
        (.conditionSyntax, .error, "A condition is `FIELD OPERATOR VALUE`, `FIELD is null` or `FIELD is not null`."),
        (.conditionType, .error, "The two sides of a condition can be compared."),
        (
          .sectionSyntax, .error,
          "A section is `day(f)`, `week(f)`, `month(f)`, `year(f)`, `gap(f 6h)`, `value(f)` or `initial(f)`."
        ),
        (.sectionField, .error, "The kind of a section suits the type of its field."),
        (.sectionOrder, .error, "A list is ordered first by the field of its section."),
        (.keepEmpty, .error, "Only sections by an enum can be kept when they are empty."),
        (.listLimit, .error, "`limit:` is a whole number from 1 to 100,000."),
        (.orderField, .error, "A list is ordered by fields that have an order."),
        (.distinctField, .error, "`distinct:` and `per:` name a field whose values can be compared."),
        (.viewPath, .error, "A view field is a path, a count, or `model(FIELD).path`."),
      ]
    ),
    (
      "Lock",
      [
        (.lockDamaged, .error, "`modelgen.lock` is as `modelgen release` wrote it."),
        (.lockConflict, .error, "`modelgen.lock` has no marks of a merge."),
        (.lockNewer, .error, "The version of the lock's format is one that this modelgen reads."),
        (.unusedWaiver, .warning, "A waiver permits a change that is there."),
      ]
    ),
  ]
}
