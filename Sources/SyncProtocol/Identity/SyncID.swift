// Ids that client and server each compute, with the same result.

import Crypto
package import WireFormat

/// Each derived id is a UUID of version 8 (RFC 9562), made by SHA-256 (docs/formats/sync-protocol.md, "Ids").
package enum SyncID {
  /// The user that a token names: the subject if it is a UUID, otherwise an id derived from issuer and subject.
  package static func user(subject: String, issuer: String?) -> UserID {
    if let id = UserID(subject) { return id }
    var records = RecordWriter(capacity: 64)
    records.string(1, issuer ?? "")
    records.string(2, subject)
    return UserID(derived("modelgen.user.1", records.bytes))
  }

  /// The queue that holds the user's memberships in the app of a schema; its first four bytes are `home`.
  package static func homeQueue(ofUser user: UserID, schema: String) -> QueueID {
    QueueID(derived("modelgen.home.1", user.rawValue.bytes + schema.utf8)).markedAsHome
  }

  /// The queue that an identity gives in the app of a schema; its first bit is 1. The records are those of the model and
  /// its identity.
  package static func queue(ofSchema schema: String, identity records: [UInt8]) -> QueueID {
    var all = RecordWriter(capacity: records.count + 32)
    all.string(1, schema)
    return QueueID(derived("modelgen.queue.1", all.bytes + records)).markedAsDerived
  }

  /// The object in the user's home queue that stands for the membership of a queue.
  package static func membership(of queue: QueueID, inHome home: QueueID) -> UUIDValue {
    .bound(to: home, chosen: derived("modelgen.membership.1", queue.rawValue.bytes).high)
  }

  /// The object in a queue that stands for one of its members.
  package static func member(_ user: UserID, inQueue queue: QueueID) -> UUIDValue {
    .bound(to: queue, chosen: derived("modelgen.member.1", user.rawValue.bytes).high)
  }

  /// The object in the user's home queue by which the user has accepted to be a member of a queue.
  package static func acceptance(of queue: QueueID, inHome home: QueueID) -> UUIDValue {
    .bound(to: home, chosen: derived("modelgen.acceptance.1", queue.rawValue.bytes).high)
  }

  /// The object in a queue that stands for a link by which people join it. Hashed once more, so that whoever makes up a
  /// link cannot choose the id.
  package static func link(_ link: ContentHash, inQueue queue: QueueID) -> UUIDValue {
    .bound(to: queue, chosen: derived("modelgen.linked.1", link.bytes).high)
  }

  private static func derived(_ purpose: StaticString, _ bytes: [UInt8]) -> UUIDValue {
    var hash = SHA256()
    hash.update(purpose: purpose)
    bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return hash.finalize().withUnsafeBytes { digest in
      let high = UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
      let low = UInt64(bigEndian: digest.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      return UUIDValue(high: high & ~0xF000 | 0x8000, low: low & ~(3 << 62) | 2 << 62)
    }
  }
}
