// Ids that are bound to a queue. Client and server make and check them with the same code.

import Crypto
package import WireFormat

extension UUIDValue {
  /// An id that is bound to a queue for ever (docs/formats/blob-format.md, "Ids"). Its first 8 bytes are `chosen`, with
  /// 0 in place of the first bit, and the version, 8, of four others. Its last 8 bytes are a hash of the queue and of
  /// the first 8 bytes.
  ///
  /// Objects that never leave their device are bound to `.zero`.
  package static func bound(to queue: QueueID, chosen: UInt64) -> Self {
    bound(to: queue, high: chosen & ~derivedMark)
  }

  /// The id that an identity gives: 1, and 59 bits of a SHA-256 over the queue and the records of the model and its
  /// identity.
  package static func derived(in queue: QueueID, identity records: [UInt8]) -> Self {
    var hash = SHA256()
    hash.update(purpose: "modelgen.identity.1")
    withUnsafeBytes(of: (queue.rawValue.high.bigEndian, queue.rawValue.low.bigEndian)) {
      hash.update(bufferPointer: $0)
    }
    records.withUnsafeBytes { hash.update(bufferPointer: $0) }
    return bound(to: queue, high: hash.finalize().firstWord | derivedMark)
  }

  /// Whether this id, which is bound to a queue, was derived from an identity.
  package var isDerived: Bool { high & Self.derivedMark != 0 }

  private static let derivedMark: UInt64 = 1 << 63

  private static func bound(to queue: QueueID, high chosen: UInt64) -> Self {
    let high = chosen & ~0xF000 | 0x8000
    return Self(high: high, low: proof(of: queue, for: high))
  }

  /// Whether this id is bound to that queue. False for the root, the object that has the queue's own id.
  package func isBound(to queue: QueueID) -> Bool {
    high & 0xF000 == 0x8000 && low == Self.proof(of: queue, for: high)
  }

  /// The variant, and 62 bits of a SHA-256. Allocates nothing, because it runs for each of the thousands of ids of a
  /// page.
  private static func proof(of queue: QueueID, for high: UInt64) -> UInt64 {
    var hash = SHA256()
    hash.update(purpose: "modelgen.bound.1")
    withUnsafeBytes(of: (queue.rawValue.high.bigEndian, queue.rawValue.low.bigEndian, high.bigEndian)) {
      hash.update(bufferPointer: $0)
    }
    return hash.finalize().firstWord & ~(3 << 62) | 2 << 62
  }
}

extension SHA256 {
  /// Hashes a purpose, which must not contain a zero byte, and a zero byte. So hashes for different purposes differ.
  mutating func update(purpose: StaticString) {
    update(bufferPointer: UnsafeRawBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount))
    withUnsafeBytes(of: 0 as UInt8) { update(bufferPointer: $0) }
  }
}

extension SHA256Digest {
  /// The first 8 bytes, big-endian.
  var firstWord: UInt64 { withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) } }
}
