// The rows of files and of unfinished uploads.

package import WireFormat

/// The row of a complete file: immutable bytes, named by their hash inside one queue.
package struct StoredFile: Hashable, Sendable {
  /// In bytes.
  package var size: Int64
  /// When the file arrived; zero once its queue has ended.
  package var since: Timestamp
  /// The user who brought it first.
  package var by: UserID
  /// Whether a live object names it. False once its queue has ended.
  package var isReferenced: Bool

  package init(size: Int64, since: Timestamp, by: UserID, isReferenced: Bool = false) {
    self.size = size
    self.since = since
    self.by = by
    self.isReferenced = isReferenced
  }
}

/// The row of an unfinished upload.
package struct StoredPart: Hashable, Sendable {
  /// How many bytes it has room for, at least those that have arrived.
  package var bytes: Int64
  /// The user who went on with it last, for whom it counts.
  package var by: UserID

  package init(bytes: Int64, by: UserID) { (self.bytes, self.by) = (bytes, by) }
}
