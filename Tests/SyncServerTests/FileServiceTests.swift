// Tests of files of queues, without HTTP: uploads that go on, files that are kept, and files that go.

import Foundation
import SyncProtocol
import Synchronization
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite(.onEachStorage) struct FileServiceTests {
  private let server: FileServer
  private let bytes = Array("a picture of a mountain".utf8)
  private var place: FileKey { FileKey(queue: .queue, hash: ContentHash(of: bytes)) }
  private var files: FileService { server.files }
  private var folder: TemporaryFolder { server.folder }
  private var time: SettableTime { server.time }

  init() async throws {
    server = try FileServer()
    try await server.commit([])
  }

  private func begin(at offset: Int64, by user: UserID = .anna) async throws -> FilePart {
    try await server.begin(place, at: offset, by: user)
  }

  private func upload() async throws { try await server.upload(bytes) }
  private func read() async throws -> [UInt8] { try await server.read(place) }

  /// The only object names the file.
  private func name() async throws {
    try await server.commit(OperationChanges(objects: [.create(1, "a")], files: [place.hash]))
  }

  /// As where the disk is full: the client is told to come again, and not that the server is broken.
  @Test func folderThatCannotBeMadeIsAStorageError() throws {
    try Data().write(to: folder.url("file"))
    let files = FolderStorage(path: folder.url("file/files").path)
    let place = FileKey(queue: .queue, hash: .zero)
    #expect(throws: StorageError.self) { try files.append([1], to: place, at: 0) }
    #expect(throws: StorageError.self) { try files.finish(place) }
  }

  @Test func laterRequestTakesTheUploadOver() async throws {
    var lost = try await begin(at: 0)
    try await files.append(Array(bytes.prefix(5)), to: &lost)
    var found = try await begin(at: 5)
    #expect(await refusal { try await files.append([0], to: &lost) } == .unavailable)
    #expect(await refusal { try await files.finish(lost) } == .unavailable)
    try await files.append(Array(bytes.dropFirst(5)), to: &found)
    try await files.finish(found)
    #expect(try await read() == bytes)
  }

  /// Two requests upload the same file. One finishes it after the other has looked it up, so the other looks again.
  @Test func anUploadThatHasJustEndedIsLookedUpAgain() async throws {
    await files.uploads.upload(place, by: .anna, files.files, at: .zero).retire()
    try await upload()
    #expect(try await read() == bytes)
  }

  /// Requests of one client that race for a file fail with `unavailable`. The server's log would report other errors as
  /// its own fault.
  @Test func concurrentRequestsMayUploadOneFile() async throws {
    await withTaskGroup(of: (any Error)?.self) { [files, place, bytes] group in
      for _ in 0..<20 {
        group.addTask {
          do {
            guard case .part(var part) = try await files.begin(place, at: 0, by: .anna) else { return nil }
            try await files.append(bytes, to: &part)
            try await files.finish(part)
          } catch { return error }
          return nil
        }
      }
      for await case .some(let error) in group { #expect((error as? RequestError)?.code == .unavailable) }
    }
    #expect(try await read() == bytes)
  }

  @Test func filesGoWhenNothingNamesThem() async throws {
    try await upload()
    try await name()
    time.pass(days: 8)
    try await server.performUpkeep()
    #expect(try await files.download(place, by: .anna).size == Int64(bytes.count), "an object names it")
    try await server.commit(OperationChanges(objects: [.delete(1)]))
    try await server.performUpkeep()
    #expect(await refusal { _ = try await files.download(place, by: .anna).size } == .notFound)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("files/\(QueueID.queue)").path).isEmpty)
    // The file may be uploaded again, and is new then.
    try await upload()
    time.pass(days: 6)
    try await server.performUpkeep()
    #expect(try await files.download(place, by: .anna).size == Int64(bytes.count))
  }

  /// The operation that names the file creates an object that is there already, so it changes nothing. The file is kept
  /// all the same.
  @Test func keepsAFileWhoseObjectWasThereAlready() async throws {
    try await upload()
    try await server.commit(OperationChanges(objects: [.create(1, "a")]))
    try await name()
    time.pass(days: 8)
    try await server.performUpkeep()
    #expect(try await files.download(place, by: .anna).size == Int64(bytes.count))
  }

  /// The disk has lost the bytes of a complete file, or has others. What is lost can be brought again.
  @Test func lostFileCanBeBroughtAgain() async throws {
    guard let database = server.database.path else { return }
    try await upload()
    let path = folder.url("files/\(QueueID.queue)/\(place.hash)").path
    func faults() throws -> [FileFault] {
      var faults: [FileFault] = []
      _ = try FileCheck.run(database: database, files: server.folderStorage()) {
        faults.append($1)
      }
      return faults
    }
    #expect(try faults() == [])
    try Data(bytes.map { $0 ^ 1 }).write(to: URL(filePath: path))
    #expect(try faults() == [.rotten])
    try FileManager.default.removeItem(atPath: path)
    #expect(try faults() == [.lost])
    #expect(await refusal { _ = try await files.status(of: place, by: .anna) } == .notFound)
    try await upload()
    #expect(try await files.status(of: place, by: .anna).isComplete)
    #expect(try faults() == [])
    let other = folder.url("files/\(QueueID.queue)/\(ContentHash(words: (1, 1, 1, 1)))").path
    try Data([1]).write(to: URL(filePath: other))
    #expect(try faults() == [.unnamed])
  }

  @Test func upkeepRemovesStoppedUploads() async throws {
    var part = try await begin(at: 0)
    try await files.append(Array(bytes.prefix(5)), to: &part)
    let path = folder.url("files/\(QueueID.queue)/\(place.hash).part").path
    let now = SettableTime.start / 1_000
    for (days, isThere) in [(6, true), (8, false)] as [(Int64, Bool)] {
      let changed = Date(timeIntervalSince1970: TimeInterval(now - days * 86_400))
      try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: path)
      try await server.performUpkeep()
      #expect(FileManager.default.fileExists(atPath: path) == isThere)
    }
  }

  /// Upkeep has removed an upload that the server still has in memory. The upload begins again, because going on would
  /// make a file with a hole.
  @Test func uploadBeginsAgainAfterItsRemoval() async throws {
    var part = try await begin(at: 0)
    try await files.append(Array(bytes.prefix(5)), to: &part)
    try folder.remove("files/\(QueueID.queue)/\(place.hash).part")
    guard case .elsewhere(0) = try await files.begin(place, at: 5, by: .anna) else {
      Issue.record("it goes on where nothing is")
      return
    }
    try await upload()
    #expect(try await read() == bytes)
    // The same if the bytes go between two pieces of one request.
    let other = FileKey(queue: .queue, hash: ContentHash(of: [1, 2]))
    var first = try await server.begin(other)
    try await files.append([1], to: &first)
    try folder.remove("files/\(QueueID.queue)/\(other.hash).part")
    await #expect(throws: StorageError.self) { try await files.append([2], to: &first) }
    #expect(await refusal { _ = try await files.status(of: other, by: .anna) } == .notFound)
  }

  /// Upkeep has removed an upload, and another device asks how far it is. Bytes that come on the first connection are
  /// refused, because they belong behind the removed ones, and not at the beginning.
  @Test func removedUploadRefusesFurtherBytes() async throws {
    var part = try await begin(at: 0)
    try await files.append(Array(bytes.prefix(5)), to: &part)
    try folder.remove("files/\(QueueID.queue)/\(place.hash).part")
    #expect(await refusal { _ = try await begin(at: 5) } == .offsetMismatch)
    #expect(await refusal { try await files.append(Array(bytes.dropFirst(5)), to: &part) } == .unavailable)
    #expect(await refusal { _ = try await files.status(of: place, by: .anna) } == .notFound)
    #expect(await refusal { try await files.finish(part) } == .unavailable)
    try await upload()
    #expect(try await read() == bytes)
  }

  @Test(arguments: [FailingFiles.Moment.beforeItIsKept, .afterItIsKept, .discarding])
  func failedEndOfAnUploadCanBeRepeated(moment: FailingFiles.Moment) async throws {
    let files = server.files(in: FailingFiles(folder: server.folderStorage(), moment))
    let bytes = moment == .discarding ? Array("other bytes".utf8) : bytes
    let ends = moment == .discarding ? RequestError.Code.hashMismatch : nil
    var part = try await server.begin(place, files)
    try await files.append(bytes, to: &part)
    await #expect(throws: StorageError.self) { try await files.finish(part) }
    // As a client does it: it asks how far it has come, and goes on from there.
    let offset = (try? await files.status(of: place, by: .anna).offset) ?? 0
    var again = try await server.begin(place, at: offset, files)
    try await files.append(Array(bytes.dropFirst(Int(offset))), to: &again)
    #expect(await refusal { try await files.finish(again) } == ends)
    if ends == nil { #expect(try await server.read(place, files) == bytes) }
  }

  /// For a moment a file is in the place of the queue's folder, as after a mistake of an operator.
  @Test func uploadFinishesAfterItsFolderIsRepaired() async throws {
    var part = try await begin(at: 0)
    try await files.append(bytes, to: &part)
    let queue = folder.url("files/\(QueueID.queue)")
    try FileManager.default.moveItem(at: queue, to: folder.url("aside"))
    try Data().write(to: queue)
    await #expect(throws: (any Error).self) { try await files.finish(part) }
    try FileManager.default.removeItem(at: queue)
    try FileManager.default.moveItem(at: folder.url("aside"), to: queue)
    let last = try await begin(at: Int64(bytes.count))
    try await files.finish(last)
    #expect(try await read() == bytes)
  }

  @Test func manyUploadsOfOneUserInterruptNobodyElse() async throws {
    try await server.commit([.follow(.ben)])
    var part = try await begin(at: 0)
    try await files.append(Array(bytes.prefix(5)), to: &part)
    for number in 0..<2_000 as Range<UInt64> {
      let place = FileKey(queue: .queue, hash: ContentHash(words: (number, 1, 1, 1)))
      _ = try await files.begin(place, at: 0, by: .ben)
    }
    try await files.append(Array(bytes.dropFirst(5)), to: &part)
    try await files.finish(part)
    #expect(try await read() == bytes)
  }

  /// As where a bucket does not answer just then.
  @Test func bytesThatCouldNotBeRemovedGoWithTheNextUpkeep() async throws {
    let failing = server.files(in: FailingFiles(folder: server.folderStorage(), .removing))
    try await upload()
    time.pass(days: 8)
    await #expect(throws: StorageError.self) { try await failing.performUpkeep(UpkeepRules()) }
    #expect(server.names() == ["\(place.hash)"])
    try await failing.performUpkeep(UpkeepRules())
    #expect(server.names() == [])
  }

  @Test func asksAgainForFilesMissingAfterARestore() async throws {
    try await upload()
    try folder.remove("files/\(QueueID.queue)/\(place.hash)")
    #expect(try await files.forgetMissing() == 1)
    let named = CommitRequest.Mutation(1, OperationChanges(objects: [.create(1, "a")], files: [place.hash]))
    let answer = try await server.service.commit(CommitRequest(queue: .queue, mutations: [named]), by: .anna)
    let decided = try #require(answer.result.decided)
    #expect(decided.waiting.map(\.files) == [[place.hash]])
  }
}

/// A folder whose disk fails once.
final class FailingFiles: FileStorage {
  enum Moment {
    case beforeItIsKept, afterItIsKept, discarding, removing
  }

  let folder: FolderStorage
  private let moment: Moment
  private let failures = Mutex(1)

  init(folder: FolderStorage, _ moment: Moment) { (self.folder, self.moment) = (folder, moment) }

  private func failOnce() throws {
    let fails = failures.withLock { rest in
      defer { rest = 0 }
      return rest > 0
    }
    if fails { throw StorageError(.diskFull, "There is no room.") }
  }

  func finish(_ place: FileKey) throws {
    if moment == .beforeItIsKept { try failOnce() }
    try folder.finish(place)
    if moment == .afterItIsKept { try failOnce() }
  }

  func discardPart(of place: FileKey) throws {
    if moment == .discarding { try failOnce() }
    try folder.discardPart(of: place)
  }

  func partSize(of place: FileKey) throws -> Int64? { try folder.partSize(of: place) }
  func append(_ bytes: [UInt8], to place: FileKey, at offset: Int64) throws {
    try folder.append(bytes, to: place, at: offset)
  }
  func readPart(of place: FileKey, at offset: Int64, count: Int) throws -> [UInt8] {
    try folder.readPart(of: place, at: offset, count: count)
  }
  func size(of place: FileKey) throws -> Int64? { try folder.size(of: place) }
  func read(_ place: FileKey, at offset: Int64, count: Int) throws -> [UInt8]? {
    try folder.read(place, at: offset, count: count)
  }
  func remove(_ place: FileKey) throws {
    if moment == .removing { try failOnce() }
    try folder.remove(place)
  }
  func copy(from source: FileKey, to target: FileKey) throws -> Bool { try folder.copy(from: source, to: target) }
  func queues() throws -> [QueueID] { try folder.queues() }
  func removeParts(of queue: QueueID, before time: Timestamp) throws {
    try folder.removeParts(of: queue, before: time)
  }
}
