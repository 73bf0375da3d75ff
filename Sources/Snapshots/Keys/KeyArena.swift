// Stores those keys of a list that are bytes.

import Synchronization

/// Turns a key into a word: its first four bytes, and the place where the whole key is stored. Keys are never removed.
/// If the keys of a list have changed often, `Snapshot.rebuilt()` makes a copy without the old ones.
final class KeyArena: Sendable {
  private struct State {
    var end = 0
    /// The words of sections. Many entries share a section, so equal sections get the same word.
    var sections: [[UInt8]: UInt64] = [:]
  }

  private let chunks = StableChunks<UInt8>(chunkLength: 4_096)
  private let state = Mutex(State())

  /// Bytes taken so far, those of unused keys included.
  var byteCount: Int { state.withLock { $0.end } }

  /// Stores an order key and returns its word. Equal bytes get different words.
  func word(_ bytes: some Collection<UInt8>) -> UInt64 {
    state.withLock { self.append(bytes, &$0) }
  }

  /// Returns the word of a section, which is stored at its first use. Equal bytes get the same word.
  func sectionWord(_ bytes: [UInt8]) -> UInt64 {
    let bytes = Array(bytes.prefix(ListKey.maximumLength))
    return state.withLock { state in
      if let word = state.sections[bytes] { return word }
      let word = self.append(bytes, &state)
      state.sections[bytes] = word
      return word
    }
  }

  /// Nil for a section that was never stored.
  func knownSectionWord(_ bytes: [UInt8]) -> UInt64? {
    state.withLock { $0.sections[Array(bytes.prefix(ListKey.maximumLength))] }
  }

  func bytes(_ word: UInt64) -> [UInt8] { Array(stored(word)) }

  /// Negative, zero or positive, as for `memcmp`.
  @inline(__always)
  func compare(_ left: UInt64, _ right: UInt64) -> Int {
    if left == right { return 0 }
    if left >> 32 != right >> 32 { return left < right ? -1 : 1 }
    return compare(stored(left), stored(right))
  }

  func isEqual(_ word: UInt64, _ bytes: some Collection<UInt8>) -> Bool {
    stored(word).elementsEqual(bytes.prefix(ListKey.maximumLength))
  }

  private func append(_ bytes: some Collection<UInt8>, _ state: inout State) -> UInt64 {
    let bytes = bytes.prefix(ListKey.maximumLength)
    let needed = bytes.count + 2
    let left = chunks.chunkLength - state.end % chunks.chunkLength
    if needed > left { state.end += left }
    let start = state.end
    precondition(start + needed <= UInt32.max, "a list's memory for keys is exhausted")
    chunks.grow(to: start + needed)
    let place = chunks.pointer(at: start)
    place[0] = UInt8(truncatingIfNeeded: bytes.count)
    place[1] = UInt8(truncatingIfNeeded: bytes.count >> 8)
    _ = UnsafeMutableBufferPointer(start: place + 2, count: bytes.count).initialize(fromContentsOf: bytes)
    state.end += needed
    var first: UInt64 = 0
    for byte in 0..<4 { first = first << 8 | (byte < bytes.count ? UInt64(place[2 + byte]) : 0) }
    return first << 32 | UInt64(start)
  }

  @inline(__always)
  private func stored(_ word: UInt64) -> UnsafeBufferPointer<UInt8> {
    let place = chunks.pointer(at: Int(truncatingIfNeeded: word & 0xFFFF_FFFF))
    return UnsafeBufferPointer(start: place + 2, count: Int(place[0]) | Int(place[1]) << 8)
  }

  private func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
    let common = min(left.count, right.count)
    var index = 0
    while index + 8 <= common {
      let a = UnsafeRawBufferPointer(left).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let b = UnsafeRawBufferPointer(right).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if a != b { return a.bigEndian < b.bigEndian ? -1 : 1 }
      index += 8
    }
    while index < common {
      if left[index] != right[index] { return left[index] < right[index] ? -1 : 1 }
      index += 1
    }
    return left.count - right.count
  }
}
