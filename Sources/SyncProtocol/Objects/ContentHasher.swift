// Hashes bytes that come piece by piece.

import Crypto
package import WireFormat

/// An unfinished SHA-256. A copy can go on independently.
package struct ContentHasher: Sendable {
  private var state = SHA256()
  /// How many bytes have been taken.
  package private(set) var count: Int64 = 0

  package init() {}

  package mutating func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { state.update(bufferPointer: $0) }
    count += Int64(bytes.count)
  }

  /// The hash of all bytes so far.
  package var hash: ContentHash { ContentHash(bytes: state.finalize()) ?? .zero }
}

extension ContentHash {
  fileprivate init?(bytes digest: SHA256.Digest) { self.init(bytes: Array(digest)) }
}
