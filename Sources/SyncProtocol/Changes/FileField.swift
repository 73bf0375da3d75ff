// The files that a field of an object names after a change, so that the server keeps them while the object lives.

package import WireFormat

/// The files that one field of a created or patched object names (docs/formats/operation-format.md).
package struct FileField: Hashable, Sendable {
  /// The field's tag, at least 1.
  package var tag: Int
  /// Ascending, each once. Empty if the field names no file any more.
  package var hashes: [ContentHash]

  /// Keeps the hashes as they are given. They should be ascending, each once, because reading refuses any other order.
  package init(tag: Int, hashes: [ContentHash]) {
    self.tag = tag
    self.hashes = hashes
  }

  /// Sorts the hashes and drops repeated ones.
  package init(tag: Int, of hashes: some Sequence<ContentHash>) {
    self.init(tag: tag, hashes: Set(hashes).sorted())
  }
}

/// The encoded form of a `FileField`.
struct FileFieldMessage: WireStruct {
  var tag: Int64 = 0
  var hashes: [ContentHash] = []
  var unknownFields = UnknownFields.none

  static var zero: Self { Self() }

  static let fieldTable = FieldTable(
    "fileField", unknownFields: \Self.unknownFields, Field(1, "tag", \Self.tag), Field(2, "hashes", \Self.hashes))
}

extension FileFieldMessage {
  init(_ field: FileField) {
    self.init(tag: Int64(field.tag), hashes: field.hashes)
  }

  func value() throws(WireError) -> FileField {
    guard unknownFields.isEmpty, (1...Int64(Int32.max)).contains(tag), hashes.isStrictlyAscending else {
      throw WireError(.invalidPatch, at: 0)
    }
    return FileField(tag: Int(tag), hashes: hashes)
  }
}

extension [FileFieldMessage] {
  func values() throws(WireError) -> [FileField] {
    var fields: [FileField] = []
    for message in self { fields.append(try message.value()) }
    guard fields.map(\.tag).isStrictlyAscending else { throw WireError(.invalidPatch, at: 0) }
    return fields
  }
}

extension Array where Element: Comparable {
  /// Whether each element is greater than the one before it.
  fileprivate var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
