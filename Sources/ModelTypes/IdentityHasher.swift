// Ids derived from what an object is, so that the same thing found twice is one object.

import Crypto
public import WireFormat

/// Makes the id of an object of a model with `identity:` (docs/formats/blob-format.md, "Ids").
///
/// `combine` each identity field in declared order, zeros too; then `finish`. A model that never leaves its device has
/// no queue: its queue id is 16 zero bytes.
public struct IdentityHasher {
  private var input: DerivedID
  private var records = RecordWriter(capacity: 128)

  public init(queue: QueueID?, model: String) {
    input = DerivedID("modelgen.identity.1")
    input.combine((queue ?? .zero).rawValue)
    records.string(1, model)
  }

  public mutating func combine(_ tag: Int, _ value: ContentHash) { records.hash(tag, value) }
  public mutating func combine(_ tag: Int, _ value: UUIDValue) { records.uuid(tag, value) }
  public mutating func combine<Object>(_ tag: Int, _ value: ObjectID<Object>) { records.uuid(tag, value.rawValue) }
  public mutating func combine(_ tag: Int, _ value: String) { records.string(tag, value) }
  public mutating func combine(_ tag: Int, _ value: [UInt8]) { records.length(tag, value) }
  public mutating func combine(_ tag: Int, _ value: Int32) { records.varint(tag, Int64(value)) }
  public mutating func combine(_ tag: Int, _ value: Int64) { records.varint(tag, value) }
  public mutating func combine(_ tag: Int, _ value: UInt32) { records.varint(tag, UInt64(value)) }
  public mutating func combine(_ tag: Int, _ value: UInt64) { records.varint(tag, value) }
  public mutating func combine(_ tag: Int, _ value: Bool) { records.varint(tag, UInt64(value ? 1 : 0)) }
  public mutating func combine(_ tag: Int, _ value: Timestamp) { records.varint(tag, value.millisecondsSince1970) }

  /// An enum, by its number.
  public mutating func combine<Enum: ModelEnum>(_ tag: Int, _ value: Enum) {
    combine(tag, value.rawValue)
  }

  /// A UUID, version 8.
  public consuming func finish<Object>() -> ObjectID<Object> {
    input.combine(records.bytes)
    return ObjectID(input.finish())
  }
}

extension ObjectID<UserAccount> {
  /// The queue that holds the user's memberships: the same on every device, without asking a server.
  public var homeQueueID: QueueID {
    var input = DerivedID("modelgen.home.1")
    input.combine(rawValue)
    return QueueID(input.finish().markedAsHome)
  }
}

/// The first 16 bytes of a SHA-256 over a purpose, a zero byte and what is combined, as a UUID of version 8.
private struct DerivedID {
  private var hash = SHA256()

  init(_ purpose: StaticString) {
    hash.update(bufferPointer: UnsafeRawBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount))
    combine([0])
  }

  mutating func combine(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
  }

  mutating func combine(_ id: UUIDValue) {
    withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { hash.update(bufferPointer: $0) }
  }

  func finish() -> UUIDValue {
    hash.finalize().withUnsafeBytes { digest in
      UUIDValue(
        high: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        low: UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }.marked(version: 8)
  }
}
