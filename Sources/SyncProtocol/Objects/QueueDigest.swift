// A digest by which both sides check that they hold the same objects.

import Crypto
package import JSON
package import WireFormat

/// The number of live objects in a queue, and a sum over them that each change adjusts.
///
/// The term of an object is the first 8 bytes, as a big-endian number, of SHA-256 over its id (16 bytes), its revision
/// and `updatedAt` (8 bytes each, big-endian) and its content. The sum wraps at 64 bits. Deleted objects have no term.
/// A restored server may come to the same revision and content again, at another time and by another user; so the time.
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
    self.live &+= 1
    sum &+= Self.term(of: object, live)
  }

  /// Removes an object that `add` has added. One that was deleted changes nothing.
  package mutating func remove(_ object: ObjectState) {
    guard let live = object.live else { return }
    remove(term: Self.term(of: object, live))
  }

  package mutating func remove(term: UInt64) {
    live &-= 1
    sum &-= term
  }

  /// The number that a live object adds to `sum`.
  private static func term(of object: ObjectState, _ live: ObjectState.Live) -> UInt64 {
    live.content.withUnsafeBytes {
      term(id: object.id, revision: object.revision, updatedAt: live.system.updatedAt, content: $0)
    }
  }

  /// The same of content that lies elsewhere.
  package static func term(
    id: UUIDValue, revision: Int64, updatedAt: Timestamp, content: UnsafeRawBufferPointer
  ) -> UInt64 {
    var hash = SHA256()
    let head = (id.high.bigEndian, id.low.bigEndian, revision.bigEndian, updatedAt.millisecondsSince1970.bigEndian)
    withUnsafeBytes(of: head) { hash.update(bufferPointer: $0) }
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
