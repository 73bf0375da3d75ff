// How far a scan of a queue has come.

package import JSON
package import WireFormat

/// The last object that a scan has sent.
///
/// A scan goes by descending `newestBy`, and among equal numbers by descending id.
package struct ScanCursor: Hashable, Sendable {
  /// The object's number, or the smallest one if it has none.
  package var newestBy: Int64
  package var id: UUIDValue

  /// An object without a number counts as one with the smallest.
  package init(newestBy: Int64?, id: UUIDValue) {
    self.newestBy = newestBy ?? .min
    self.id = id
  }
}

extension ScanCursor: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      newestBy: try reader.required("newestBy", .int64),
      id: try reader.required("id", .uuid))
  }

  package var json: JSONValue { ["newestBy": .int64(newestBy), "id": .id(id)] }
}
