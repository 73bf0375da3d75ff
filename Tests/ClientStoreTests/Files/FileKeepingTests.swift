// Adding files: a source is copied and hashed, kept when a saved object names it, and swept if nothing does.

import Foundation
import ModelSupport
import MomentsModels
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct FileKeepingTests {
  private let temporary: TemporaryStore
  private let sources: TemporaryFolder
  private var store: ModelStore { temporary.store }
  private let moment = Moment(title: "Summit", startsAt: nil, cover: nil)

  init() throws {
    (temporary, sources) = (try TemporaryStore(), try TemporaryFolder())
    temporary.store.create(moment)
  }

  private func photo(_ file: FileReference) -> Photo {
    Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now)
  }

  private func names(_ folder: String) -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: "\(temporary.folder)/files/\(folder)").sorted()) ?? []
  }

  @Test func sameBytesOfEverySourceAreOneFile() async throws {
    try sources.write("a.jpg", "abc")
    let path = sources.url("a.jpg").path
    let (pieces, piece) = AsyncStream.makeStream(of: [UInt8].self)
    for byte in "abc".utf8 { piece.yield([byte]) }
    piece.finish()
    for source in [FileSource.path(path), .url(sources.url("a.jpg")), .bytes(Array("abc".utf8)), .stream(pieces)] {
      let file = try await store.files.add(from: source, name: "a.jpg")
      #expect(file.hash.description == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
      #expect(file.size == 3 && file.mime == "image/jpeg" && file.name == "a.jpg")
    }
    #expect(try await store.files.hash(of: .path(path)) == store.files.add(from: .path(path)).hash)
    #expect(names("temporary").filter { !$0.contains(".new") }.count == 2, "one folder, one file")
    #expect(names("pending").isEmpty && names("cache").isEmpty)
  }

  @Test func hashOfASourceCopiesNothing() async throws {
    let hash = try await store.files.hash(of: .bytes([]))
    #expect(hash.description == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(names("temporary").isEmpty)
    await #expect { _ = try await store.files.hash(of: .path("/no/such/file")) } throws: {
      ($0 as? FileError)?.code == .source
    }
  }

  @Test(arguments: [
    ("x.JPG", "image/jpeg"), ("x.heic", "image/heic"), ("x.tar.gz", "application/octet-stream"),
    ("jpg", "application/octet-stream"), ("", "application/octet-stream"), ("movie.MOV", "video/quicktime"),
  ])
  func mimeFollowsFileExtension(name: String, mime: String) async throws {
    #expect(try await store.files.add(from: .bytes([]), name: name).mime == mime)
    #expect(try await store.files.add(from: .bytes([]), mime: "a/b", name: name).mime == "a/b")
  }

  @Test func keepsAndReadsEmptyFile() async throws {
    let file = try await store.files.add(from: .bytes([]), name: "empty")
    let photo = photo(file)
    store.create(photo)
    try await store.waitUntilSaved()
    #expect(try await store.files.read(file, in: photo.queueID).bytes().isEmpty)
  }

  /// The disk has no room for an operation. Once it has, its report is saved, and its file is kept with it: the user
  /// tries it again after a restart.
  @Test func fileOfAnOperationThatFoundNoRoomIsKept() async throws {
    let disk = FaultDisk()
    let store = try ModelStore(at: disk.folder, schema: MomentsSchema.self, user: Workload.user)
    store.create(moment)
    try await store.waitUntilSaved()
    let file = try await store.files.add(from: .bytes([1, 2, 3]), name: "lake.jpg")
    let photo = photo(file)
    disk.fail(.write, at: 1, .diskFull)
    let creation = store.create(photo)
    await #expect(throws: StoreError.self) { try await creation.waitUntilSaved() }
    disk.heal()
    try await store.update(moment.id) { $0.title = "Lake" }.waitUntilSaved()
    try await store.close()
    let next = try ModelStore(at: disk.folder, schema: MomentsSchema.self, user: Workload.user)
    let failed = try #require(next.failedOperations.first)
    #expect(failed.reason.code == .diskFull)
    try await next.retry(failed)
    #expect(try await next.files.read(file, in: photo.queueID).bytes() == [1, 2, 3])
  }

  @Test func fileNameIsNeverUsedAsPath() async throws {
    for name in ["../../evil", "/etc/passwd", "a\0b", "..", "x/../../y", String(repeating: "n", count: 5_000)] {
      let file = try await store.files.add(from: .bytes(Array(name.utf8)), name: name)
      #expect(file.name == name)
      store.create(photo(file))
    }
    try await store.waitUntilSaved()
    #expect(names("pending").count == 6)
    #expect(names("pending").allSatisfy { ContentHash($0) != nil })
  }

  @Test func unreadableSourceThrowsFileError() async throws {
    for path in ["/no/such/file", sources.url.path] {
      await #expect(throws: FileError.self) { try await store.files.add(from: .path(path)) }
    }
    // The path exists on this machine, but the URL names another one.
    try Data([1, 2, 3]).write(to: sources.url("lake.jpg"))
    let elsewhere = try #require(URL(string: "https://example.com" + sources.url("lake.jpg").path))
    await #expect(throws: FileError.self) { try await store.files.add(from: .url(elsewhere)) }
    struct Broken: Error {}
    let pieces = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield([1, 2, 3])
      continuation.finish(throwing: Broken())
    }
    await #expect(throws: FileError.self) { try await store.files.add(from: .pieces(pieces)) }
    #expect(names("temporary").filter { $0.hasSuffix(".new") }.isEmpty, "nothing is left of them")
  }

  @Test func sourceThatChangesMeanwhileIsRefused() async throws {
    let disk = ChangingDisk()
    let file = sources.url("growing").path
    try sources.write("growing", bytes: [UInt8](repeating: 1, count: 3 << 20))
    disk.whenRead = { try? Data([9]).write(to: URL(fileURLWithPath: file)) }
    var options = FileOptions()
    options.disk = disk
    let other = try TemporaryFolder()
    let error = await #expect(throws: FileError.self) {
      try await StoreFiles.add(from: .path(file), toStoreAt: other.url("store"), files: options)
    }
    #expect(error?.code == .source)
  }

  @Test func namedFileIsPendingOnceItsObjectIsSaved() async throws {
    let file = try await store.files.add(from: .bytes([1, 2, 3]), name: "a.jpg")
    #expect(store.files.status(of: file, in: moment.id.queueID) == .local)
    store.create(photo(file))
    try await store.waitUntilSaved()
    #expect(names("pending") == ["\(file.hash)"])
    #expect(names("temporary").filter { $0.hasSuffix("\(file.hash)") }.isEmpty)
    #expect(store.files.status(of: file, in: moment.id.queueID) == .uploading(sent: 0, of: 3))
    let progress = store.files.progress
    #expect(progress.uploads == 1 && progress.uploadBytes == 3 && progress.sentBytes == 0)
  }

  @Test func uploadsAreKnownToTheNextProcess() async throws {
    let files = try await [1, 2, 3].map { $0 }.asyncMap { try await store.files.add(from: .bytes([$0]), name: "\($0)") }
    for file in files { store.create(photo(file)) }
    try await store.waitUntilSaved()
    let next = try temporary.reopen()
    #expect(next.files.progress.uploads == 3 && next.files.progress.uploadBytes == 3)
    let hashes = next.nextUploads(limit: 10) { _, _ in true }.map(\.place.hash)
    #expect(hashes.isEmpty, "the server does not know the queue yet")
    #expect(try await next.files.read(files[1], in: moment.id.queueID).bytes() == [2])
  }

  @Test func shareExtensionAddsWithoutTheStore() async throws {
    let file = try await StoreFiles.add(
      from: .bytes([7]), name: "shared.png", toStoreAt: URL(filePath: temporary.folder))
    store.create(photo(file))
    try await store.waitUntilSaved()
    #expect(names("pending") == ["\(file.hash)"])
  }

  @Test func sweepKeepsNamedFilesAndThoseOfLastDay() async throws {
    let kept = try await store.files.add(from: .bytes([1]), name: "kept")
    store.create(photo(kept))
    let forgotten = try await store.files.add(from: .bytes([2]), name: "forgotten")
    try await store.waitUntilSaved()
    let now: Int64 = 1_700_000_000_000
    // The rest of a copy across volumes that a crash interrupted.
    let cut = store.fileFolder.pending(forgotten.hash) + ".new"
    try store.fileFolder.disk.write([2], to: cut, at: 0)
    for path in [cut, try #require(store.files.url(of: forgotten)?.path)] {
      try store.fileFolder.disk.touch(path, at: now)
    }
    try await store.fileFolder.sweep(at: Timestamp(millisecondsSince1970: now + FileFolder.day)) {
      try store.reader.isFileNamed($0)
    }
    #expect(try store.files.url(of: forgotten) != nil && store.fileFolder.disk.state(of: cut) != nil)
    try await store.fileFolder.sweep(at: Timestamp(millisecondsSince1970: now + FileFolder.day + 1)) {
      try store.reader.isFileNamed($0)
    }
    #expect(try store.files.url(of: forgotten) == nil && store.fileFolder.disk.state(of: cut) == nil)
    #expect(store.files.url(of: kept) != nil)
    #expect(names("temporary").filter { !$0.contains("/") }.isEmpty, "an empty subfolder goes")
  }

  /// Each process has a subfolder of `temporary`, and `path(of:)` looks into all of them. A sweep removes the empty
  /// ones of processes that have ended.
  @Test func sweepRemovesFoldersOfEndedProcesses() async throws {
    for number in 0..<3 as Range<UInt8> {
      let folder = FileFolder(storeFolder: temporary.folder, FileOptions(), name: "")
      let hash = try await folder.add(.bytes([number]), .current).hash
      _ = try folder.keep([hash]) { 0 }
      #expect(names("temporary").count == 1)
      let next = FileFolder(storeFolder: temporary.folder, FileOptions(), name: "")
      try await next.sweep(at: .zero) { _ in true }
      #expect(names("temporary").isEmpty)
    }
  }

  @Test func strayFileDoesNotStopSweep() async throws {
    let folder = store.fileFolder
    let forgotten = try await store.files.add(from: .bytes([2]), name: "forgotten")
    // Such as a desktop leaves in every folder that somebody has looked into.
    let stray = folder.temporary + "/.DS_Store"
    try folder.disk.write([1], to: stray, at: 0)
    try folder.disk.touch(try #require(store.files.url(of: forgotten)?.path), at: 0)
    try await folder.sweep(at: Timestamp(millisecondsSince1970: 2 * FileFolder.day)) { _ in false }
    #expect(store.files.url(of: forgotten) == nil && FileManager.default.fileExists(atPath: stray))
  }

  @Test func keepSyncsFolderBeforeRemovingOldName() throws {
    let disk = ChangingDisk()
    var options = FileOptions()
    options.disk = disk
    let folder = FileFolder(storeFolder: temporary.folder, options, name: "")
    let bytes: [UInt8] = [1, 2, 3]
    let hash = ContentHash(of: bytes)
    try folder.append(bytes, to: hash, at: 0)
    #expect(try folder.finishFetch(hash))
    var steps: [String] = []
    disk.whenChanged = { steps.append($0) }
    #expect(try folder.keep([hash]) { 0 }.isEmpty)
    let removal = try #require(steps.firstIndex(of: "remove \(folder.cached(hash))"))
    let sync = try #require(steps.firstIndex(of: "sync \(folder.pending)"))
    #expect(sync < removal, "\(steps)")
  }

  /// A folder that cannot be listed is an error, not a folder without the file. The next attempt keeps the file.
  @Test func keepThrowsIfFolderCannotBeListed() async throws {
    let disk = ChangingDisk()
    var options = FileOptions()
    options.disk = disk
    let other = try TemporaryFolder()
    let folder = FileFolder(storeFolder: other.url.path, options, name: "")
    let (hash, _) = try await folder.add(.bytes([1]), .current)
    disk.whenListed = { throw StoreError(.inputOutput, "The disk fails.") }
    #expect(throws: StoreError.self) { try folder.keep([hash]) { 0 } }
    disk.whenListed = nil
    #expect(try folder.keep([hash]) { 0 }.isEmpty)
    #expect(folder.path(of: hash) == folder.pending(hash))
  }

  /// A file whose size the disk cannot tell is an error, not an empty file.
  @Test func readThrowsIfDiskCannotTellFileSize() async throws {
    let disk = ChangingDisk()
    var options = FileOptions()
    options.disk = disk
    let other = try TemporaryFolder()
    let store = try ModelStore(at: other.url.path, schema: MomentsSchema.self, user: .zero, files: options)
    let file = try await store.files.add(from: .bytes([1, 2, 3]))
    let local = try await store.files.read(file, in: nil)
    #expect(try local.bytes() == [1, 2, 3])
    // The first look finds the folder of the file, and the second one, which fails, asks for its size.
    var looks = 0
    disk.whenLookedAt = {
      looks += 1
      if looks == 2 { throw StoreError(.inputOutput, "The disk fails.") }
    }
    #expect(throws: FileError.self) { try local.bytes() }
    disk.whenLookedAt = nil
    #expect(try local.bytes() == [1, 2, 3])
  }

  @Test func readEndsWithTheStore() async throws {
    let absent = FileReference(hash: ContentHash(words: (1, 2, 3, 4)), size: 1, mime: "", name: "")
    let (store, queue) = (store, moment.id.queueID)
    let reading = Task { try await store.files.read(absent, in: queue) }
    while store.files.progress.downloads == 0 { await Task.yield() }
    try await store.close()
    await #expect(throws: FileError.self) { try await reading.value }
    await #expect(throws: FileError.self) { try await store.files.read(absent, in: queue) }
  }

  @Test func readEndsWithItsTask() async throws {
    let absent = FileReference(hash: ContentHash(words: (1, 2, 3, 4)), size: 1, mime: "", name: "")
    let (store, queue) = (store, moment.id.queueID)
    let reading = Task { try await store.files.read(absent, in: queue) }
    while store.files.progress.downloads == 0 { await Task.yield() }
    reading.cancel()
    await #expect(throws: CancellationError.self) { try await reading.value }
    #expect(store.files.progress.isIdle)
  }

  @Test func readsOnlyLocalBytesWithoutQueue() async throws {
    // No object names the file yet, and without a queue there is no server that has it. Only local bytes can be read.
    let file = try await store.files.add(from: .bytes([1]), name: "a")
    #expect(store.files.status(of: file, in: nil) == .local)
    #expect(try await store.files.read(file, in: nil).bytes() == [1])
    let absent = FileReference(hash: .zero, size: 1, mime: "", name: "")
    await #expect(throws: FileError.self) { try await store.files.read(absent, in: nil) }
  }
}

extension Sequence {
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}

/// The system's disk with hooks for some calls. `@unchecked Sendable`: a test sets them while nobody uses the disk.
private final class ChangingDisk: FileDisk, @unchecked Sendable {
  private let disk = SystemDisk()
  var whenRead: (() -> Void)?
  var whenListed: (() throws -> Void)?
  var whenLookedAt: (() throws -> Void)?
  var whenChanged: ((String) -> Void)?

  func read(_ path: String, at offset: Int64, count: Int) throws -> [UInt8] {
    defer { whenRead?() }
    return try disk.read(path, at: offset, count: count)
  }
  func state(of path: String) throws -> FileState? {
    try whenLookedAt?()
    return try disk.state(of: path)
  }
  func write(_ bytes: [UInt8], to path: String, at offset: Int64) throws { try disk.write(bytes, to: path, at: offset) }
  func sync(_ path: String) throws {
    whenChanged?("sync \(path)")
    try disk.sync(path)
  }
  func rename(_ path: String, to other: String) throws { try disk.rename(path, to: other) }
  func link(_ path: String, to other: String) throws { try disk.link(path, to: other) }
  func remove(_ path: String) throws {
    whenChanged?("remove \(path)")
    try disk.remove(path)
  }
  func touch(_ path: String, at time: Int64) throws { try disk.touch(path, at: time) }
  func makeFolder(_ path: String) throws { try disk.makeFolder(path) }
  func removeFolder(_ path: String) throws { try disk.removeFolder(path) }
  func names(in folder: String) throws -> [String] {
    try whenListed?()
    return try disk.names(in: folder)
  }
}
