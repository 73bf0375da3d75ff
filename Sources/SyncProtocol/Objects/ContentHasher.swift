// The hash of bytes that come piece by piece.

import Crypto
package import WireFormat

/// A SHA-256 that is under way. A copy goes on by itself.
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
