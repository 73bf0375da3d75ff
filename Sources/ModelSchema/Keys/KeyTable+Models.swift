// The keys of schema files, and of what they declare: fields, structs, enums, and what is reserved.

extension KeyTable {
  static let model = KeyTable([
    SchemaKey("model", "The name of the model, which is also the name of the file.", .name, isRequired: true),
    .doc, .was, .swiftName,
    SchemaKey(
      "queue",
      "The queue that objects are part of: self (each is one), device (never leaves it), or a field, a ref to it.",
      .word("^\(KeyValue.namePattern)$", examples: ["self", "device"]), isRequired: true),
    SchemaKey(
      "ephemeral",
      "How long others see a value after it was shown last: 1s to 60s. Nothing of such a model is stored.",
      .expression(EphemeralReader.pattern, examples: ["5s", "10s", "1m"])),
    SchemaKey(
      "identity",
      "Fields that make the id: in a queue, objects with equal values are one, and so are queues. Or paths: file.hash.",
      .list(.path)),
    SchemaKey(
      "newestBy", "A field by which new devices load the newest objects first: timestamp, int32, int64 or uint32.",
      .name),
    .fields,
    .reservedTags,
    SchemaKey("structs", "Groups of fields, as types for fields.", .entries(.structure)),
    SchemaKey("enums", "Named numbers, as types for fields.", .entries(.enumeration)),
    SchemaKey("unions", "Not yet supported.", .text, isSupported: false),
    SchemaKey(
      "access",
      "Who may create, update and delete objects. What is absent is for members with at least the role writer.",
      .mapping(.access)),
    SchemaKey("operations", "What a user can do, besides creating, changing and deleting.", .entries(.operation)),
    SchemaKey("lists", "What an app shows: filtered, ordered, in sections.", .entries(.list)),
    SchemaKey("views", "The values that a row shows, some of other objects.", .entries(.view)),
  ])

  /// A file without these declares shared types only.
  static let modelMarks = ["model", "fields", "queue"]

  static let shared = KeyTable(model.keys.filter { ["structs", "enums", "unions"].contains($0.name) })

  static let field = KeyTable([
    SchemaKey(
      "type", "TYPE, or TYPE = TAG: string, string? (optional), list(string), set(string), ref(note).",
      .typeOfField, isRequired: true),
    SchemaKey(
      "tag", "The number that stands for the field in stored data. It never changes.",
      .number(FieldReader.tagBounds)),
    .doc,
    SchemaKey("default", "The value of a new object that is given none.", .text),
    SchemaKey("deprecated", "true, or the reason: uses in Swift get a warning.", .text),
    .was,
    SchemaKey(
      "from",
      "The older field, or fields, that this one replaces: read from them where nothing newer is stored.",
      .oneOrMore(.name)),
    SchemaKey("via", "A function of the app that converts the fields of from: into this one, and back.", .name),
  ])

  static let structure = KeyTable([.fields, .doc, .reservedTags, .swiftName, .was])

  static let enumeration = KeyTable([
    SchemaKey(
      "cases", "The cases: NAME: NUMBER. The number stands for the case in stored data.",
      .entries(.enumCase), isRequired: true),
    .doc,
    .reservedNumbers,
    .swiftName, .was,
  ])

  static let enumCase = KeyTable([
    SchemaKey(
      "number", "The number that stands for the case in stored data. It never changes, and is not 0.",
      .caseNumber, isRequired: true),
    .doc, .was,
  ])

  static let reservedTags = reserved("tags")
  static let reservedNumbers = reserved("numbers")

  /// `key` says what the numbers are called here.
  private static func reserved(_ key: String) -> KeyTable {
    KeyTable([
      SchemaKey(
        key, "Numbers, and ranges such as 20 to 29.",
        .list(.either([.number(Int(Int32.min)...Int(Int32.max)), .range]))),
      SchemaKey("names", "Names that were in use once.", .list(.name)),
    ])
  }
}

extension SchemaKey {
  static let doc = SchemaKey("doc", "A text for the documentation of the generated code.", .text)
  static let was = SchemaKey("was", "The name before a rename.", .name)
  static let swiftName = SchemaKey("swiftName", "Another name for the generated Swift type.", .swiftName)
  static let fields = SchemaKey(
    "fields", "The fields: NAME: TYPE = TAG. The tag stands for the field in stored data.", .entries(.field),
    isRequired: true)

  fileprivate static let reservedTags = reserved("Tags and names of fields that were removed.", .reservedTags)
  fileprivate static let reservedNumbers = reserved("Numbers and names of cases that were removed.", .reservedNumbers)

  private static func reserved(_ doc: String, _ table: KeyTable) -> SchemaKey {
    SchemaKey("reserved", doc + " They are never used again.", .mapping(table))
  }
}

extension KeyValue {
  fileprivate static let field = named(
    "field", doc: "A field: TYPE = TAG, or a mapping with type, default, doc and more.",
    .either([.typeAndTag, .mapping(.field)]))
  fileprivate static let structure = named("struct", doc: "A struct: a group of fields.", .mapping(.structure))
  fileprivate static let enumeration = named("enum", doc: "An enum: named numbers.", .mapping(.enumeration))
  fileprivate static let enumCase = named(
    "case", doc: "A case: a number that is not 0, or a mapping with number, doc and was.",
    .either([.caseNumber, .mapping(.enumCase)]))
  fileprivate static let operation = named(
    "operation", doc: "An operation: parameters, and at least one effect on the object or its queue.",
    .mapping(OperationReader.keys))
  fileprivate static let list = named("list", doc: "A list of the objects of the model.", .mapping(.list))
  fileprivate static let view = named(
    "view", doc: "A view: names, and a path, count(FIELD), count(MODEL.LIST) or MODEL(FIELD).PATH for each.",
    .entries(.text))
  fileprivate static let caseNumber = number(Int(Int32.min)...Int(Int32.max))
}
