// The files that users have.

import ClientStore
import Crypto
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// The files of all photos: the same for each photo, whoever adds it, and a few that several photos have.
struct PhotoFiles {
  private(set) var bytes: [ContentHash: [UInt8]] = [:]

  /// Of some photos there is nothing in the file.
  mutating func file(of photo: UUIDValue) -> (hash: ContentHash, content: [UInt8]) {
    var random = SeededRandom(seed: photo.high ^ photo.low &* 3)
    let size = random.chance(5) ? 0 : 1 + random.below(90)
    if random.chance(12) { random = SeededRandom(seed: UInt64(1 + random.below(3))) }
    let content = (0..<size).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return (note(content), content)
  }

  /// Bytes that somebody may add.
  @discardableResult
  mutating func note(_ content: [UInt8]) -> ContentHash {
    let hash = ContentHash(bytes: Array(SHA256.hash(data: content))) ?? .zero
    bytes[hash] = content
    return hash
  }
}
