// The reference by which an object names a file. A file is immutable and named by its content.

public import WireFormat

/// The hash, size, kind and name of a file. Its bytes are synced apart from the objects that name it.
public struct FileReference: ModelStruct {
  /// The SHA-256 of the bytes, which identifies the file.
  public var hash: ContentHash
  /// In bytes.
  public var size: Int64
  /// A media type (RFC 6838), such as `image/jpeg`.
  public var mime: String
  /// The name that the person who added the file sees; not a path.
  public var name: String
  /// Fields that a newer format declares; kept and written again.
  public var unknownFields: UnknownFields

  /// For a file whose hash is known, and for tests; `add` of `StoreFiles` gives the reference of a new file.
  public init(hash: ContentHash, size: Int64, mime: String, name: String) {
    self.hash = hash
    self.size = size
    self.mime = mime
    self.name = name
    self.unknownFields = .none
  }

  /// The reference to no file, which a required field without a value reads as: zeros and empty texts.
  public static var zero: Self { Self(hash: .zero, size: 0, mime: "", name: "") }

  /// The four fields and their tags, for the codec.
  public static let fieldTable = FieldTable(
    "file", unknownFields: \Self.unknownFields,
    Field(1, "hash", \Self.hash),
    Field(2, "size", \Self.size),
    Field(3, "mime", \Self.mime),
    Field(4, "name", \Self.name)
  )
}
