// The rows of files and of unfinished uploads.

public import WireFormat

/// The row of a complete file: immutable bytes, named by their hash inside one queue.
public struct StoredFile: Hashable, Sendable {
  /// In bytes.
  public var size: Int64
  /// When the file arrived; zero once its queue has ended.
  public var since: Timestamp
  /// The user who brought it first.
  public var by: UUIDValue
  /// Whether a live object names it. False once its queue has ended.
  public var isReferenced: Bool

  public init(size: Int64, since: Timestamp, by: UUIDValue, isReferenced: Bool = false) {
    self.size = size
    self.since = since
    self.by = by
    self.isReferenced = isReferenced
  }
}

/// The row of an unfinished upload.
public struct StoredPart: Hashable, Sendable {
  /// How many bytes it has room for, at least those that have arrived.
  public var bytes: Int64
  /// The user who went on with it last, for whom it counts.
  public var by: UUIDValue

  public init(bytes: Int64, by: UUIDValue) { (self.bytes, self.by) = (bytes, by) }
}
