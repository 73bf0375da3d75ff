// A file next to an object: named by its content, never changed.

public import WireFormat

/// The name, size and kind of immutable bytes; the bytes themselves travel beside the objects.
public struct FileReference: ModelStruct {
  /// The SHA-256 of the bytes, by which they are found.
  public var hash: ContentHash
  /// In bytes.
  public var size: Int64
  /// A media type (RFC 6838), as `image/jpeg`.
  public var mime: String
  /// The name that the person who added it sees; not a path.
  public var name: String
  /// Fields that a newer format declares; kept and written again.
  public var unknownFields: UnknownFields

  public init(hash: ContentHash, size: Int64, mime: String, name: String) {
    self.hash = hash
    self.size = size
    self.mime = mime
    self.name = name
    self.unknownFields = .none
  }

  public static var zero: Self { Self(hash: .zero, size: 0, mime: "", name: "") }

  public static let fieldTable = FieldTable(
    "file", unknownFields: \Self.unknownFields,
    Field(1, "hash", \Self.hash),
    Field(2, "size", \Self.size),
    Field(3, "mime", \Self.mime),
    Field(4, "name", \Self.name)
  )
}
