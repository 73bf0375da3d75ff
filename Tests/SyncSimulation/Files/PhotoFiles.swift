// The bytes of all files that users may add.

import ClientStore
import Crypto
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// Derives the file of a photo from its id, so that it is the same whoever adds it. Some photos draw their bytes from
/// the same three sources.
struct PhotoFiles {
  private(set) var bytes: [ContentHash: [UInt8]] = [:]

  /// The file of a photo, which is noted. Some files are empty.
  mutating func file(of photo: UUIDValue) -> (hash: ContentHash, content: [UInt8]) {
    var random = SeededRandom(seed: photo.high ^ photo.low &* 3)
    let size = random.chance(5) ? 0 : 1 + random.below(90)
    if random.chance(12) { random = SeededRandom(seed: UInt64(1 + random.below(3))) }
    let content = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return (note(content), content)
  }

  /// Notes bytes that somebody may add, and returns their hash.
  @discardableResult
  mutating func note(_ content: [UInt8]) -> ContentHash {
    let hash = ContentHash(bytes: Array(SHA256.hash(data: content))) ?? .zero
    bytes[hash] = content
    return hash
  }
}
