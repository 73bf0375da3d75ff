// Ids that prove their queue: the one function by which client and server make and check them.

import Crypto
public import WireFormat

extension UUIDValue {
  /// An id that is bound to a queue for ever (docs/formats/blob-format.md, "Ids"): 60 of the `chosen` bits, the version,
  /// 8, in place of the other four, and a proof of the queue in the last 8 bytes.
  ///
  /// Objects that never leave their device are bound to `.zero`.
  public static func bound(to queue: Self, chosen: UInt64) -> Self {
    let high = chosen & ~0xF000 | 0x8000
    return Self(high: high, low: proof(of: queue, for: high))
  }

  /// Whether this is the id of an object in that queue. The object that is the queue itself has the queue's id, which
  /// is bound to nothing.
  public func isBound(to queue: Self) -> Bool {
    high & 0xF000 == 0x8000 && low == Self.proof(of: queue, for: high)
  }

  /// The variant, and 62 bits of a SHA-256. Nothing of ours is allotted here: a page has thousands of ids.
  private static func proof(of queue: Self, for high: UInt64) -> UInt64 {
    var hash = SHA256()
    hash.update(purpose: "modelgen.bound.1")
    withUnsafeBytes(of: (queue.high.bigEndian, queue.low.bigEndian, high.bigEndian)) {
      hash.update(bufferPointer: $0)
    }
    return hash.finalize().firstWord & ~(3 << 62) | 2 << 62
  }
}

extension SHA256 {
  /// What the hash is for, and a zero byte: no hash of one purpose is one of another.
  mutating func update(purpose: StaticString) {
    update(bufferPointer: UnsafeRawBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount))
    withUnsafeBytes(of: 0 as UInt8) { update(bufferPointer: $0) }
  }
}

extension SHA256Digest {
  /// The first 8 bytes, big-endian.
  var firstWord: UInt64 { withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) } }
}
