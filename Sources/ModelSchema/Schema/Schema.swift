// The data model as the reader returns it: everything that an emitter or a compatibility rule needs.

/// The data model that a folder of schema files declares, without positions in them.
///
/// The reader returns a valid one only: every reference resolves.
public struct Schema: Hashable, Sendable {
  /// The name given by `schema:` in `modelgen.yaml`, for example `Moments`.
  public var name: String
  public var access: AccessLevel
  /// Where generated files go, relative to the schema folder.
  public var output: String
  /// Whether `fixture(seed:)` functions are generated.
  public var fixtures: Bool
  /// In the order of their stems, byte by byte.
  public var files: [SchemaFile]
  /// Names of models that were removed.
  public var reservedModels: [String]
  /// Breaking changes that the author wants.
  public var waivers: [Waiver]
  /// The newest release that the schema stands on, such as `1.4`, and `1.4+` if it has changed since. Empty before the
  /// first release; the lock says it, and not the files.
  public var version = ""

  public init(
    name: String, access: AccessLevel, output: String, fixtures: Bool, files: [SchemaFile],
    reservedModels: [String] = [], waivers: [Waiver] = []
  ) {
    self.name = name
    self.access = access
    self.output = output
    self.fixtures = fixtures
    self.files = files
    self.reservedModels = reservedModels
    self.waivers = waivers
  }

  public var models: [ModelDeclaration] { files.compactMap(\.model) }

  /// The models of objects: all but the ephemeral ones.
  public var storedModels: [ModelDeclaration] { models.filter { !$0.isEphemeral } }

  public func model(named name: String) -> ModelDeclaration? {
    files.first { $0.model?.name == name }?.model
  }
}

/// Permission for one breaking change, with the reason.
public struct Waiver: Hashable, Sendable {
  /// The id of a rule for changes, such as `field-type`.
  public var rule: String
  /// The key of the thing that has changed: `model photo field 3`.
  public var at: String
  public var reason: String
}

/// The Swift access level that every generated declaration gets.
public enum AccessLevel: String, Hashable, Sendable, CaseIterable {
  case `public`
  case `internal`
}

/// One schema file: a model with the types nested in it, or shared types only.
public struct SchemaFile: Hashable, Sendable {
  /// The file name without `.yaml`.
  public var stem: String
  /// Absent in a file of shared types.
  public var model: ModelDeclaration?
  /// Nested in the model, or top-level in a file without a model; in the order of the file, as `enums` are.
  public var structs: [StructDeclaration]
  public var enums: [EnumDeclaration]

  public init(
    stem: String, model: ModelDeclaration?, structs: [StructDeclaration], enums: [EnumDeclaration]
  ) {
    self.stem = stem
    self.model = model
    self.structs = structs
    self.enums = enums
  }
}
