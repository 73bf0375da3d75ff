// Variants of files, such as thumbnails: made once, evicted without their file, and removed with its queue.

import Foundation
import ModelSupport
import MomentsModels
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ClientStore

@Suite struct FileVariantTests {
  private let temporary: TemporaryFolder
  private let server = HandServer()
  private let moment = Moment(title: "Summit")
  private let made = Made()
  private var queue: QueueID { moment.id.queueID }

  private final class Made: Sendable {
    let count = Mutex(0)
  }

  init() throws { temporary = try TemporaryFolder() }

  private func open(cacheBytes: Int64 = 1_000, names: [String] = ["thumbnail"]) throws -> ModelStore {
    let make: FileVariant = { [made] original in
      made.count.withLock { $0 += 1 }
      return Array(try original.bytes().prefix(2))
    }
    let options = FileOptions(
      cacheBytes: cacheBytes, variants: Dictionary(uniqueKeysWithValues: names.map { ($0, make) }))
    return try ModelStore(at: temporary.url.path, schema: MomentsSchema.self, user: .zero, files: options)
  }

  /// Fetches a file that another device has added.
  private func fetch(_ bytes: [UInt8], into store: ModelStore) async throws -> FileReference {
    try await server.reveal([store.state(of: moment, revision: 1)], upTo: 1, to: store, in: queue)
    let file = FileReference(hash: ContentHash(of: bytes), size: Int64(bytes.count), mime: "image/jpeg", name: "a.jpg")
    let place = FileKey(queue: queue, hash: file.hash)
    try store.append(bytes, to: place, at: 0)
    #expect(try await store.finishFetch(place))
    return file
  }

  @Test func makesVariantOnceAndKeepsIt() async throws {
    let store = try open()
    let file = try await store.files.add(from: .bytes([1, 2, 3]), name: "a.jpg")
    #expect(store.files.url(of: file, variant: "thumbnail") == nil)
    for _ in 0..<2 {
      let thumbnail = try await store.files.read(file, in: nil, variant: "thumbnail")
      #expect(try thumbnail.bytes() == [1, 2] && thumbnail.hash == file.hash)
      #expect(thumbnail.url == store.files.url(of: file, variant: "thumbnail"))
    }
    #expect(made.count.withLock { $0 } == 1)
    #expect(store.files.progress.isIdle, "it is never uploaded")
  }

  @Test func variantStaysWhenItsFileIsEvicted() async throws {
    let store = try open(cacheBytes: 10)
    let file = try await fetch([1, 2, 3, 4, 5, 6, 7], into: store)
    _ = try await store.files.read(file, in: queue, variant: "thumbnail")
    try store.fileFolder.disk.touch(store.fileFolder.cached(file.hash), at: 0)
    let other = try await fetch([9, 9, 9, 9, 9], into: store)
    try store.fileFolder.evict(unless: store.reader.isFileNeeded)
    #expect(store.files.url(of: file) == nil && store.files.url(of: other) != nil)
    #expect(try await store.files.read(file, in: queue, variant: "thumbnail").bytes() == [1, 2])
    #expect(made.count.withLock { $0 } == 1)
  }

  @Test func evictsVariantUnusedForLong() async throws {
    let store = try open(cacheBytes: 10)
    let file = try await fetch([1, 2, 3, 4, 5, 6], into: store)
    _ = try await store.files.read(file, in: queue, variant: "thumbnail")
    try store.fileFolder.disk.touch(store.fileFolder.cached(CachedName(file.hash, "thumbnail")), at: 0)
    _ = try await fetch([9, 9, 9], into: store)
    try store.fileFolder.evict(unless: store.reader.isFileNeeded)
    #expect(store.files.url(of: file, variant: "thumbnail") == nil && store.files.url(of: file) != nil)
  }

  @Test func heldVariantIsNotEvicted() async throws {
    let store = try open(cacheBytes: 2)
    let file = try await fetch([1, 2, 3], into: store)
    let thumbnail = try await store.files.read(file, in: queue, variant: "thumbnail")
    _ = try await fetch([9, 9], into: store)
    try store.fileFolder.evict(unless: store.reader.isFileNeeded)
    #expect(try thumbnail.bytes() == [1, 2])
    #expect(store.files.url(of: file) == nil, "nobody holds the file itself")
  }

  @Test func variantIsRemovedWithItsQueue() async throws {
    let store = try open()
    let file = try await fetch([1, 2, 3], into: store)
    _ = try await store.files.read(file, in: queue, variant: "thumbnail")
    try await store.receive(.revoked(outcomes: [], retention: .zero), in: queue)
    #expect(store.files.url(of: file, variant: "thumbnail") == nil && store.files.url(of: file) == nil)
    await #expect(throws: FileError.self) { try await store.files.read(file, in: queue, variant: "thumbnail") }
  }

  @Test func sweepsVariantNoLongerDeclared() async throws {
    let store = try open(names: ["thumbnail", "poster"])
    let file = try await fetch([1, 2, 3], into: store)
    for name in ["thumbnail", "poster"] { _ = try await store.files.read(file, in: queue, variant: name) }
    try await store.close()
    let next = try open()
    await next.sweepFiles()
    #expect(next.files.url(of: file, variant: "thumbnail") != nil && next.files.url(of: file) != nil)
    #expect(next.files.url(of: file, variant: "poster") == nil)
  }

  @Test(arguments: ["", "part", "new", "../x", "a/b", "a.b", "Großes", String(repeating: "a", count: 33)])
  func refusesInvalidVariantNames(name: String) async throws {
    let store = try open(names: [name])
    let file = try await store.files.add(from: .bytes([1, 2, 3]), name: "a.jpg")
    let error = await #expect(throws: FileError.self) { try await store.files.read(file, in: nil, variant: name) }
    #expect(error?.code == .variant)
  }

  @Test func partOfFetchIsNoVariant() async throws {
    let store = try open(names: ["part"])
    try await server.reveal([store.state(of: moment, revision: 1)], upTo: 1, to: store, in: queue)
    let file = FileReference(hash: ContentHash(of: [1, 2]), size: 2, mime: "", name: "")
    try store.append([1], to: FileKey(queue: queue, hash: file.hash), at: 0)
    #expect(store.files.url(of: file, variant: "part") == nil)
  }

  @Test func undeclaredVariantErrorNamesDeclaredOnes() async throws {
    let store = try open()
    let file = try await store.files.add(from: .bytes([1, 2, 3]), name: "a.jpg")
    let error = await #expect(throws: FileError.self) { try await store.files.read(file, in: nil, variant: "poster") }
    #expect(error?.message == "There is no variant “poster”: FileOptions(variants:) has thumbnail.")
  }

  @Test func readThrowsErrorOfVariantClosure() async throws {
    struct NoPicture: Error {}
    let options = FileOptions(variants: ["thumbnail": { _ in throw NoPicture() }])
    let store = try ModelStore(at: temporary.url.path, schema: MomentsSchema.self, user: .zero, files: options)
    let file = try await store.files.add(from: .bytes([1]), name: "a.jpg")
    await #expect(throws: NoPicture.self) { try await store.files.read(file, in: nil, variant: "thumbnail") }
    #expect(store.files.url(of: file, variant: "thumbnail") == nil)
  }
}
