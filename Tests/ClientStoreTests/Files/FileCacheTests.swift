// Fetched files. A file appears when it is complete, in a bounded cache, and is not evicted while somebody holds it.

import Foundation
import ModelSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct FileCacheTests {
  private let folder: FileFolder
  private let temporary: TemporaryFolder

  init() throws {
    temporary = try TemporaryFolder()
    folder = FileFolder(storeFolder: temporary.url.path, FileOptions(cacheBytes: 100), name: "")
  }

  private func bytes(_ number: UInt8, _ count: Int = 40) -> [UInt8] { [UInt8](repeating: number, count: count) }

  /// Fetches a file, and sets when it was used last, in milliseconds since 1970.
  private func fetch(_ bytes: [UInt8], at time: Int64) throws -> ContentHash {
    let hash = ContentHash(of: bytes)
    try folder.evict(for: Int64(bytes.count), unless: { _ in false })
    try folder.append(Array(bytes.prefix(10)), to: hash, at: 0)
    try folder.append(Array(bytes.dropFirst(10)), to: hash, at: 10)
    #expect(try folder.finishFetch(hash))
    try folder.disk.touch(folder.cached(hash), at: time)
    return hash
  }

  @Test func fileAppearsOnlyWhenFetchIsFinished() throws {
    let hash = ContentHash(of: bytes(1))
    try folder.append(bytes(1, 39), to: hash, at: 0)
    #expect(folder.path(of: hash) == nil)
    try folder.append(bytes(1, 1), to: hash, at: 39)
    #expect(folder.path(of: hash) == nil)
    #expect(try folder.finishFetch(hash))
    #expect(folder.path(of: hash) == folder.cached(hash))
  }

  @Test func wrongBytesAreThrownAway() throws {
    let hash = ContentHash(of: bytes(1))
    try folder.append(bytes(2), to: hash, at: 0)
    #expect(try !folder.finishFetch(hash))
    #expect(folder.path(of: hash) == nil)
    #expect(try folder.fetched(hash) == 0)
  }

  @Test func oneFetchCompletesTheFileForTwoQueues() throws {
    let hash = try fetch(bytes(1), at: 1)
    #expect(try folder.fetched(hash) == 40)
    #expect(try folder.finishFetch(hash))
    #expect(folder.path(of: hash) == folder.cached(hash) && folder.state.withLock(\.fetches).isEmpty)
  }

  @Test func fetchGoesOnInTheNextProcess() throws {
    let hash = ContentHash(of: bytes(1))
    try folder.append(bytes(1, 30), to: hash, at: 0)
    let next = FileFolder(storeFolder: temporary.url.path, FileOptions(cacheBytes: 100), name: "")
    #expect(try next.fetched(hash) == 30)
    try next.append(bytes(1, 10), to: hash, at: 30)
    #expect(try next.finishFetch(hash))
  }

  @Test func ignoresBytesAtWrongOffset() throws {
    let hash = ContentHash(of: bytes(1))
    try folder.append(bytes(1, 30), to: hash, at: 0)
    try folder.append(bytes(9, 5), to: hash, at: 20)
    try folder.append(bytes(9, 5), to: hash, at: 35)
    #expect(try folder.fetched(hash) == 30)
  }

  /// A file that is removed with its queue between two pieces is no error: the second piece must not end the
  /// client.
  @Test func appendToRemovedPartIsNoError() throws {
    let hash = ContentHash(of: bytes(1))
    try folder.append(bytes(1, 30), to: hash, at: 0)
    try folder.disk.remove(folder.part(hash))
    try folder.append(bytes(1, 10), to: hash, at: 30)
    #expect(try folder.fetched(hash) == 0 && folder.path(of: hash) == nil)
    try folder.append(bytes(1), to: hash, at: 0)
    try folder.disk.remove(folder.part(hash))
    #expect(try !folder.finishFetch(hash))
  }

  @Test func evictsLeastRecentlyUsedFile() throws {
    let (old, middle) = (try fetch(bytes(1), at: 1_000), try fetch(bytes(2), at: 2_000))
    try folder.disk.touch(folder.cached(old), at: 3_000)
    let new = try fetch(bytes(3), at: 4_000)
    #expect(folder.path(of: middle) == nil)
    #expect(folder.path(of: old) != nil && folder.path(of: new) != nil)
  }

  @Test func readingPastTheEndReturnsFewerBytes() throws {
    let hash = try fetch(bytes(1), at: 1_000)
    let file = LocalFile(CachedName(hash), folder)
    #expect(try file.bytes(in: 10..<(.max)) == bytes(1, 30))
    #expect(try file.bytes(in: 50..<60).isEmpty)
    #expect(try file.bytes(in: (.min)..<(.max)) == bytes(1) && file.bytes(in: (.min)..<0).isEmpty)
    try folder.remove(hash)
    let error = #expect(throws: FileError.self) { try file.bytes() }
    #expect(error?.code == .ended)
  }

  @Test func pinnedFileIsNotEvicted() throws {
    let old = try fetch(bytes(1), at: 1_000)
    folder.pin(CachedName(old))
    let middle = try fetch(bytes(2), at: 2_000)
    _ = try fetch(bytes(3), at: 3_000)
    #expect(folder.path(of: old) != nil && folder.path(of: middle) == nil)
    folder.unpin(CachedName(old))
    _ = try fetch(bytes(4), at: 4_000)
    #expect(folder.path(of: old) == nil)
  }

  @Test func fileToUploadIsNotEvicted() throws {
    let hash = try fetch(bytes(1), at: 1_000)
    #expect(try folder.keep([hash], at: { 1_000 }).isEmpty)
    for number in 2..<9 as Range<UInt8> { _ = try fetch(bytes(number), at: Int64(number) * 1_000) }
    #expect(folder.path(of: hash) == folder.pending(hash))
    try folder.release(hash)
    #expect(folder.path(of: hash) == folder.cached(hash))
    try folder.evict(for: 10_000, unless: { $0 == hash })
    #expect(folder.path(of: hash) != nil, "it is to be brought again, and has not been moved yet")
    try folder.evict(for: 10_000, unless: { _ in false })
    #expect(folder.path(of: hash) == nil)
  }

  @Test func fileLargerThanTheCacheIsFetchedAllTheSame() throws {
    let hash = try fetch(bytes(1, 500), at: 1_000)
    #expect(folder.path(of: hash) != nil)
  }

  @Test func rejectsLinkToBytesOfAnotherHash() throws {
    try temporary.write("secret", "secret")
    let hash = ContentHash(of: bytes(1))
    try folder.disk.makeFolder(folder.pending)
    try temporary.link("files/pending/\(hash)", to: temporary.url("secret").path)
    // The bytes behind the link do not match the hash, so nothing is uploaded.
    #expect(try !folder.hasRightBytes(hash))
  }
}
