// The secret of a link by which people join a queue.

import Crypto
package import WireFormat

/// 16 random bytes. Who knows them may join; a server keeps their hash only.
package struct LinkSecret: Hashable, Sendable {
  package var value: UUIDValue

  package init(_ value: UUIDValue) { self.value = value }

  /// The hash by which a server knows the link (docs/formats/sync-protocol.md, "Ids").
  package var hash: ContentHash {
    var hash = SHA256()
    hash.update(purpose: "modelgen.link.1")
    withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { hash.update(bufferPointer: $0) }
    return ContentHash(bytes: Array(hash.finalize())) ?? .zero
  }
}
