// The Swift that each construct of a schema becomes.
import ModelEmitters
import ModelSchema
import Testing

@Suite struct SwiftConstructTests {
  static func check(_ text: String, has expected: [String], not absent: [String] = []) {
    for line in expected { #expect(text.contains(line), "missing: \(line)\n\(text)") }
    for line in absent { #expect(!text.contains(line), "should not be there: \(line)\n\(text)") }
  }

  @Test func fileNamesFollowStems() {
    let schema = Schema.of(.of(.of("photo", swiftName: "Picture")), .shared("shapes"))
    #expect(
      Emitter.swift.emit(schema).map(\.path) == [
        "Swift/Photo.generated.swift", "Swift/Shapes.generated.swift", "Swift/ModelgenRegistry.generated.swift",
        "Swift/ModelgenFixtures.generated.swift",
      ])
  }

  @Test func modelHasIDAndFieldsInOrderOfFile() {
    let model = ModelDeclaration.of(
      "photo", [.of("second", .string, tag: 2), .of("first", .int64, .optional, tag: 1)], wireName: "picture",
      swiftName: "MomentPhoto", doc: "A picture.")
    Self.check(
      Schema.of(model).swift("Photo"),
      has: [
        "/// A picture.\npublic nonisolated struct MomentPhoto: ModelSupport.QueueModel {\n",
        "  public typealias ID = ModelSupport.ObjectID<MomentPhoto>\n",
        "  public var second: Swift.String\n  public var first: Swift.Int64?\n",
        "  public init(id: Self.ID = .new(), second: Swift.String, first: Swift.Int64? = nil) {\n",
        "    self.second = \"\"\n    self.first = nil\n    self.unknownFields = .none\n",
        "  public static let modelName = \"picture\"\n",
        "    ModelSupport.Field(1, \"first\", \\Self.first),\n    ModelSupport.Field(2, \"second\", \\Self.second)\n",
      ])
  }

  @Test func anEphemeralModelIsAStructAndInNoRegistry() {
    let room = ModelDeclaration.of("room", [.of("title", .string)])
    var typing = ModelDeclaration.of(
      "typing", [.of("room", .reference("room")), .of("draft", .string, .optional, tag: 2)], wireName: "writing",
      doc: "Somebody writes.", queue: .field("room"))
    typing.ephemeralSeconds = 5
    let schema = Schema.of(.of(room), .of(typing))
    Self.check(
      schema.swift("Typing"),
      has: [
        "/// Somebody writes.\npublic nonisolated struct Typing: ModelSupport.EphemeralModel {\n",
        "  public private(set) var room: Room.ID\n  public var draft: Swift.String?\n",
        "  public init(room: Room.ID, draft: Swift.String? = nil) {\n",
        "  public static var zero: Self { Self(room: .zero) }\n",
        "  public static let modelName = \"writing\"\n",
        "  public static let lifetimeMilliseconds: Swift.Int64 = 5000\n",
        "  public var queueID: ModelSupport.QueueID { self.room.queueID }\n",
      ], not: ["deltaQuery", "ObjectID<Typing>"])
    Self.check(schema.swift("ModelgenRegistry"), has: ["Room.self"], not: ["Typing"])
    for emitter in [Emitter.graphql, .access] {
      for file in emitter.emit(schema) { #expect(!file.contents.lowercased().contains("writing"), "\(file.path)") }
    }
  }

  /// Code that is deprecated itself may read deprecated fields without a warning.
  @Test func evaluateIsDeprecatedIfItReadsDeprecatedField() {
    var photo = ModelDeclaration.of("photo", [.of("old", .string, deprecated: ""), .of("title", .string, tag: 2)])
    photo.operations = ["old", "title"].map { field in
      let value = FieldAssignment(field: "title", value: .object(path: [field]))
      return OperationDeclaration(name: field, doc: nil, parameters: [], requirements: [], effects: [.set([value])])
    }
    let text = Schema.of(photo).swift("Photo")
    let parts = text.split(separator: "struct Title:")
    #expect(parts.count == 2 && parts[0].contains("    @available(*, deprecated)\n    public func evaluate("))
    #expect(!parts[1].contains("@available"))
  }

  @Test func anIdentityModelDerivesItsIdentifier() {
    let fields: [FieldDeclaration] = [
      .of("moment", .reference("moment"), tag: 1), .of("file", .file, tag: 3), .of("title", .string, tag: 4),
    ]
    let schema = Schema.of(
      .of(.of("moment")),
      .of(.of("photo", fields, queue: .field("moment"), identity: [FieldPath(["file", "hash"])])), fixtures: true)
    Self.check(
      schema.swift("Photo"),
      has: [
        "    self.id = Self.id(in: moment.queueID, fileHash: file.hash)\n",
        "  public static func id(in queueID: ModelSupport.QueueID?, fileHash: ModelSupport.ContentHash) -> Self.ID {\n",
        "    _identity.combine(3, fileHash)\n    return _identity.finish()\n",
        "  public private(set) var moment: Moment.ID\n", "  public private(set) var file: ",
        "  public var title: Swift.String\n",
      ], not: ["  public init(id: "])
    Self.check(schema.swift("ModelgenFixtures"), has: ["    Self(moment: generator.id(), file: generator.file()"])
  }

  @Test func aQueueWithAnIdentityDerivesItsIdentifier() {
    let fields: [FieldDeclaration] = [
      .of("people", .userReference, .set, tag: 1), .of("topic", .string, tag: 2), .of("tags", .string, .set, tag: 3),
    ]
    let identity = [FieldPath(["people"]), FieldPath(["topic"])]
    let schema = Schema.of(.of("chat", fields, wireName: "talk", identity: identity), fixtures: true)
    Self.check(
      schema.swift("Chat"),
      has: [
        "    people: ModelSupport.SortedSet<ModelSupport.UserID>,\n    topic: Swift.String,\n",
        "    tags: ModelSupport.SortedSet<Swift.String> = []\n",
        "    self.id = Self.id(people: people, topic: topic)\n",
        "    self.topic = ModelSupport.IdentityHasher.text(self.topic)\n",
        """
          /// The id that the queue has, whether it is there or not.
          public static func id(people: ModelSupport.SortedSet<ModelSupport.UserID>, topic: Swift.String) -> Self.ID {
            var _identity = ModelSupport.IdentityHasher(schema: "Moments", model: Self.modelName)
            _identity.combine(1, people)
            _identity.combine(2, topic)
            return _identity.finish()
          }

        """, "  public private(set) var people: ", "  public var queueID: ModelSupport.QueueID? { self.id.queueID }\n",
      ], not: ["  public init(id: ", "in queueID"])
    Self.check(schema.swift("ModelgenFixtures"), has: ["    Self(people: generator.set { $0.id() }, topic: "])
  }

  @Test(arguments: [
    (QueuePlacement.own, "id: generator.id(),"), (.device, "id: generator.id(in: nil),"),
    (.field("place"), "id: generator.id(in: _queue.queueID), place: _queue,"),
    (.home("user"), "id: generator.id(in: MomentsSchema.homeQueueID(of: _queue)), place: generator.id(),"),
  ])
  func aFixtureIsBoundToItsQueue(queue: QueuePlacement, arguments: String) {
    let fields: [FieldDeclaration] = [.of("place", .reference("moment"), tag: 1), .of("user", .userReference, tag: 2)]
    let text = Schema.of(.of("moment", fields, queue: queue), fixtures: true).swift("ModelgenFixtures")
    Self.check(text, has: ["Self(\(arguments)"])
  }

  @Test(arguments: [
    (QueuePlacement.own, "self.id.queueID", "", false),
    (.field("place"), "self.place.queueID", "place.queueID", true),
    (.home("user"), "MomentsSchema.homeQueueID(of: self.user)", "MomentsSchema.homeQueueID(of: user)", true),
    (.device, "nil", "nil", false),
  ])
  func modelComputesQueueFromItsPlacement(queue: QueuePlacement, expression: String, argument: String, fixed: Bool) {
    let fields: [FieldDeclaration] = [.of("place", .reference("moment"), tag: 1), .of("user", .userReference, tag: 2)]
    let text = Schema.of(.of("moment", fields, queue: queue)).swift("Moment")
    Self.check(text, has: ["public var queueID: ModelSupport.QueueID? { \(expression) }"])
    // The id of a root is random, and every other id is bound to the object's queue.
    let root = ["Moment: ModelSupport.QueueModel {", "init(id: Self.ID = .new(), place: ", "    self.id = id\n"]
    let bound = "    self.id = id ?? .new(in: \(argument))\n"
    Self.check(
      text,
      has: queue == .own ? root : ["Moment: ModelSupport.Model {", "init(id: Self.ID? = nil, place: ", bound])
    #expect(text.contains("private(set)") == fixed)
  }

  @Test(arguments: [
    (BaseType.bool, "Swift.Bool", "false"), (.int32, "Swift.Int32", "0"), (.int64, "Swift.Int64", "0"),
    (.uint32, "Swift.UInt32", "0"), (.uint64, "Swift.UInt64", "0"), (.float, "Swift.Float", "0"),
    (.double, "Swift.Double", "0"), (.string, "Swift.String", "\"\""), (.data, "[Swift.UInt8]", "[]"),
    (.uuid, "ModelSupport.UUIDValue", ".zero"), (.timestamp, "ModelSupport.Timestamp", ".zero"),
    (.file, "ModelSupport.FileReference", ".zero"), (.counter, "Swift.Int64", "0"),
    (.userReference, "ModelSupport.UserID", ".zero"), (.reference("photo"), "Photo.ID", ".zero"),
    (.structure(TypeName(model: "photo", name: "place")), "Photo.Place", ".zero"),
    (.enumeration(TypeName(model: "photo", name: "mood")), "Photo.Mood", ".unknown(0)"),
  ])
  func everyTypeHasZeroAtEveryPosition(base: BaseType, type: String, zero: String) {
    let positions: [(FieldPosition, String, String)] = [
      (.single, type, zero), (.optional, type + "?", "nil"), (.list, "[\(type)]", "[]"),
      (.set, "ModelSupport.SortedSet<\(type)>", "[]"),
    ]
    for (position, type, zero) in positions {
      let model = ModelDeclaration.of("photo", [.of("value", base, position)])
      let schema = Schema.of(
        model, structs: [.of("place", [.of("x", .double)])], enums: [.of("mood", [EnumCase(name: "good", number: 1)])])
      Self.check(
        schema.swift("Photo"), has: ["  public var value: \(type)\n", "    self.value = \(zero)\n"])
    }
  }

  @Test func fieldTableMarksCounter() {
    Self.check(
      Schema.of(.of("photo", [.of("likes", .counter, tag: 19_000_000)])).swift("Photo"),
      has: ["likes: Swift.Int64 = 0", "ModelSupport.Field(19_000_000, \"likes\", counter: \\Self.likes)"])
  }

  @Test func enumKeepsUnknownNumbers() {
    let mood = EnumDeclaration.of(
      "mood", [EnumCase(name: "good", number: 1, doc: "Fine."), EnumCase(name: "bad", number: -1_000_000)],
      doc: "How it felt.")
    Self.check(
      Schema.of(.of("photo"), enums: [mood]).swift("Photo"),
      has: [
        "nonisolated extension Photo {\n  /// How it felt.\n  public nonisolated enum Mood: ModelSupport.ModelEnum {\n",
        "    /// Fine.\n    case good\n    case bad\n", "    case unknown(Swift.Int32)\n",
        "knownCases: [Self] = [.good, .bad]\n", "      case -1_000_000: self = .bad\n",
        "      case .bad: -1_000_000\n", "      default: self = .unknown(rawValue)\n",
      ])
  }

  @Test func structHasMemberwiseInitialiserAndZero() {
    let place = StructDeclaration.of(
      "place", [.of("latitude", .double, tag: 1), .of("name", .string, .optional, tag: 2)])
    Self.check(
      Schema.of(.of("photo"), structs: [place], fixtures: true).swift("Photo"),
      has: [
        "  public nonisolated struct Place: ModelSupport.ModelStruct {\n",
        "    public init(latitude: Swift.Double, name: Swift.String? = nil) {\n",
        "    public static var zero: Self { Self(latitude: 0) }\n", "      \"place\", unknownFields: ",
      ], not: ["private(set)"])
  }

  @Test func sharedTypesAreDeclaredAtTopLevel() {
    let schema = Schema.of(
      .of(.of("photo", [.of("size", .structure(TypeName(model: nil, name: "size")))])),
      .shared("shapes", structs: [.of("size", [.of("width", .int32)], swiftName: "ImageSize")]))
    Self.check(schema.swift("Shapes"), has: ["\npublic nonisolated struct ImageSize: "], not: ["extension"])
    Self.check(schema.swift("Photo"), has: ["  public var size: ImageSize\n"])
  }

  @Test func aDeprecatedFieldIsKeptBehindAComputedOne() {
    let fields: [FieldDeclaration] = [
      .of("old", .string, tag: 1, doc: "Was used.", deprecated: "Use \"new\"."),
      .of("older", .int64, tag: 2, deprecated: ""),
    ]
    Self.check(
      Schema.of(.of("photo", fields)).swift("Photo"),
      has: [
        "  var _old: Swift.String\n", "    self._old = old\n", "    self._old = \"\"\n",
        "  /// Was used.\n  @available(*, deprecated, message: \"Use \\\"new\\\".\")\n  public var old: Swift.String {\n",
        "  @available(*, deprecated)\n  public var older: Swift.Int64 {\n", "\"old\", \\Self._old)",
      ])
  }

  @Test func aDeprecatedIdentityFieldCannotBeSet() {
    let model = ModelDeclaration.of(
      "photo", [.of("key", .string, deprecated: "")], identity: [FieldPath(["key"])])
    Self.check(
      Schema.of(model).swift("Photo"), has: ["  public var key: Swift.String {\n    self._key\n  }\n"],
      not: ["set {"])
  }

  @Test func internalSchemaDeclaresNothingPublic() {
    let schema = Schema.of(.of("photo", [.of("title", .string)]), access: .internal, fixtures: true)
    for file in Emitter.swift.emit(schema) {
      Self.check(file.contents, has: ["\nimport ModelSupport\n"], not: ["public"])
    }
  }

  @Test func emitsFixturesOnlyOnRequest() {
    let model = ModelDeclaration.of("photo", [.of("tags", .string, .set, tag: 1), .of("on", .bool, .optional, tag: 2)])
    Self.check(Schema.of(model).swift("ModelgenFixtures"), has: ["// No fixtures: "], not: ["func", "import"])
    Self.check(
      Schema.of(model, fixtures: true).swift("ModelgenFixtures"),
      has: [
        "nonisolated extension Photo {", "public static func fixture(seed: Swift.UInt64) -> Self {",
        "tags: generator.set { $0.string() }", "on: generator.optional { $0.bool() }",
      ])
  }

  @Test func theRegistryListsTheModels() {
    let schema = Schema.of(.of(.of("photo")), .shared("shapes"), .of(.of("note", swiftName: "Memo")))
    Self.check(
      schema.swift("ModelgenRegistry"),
      has: [
        "public nonisolated enum MomentsSchema: ModelSupport.SchemaDescription {", "static let name = \"Moments\"",
        "static let models: [any ModelSupport.Model.Type] = [Photo.self, Memo.self]",
        "private typealias _Generation = ModelSupport._RuntimeForGeneratedCode1",
      ])
  }
}
