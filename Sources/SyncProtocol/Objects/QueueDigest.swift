// A digest by which both sides check that they hold the same objects.

import Crypto
package import JSON
package import WireFormat

/// The number of live objects in a queue, and a sum over them that each change adjusts.
///
/// The term of an object is the first 8 bytes, as a big-endian number, of SHA-256 over its id (16 bytes), its revision
/// (8 bytes, big-endian) and its content. The sum wraps at 64 bits. Deleted objects have no term.
package struct QueueDigest: Hashable, Sendable {
  package var live: Int64
  package var sum: UInt64

  /// The digest of a queue without live objects.
  package static let empty = Self(live: 0, sum: 0)

  package init(live: Int64, sum: UInt64) {
    self.live = live
    self.sum = sum
  }

  /// The digest of objects, each of which must be there once.
  package init(_ objects: some Sequence<ObjectState>) {
    self = .empty
    for object in objects { add(object) }
  }

  /// Adds an object. One that was deleted changes nothing.
  package mutating func add(_ object: ObjectState) {
    guard let live = object.live else { return }
    add(id: object.id, revision: object.revision, content: live.content)
  }

  /// Adds a live object.
  package mutating func add(id: UUIDValue, revision: Int64, content: [UInt8]) {
    live &+= 1
    sum &+= Self.term(id: id, revision: revision, content: content)
  }

  /// Removes what `add` has added: the same id, revision and content.
  package mutating func remove(id: UUIDValue, revision: Int64, content: [UInt8]) {
    remove(term: Self.term(id: id, revision: revision, content: content))
  }

  package mutating func remove(term: UInt64) {
    live &-= 1
    sum &-= term
  }

  /// The number that a live object adds to `sum`.
  package static func term(id: UUIDValue, revision: Int64, content: [UInt8]) -> UInt64 {
    content.withUnsafeBytes { term(id: id, revision: revision, content: $0) }
  }

  /// The term of content in memory that is not an array.
  package static func term(id: UUIDValue, revision: Int64, content: UnsafeRawBufferPointer) -> UInt64 {
    var hash = SHA256()
    withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian, revision.bigEndian)) { hash.update(bufferPointer: $0) }
    hash.update(bufferPointer: content)
    return hash.finalize().withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
  }
}

extension QueueDigest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      live: try reader.required("live", .revision),
      sum: try reader.required("sum", .uint64))
  }

  package var json: JSONValue { ["live": .int64(live), "sum": .string(sum.description)] }
}

extension ContentHash {
  /// The SHA-256 of an object's content, which conditions compare.
  package init(of content: [UInt8]) {
    guard let hash = Self(bytes: Array(SHA256.hash(data: content))) else { preconditionFailure("SHA-256 has 32 bytes") }
    self = hash
  }
}
