// The uploads of a store: when a file may be uploaded, when it is uploaded again, and when it is released or removed.

import Foundation
import GRDB
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing

@testable import ClientStore

@Suite struct FileMovingTests {
  private let temporary: TemporaryStore
  private let server = HandServer()
  private let moment = Moment(title: "Summit")
  private var store: ModelStore { temporary.store }
  private var queue: QueueID { moment.id.queueID }

  init() async throws {
    temporary = try TemporaryStore()
    try await reveal([store.state(of: moment, revision: 1)], upTo: 1)
  }

  private func reveal(_ objects: [ObjectState], upTo cursor: Int64) async throws {
    try await server.reveal(objects, upTo: cursor, to: store, in: queue)
  }

  private func file(_ byte: UInt8) async throws -> FileReference {
    try await store.files.add(from: .bytes([byte]), name: "a.jpg")
  }

  private func photo(_ file: FileReference) -> Photo {
    Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now)
  }

  private func place(_ file: FileReference) -> FileKey { FileKey(queue: queue, hash: file.hash) }

  private var uploads: [ContentHash] { store.nextUploads(limit: 10) { _, _ in true }.map(\.place.hash) }

  private static func day(_ number: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: number * FileFolder.day)
  }

  /// Creates a photo, and returns the id of the operation.
  private func create(_ photo: Photo) throws -> OperationID {
    store.create(photo)
    return try #require(store.pendingOperations.last).id
  }

  /// Sends an operation, which the server applies. With `files` the server answers instead that it waits for them.
  private func decide(_ operation: OperationID, waitsFor files: [ContentHash] = []) async throws {
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    if files.isEmpty { return try await server.answer(.applied, to: operation, at: 2, to: store, in: queue) }
    let decided = CommitAnswer.Decided(
      grant: ServerPages.grant, role: .owner, outcomes: [],
      waiting: [.init(operation: operation, files: files)])
    try await store.receive(decided, in: queue)
  }

  @Test func uploadsFileOnlyAfterItsOperationIsApplied() async throws {
    let file = try await file(1)
    let creation = try create(photo(file))
    try await store.waitUntilSaved()
    #expect(uploads.isEmpty, "what nothing names at the server it may collect")
    try await decide(creation)
    #expect(uploads == [file.hash])
  }

  /// Each turn of sync asks for a few uploads, and after an import 100,000 may wait. So no more are looked at than
  /// needed.
  @Test func looksAtNoMoreUploadsThanAsked() async throws {
    for byte in 0..<20 as Range<UInt8> { try await decide(create(photo(file(byte)))) }
    var asked = 0
    let work = store.nextUploads(limit: 3) { _, _ in
      asked += 1
      return true
    }
    #expect(work.count == 3)
    #expect(asked == 3)
  }

  @Test func fileUploadedBeforeItsObjectIsUploadedAgain() async throws {
    let file = try await file(1)
    let waiting = store.perform(Await(moment: moment.id, files: [file])).id
    let creation = try create(photo(file))
    try await store.waitUntilSaved()
    #expect(uploads == [file.hash], "an operation waits for it")
    try await store.didUpload(place(file), at: .zero)
    try await decide(waiting)
    #expect(uploads.isEmpty, "the server has waited for it, and keeps it")
    try await decide(creation)
    #expect(uploads == [file.hash], "it may have been collected before the photo named it")
  }

  @Test func newObjectNamingFileUploadsItAgain() async throws {
    let file = try await file(1)
    try await decide(create(photo(file)))
    try await store.didUpload(place(file), at: .zero)
    #expect(uploads.isEmpty)
    try await decide(create(photo(file)))
    #expect(uploads == [file.hash])
  }

  @Test func fileOfDeletedObjectIsNotUploaded() async throws {
    let photo = photo(try await file(1))
    try await decide(create(photo))
    try await reveal([store.state(of: photo, revision: 2)], upTo: 2)
    #expect(try await store.isWanted(place(photo.file)))
    try await reveal([ObjectState(id: photo.id.rawValue, revision: 3, live: nil)], upTo: 3)
    #expect(try await !store.isWanted(place(photo.file)))
    #expect(uploads.isEmpty)
    #expect(try store.isFileNamed(photo.file.hash), "its operation is retired, and may come back")
  }

  /// The operation that names the file is forgotten. The file stays, because a server restored to before the delete shows
  /// the object again.
  @Test func fileOfDeletedObjectIsUploadedAfterALoss() async throws {
    let photo = photo(try await file(1))
    try await decide(create(photo))
    try await reveal([store.state(of: photo, revision: 2)], upTo: 2)
    try await forgetRetired()
    try await reveal([ObjectState(id: photo.id.rawValue, revision: 3, live: nil)], upTo: 3)
    #expect(try await !store.isWanted(place(photo.file)))
    await store.sweepFiles()
    try await hearOfALoss(since: .zero)
    #expect(uploads.isEmpty, "the photo may still be deleted")
    try await reveal([store.state(of: moment, revision: 1), store.state(of: photo, revision: 2)], upTo: 2)
    #expect(uploads == [photo.file.hash])
  }

  /// Another device has undone the delete, and has no bytes of the file.
  @Test func fileOfDeletedObjectIsUploadedWhenTheObjectIsBack() async throws {
    let photo = try await deletedPhoto()
    #expect(try await !store.isWanted(place(photo.file)))
    try await reveal([store.state(of: photo, revision: 4)], upTo: 4)
    #expect(uploads == [photo.file.hash])
  }

  @Test func fileIsUploadedAsLongAsItsDeleteMayFail() async throws {
    let photo = photo(try await file(1))
    try await decide(create(photo))
    store.delete(photo.id)
    #expect(try await store.isWanted(place(photo.file)))
    #expect(uploads == [photo.file.hash])
  }

  /// The delete waits for the cursor, so the row of the object is still there. Sync asked for this file over and over,
  /// without a pause, until the page came.
  @Test func fileOfDecidedDeleteIsNotAskedForAgain() async throws {
    let photo = photo(try await file(1))
    try await decide(create(photo))
    try await reveal([store.state(of: photo, revision: 2)], upTo: 2)
    let delete = store.delete(photo.id).id
    try await store.waitUntilSaved()
    _ = try await store.send(in: queue)
    try await server.answer(.applied, to: delete, at: 3, to: store, in: queue)
    #expect(try await !store.isWanted(place(photo.file)))
    #expect(uploads.isEmpty)
  }

  @Test func fileOfDeletedObjectGoesAfterAWeek() async throws {
    let photo = try await deletedPhoto()
    #expect(try await !store.isWanted(place(photo.file)))
    let number = try await store.writer.sweepFiles(keptBefore: .now, named: [])
    #expect(number.isEmpty, "its operation is retired")
    try await forgetRetired()
    let unnamed = try await store.writer.sweepFiles(keptBefore: .now, named: [])
    #expect(unnamed == [photo.file.hash])
  }

  /// A photo whose create was applied, and that another device has deleted. Its file is still to be uploaded.
  private func deletedPhoto() async throws -> Photo {
    let photo = photo(try await file(1))
    try await decide(create(photo))
    try await reveal([store.state(of: photo, revision: 2)], upTo: 2)
    try await reveal([ObjectState(id: photo.id.rawValue, revision: 3, live: nil)], upTo: 3)
    return photo
  }

  /// A released file that must be uploaded again is moved out of the cache, where the system might remove it.
  @Test func fileToUploadAgainLeavesTheCache() async throws {
    let (file, folder) = (try await file(1), store.fileFolder)
    try await decide(create(photo(file)))
    try await store.didUpload(place(file), at: Self.day(1))
    try folder.release(file.hash)
    #expect(folder.path(of: file.hash) == folder.cached(file.hash))
    try await hearOfALoss(since: Self.day(1))
    #expect(uploads == [file.hash] && folder.path(of: file.hash) == folder.pending(file.hash))
  }

  @Test func newHistoryUploadsAllFilesAgain() async throws {
    let (old, new) = (try await file(1), try await file(2))
    try await decide(create(photo(old)))
    try await decide(create(photo(new)))
    try await store.didUpload(place(old), at: Self.day(1))
    try await store.didUpload(place(new), at: Self.day(10))
    try await hearOfALoss(since: Self.day(12))
    #expect(Set(uploads) == [old.hash, new.hash], "the folder of the server's files may be older than its database")
  }

  private func hearOfALoss(since time: Timestamp) async throws {
    #expect(try await store.isHistory(HistoryID(high: 1, low: 1)))
    try await store.hear(HistoryID(high: 1, low: 2), since: time, after: HistoryID(high: 1, low: 1))
  }

  /// A page without news, from a week later: no backup has operations that were retired before.
  private func forgetRetired() async throws {
    var page = server.page(upTo: store.place(of: queue).cursor, for: store, in: queue)
    page.time = Self.day(8)
    try await store.receive(page)
  }

  @Test func fileOfRetiredOperationIsNotReleased() async throws {
    let photo = photo(try await file(1))
    try await decide(create(photo))
    try await store.didUpload(place(photo.file), at: Self.day(1))
    try await reveal([store.state(of: photo, revision: 2)], upTo: 2)
    #expect(store.pendingOperations.isEmpty)
    try await store.releaseFiles(at: Self.day(30))
    let folder = store.fileFolder
    #expect(folder.path(of: photo.file.hash) == folder.pending(photo.file.hash), "a retired operation names it")
  }

  /// A server may lose the revocation, and the operation with its file too, so both are kept for it.
  @Test func revocationKeepsFilesThatMayHaveToBeUploaded() async throws {
    let (brought, pending) = (try await file(1), try await file(2))
    try await decide(create(photo(brought)))
    let photo = photo(pending)
    try await decide(create(photo))
    try await store.didUpload(place(brought), at: .zero)
    try await revoke()
    #expect(store.files.url(of: brought) != nil && store.files.url(of: pending) != nil)
    #expect(uploads.isEmpty)
    try await reveal([store.state(of: moment, revision: 1), store.state(of: photo, revision: 2)], upTo: 2)
    #expect(uploads == [pending.hash])
  }

  private func revoke() async throws {
    try await store.receive(.revoked(outcomes: [], retention: .zero), in: queue)
  }

  /// The file of an operation of a revoked queue is not swept, even if it seems old because the device's clock has gone
  /// ahead.
  @Test func fileOfRevokedOperationIsNotSwept() async throws {
    let file = try await file(1)
    _ = try create(photo(file))
    try await store.waitUntilSaved()
    try await revoke()
    let path = try #require(store.files.url(of: file)?.path)
    try store.fileFolder.disk.touch(path, at: 0)
    try await store.writer.ageFiles()
    await store.sweepFiles()
    #expect(store.files.url(of: file) != nil)
  }

  @Test func fileNamedByReportIsNotRemoved() async throws {
    let file = try await file(1)
    _ = try create(photo(file))
    try await store.waitUntilSaved()
    try await revoke()
    #expect(store.failedOperations.count == 1)
    let unnamed = try await store.writer.sweepFiles(keptBefore: .now, named: [])
    #expect(unnamed == [file.hash], "no row names it")
    store.removeUnnamed(unnamed)
    #expect(store.files.url(of: file) != nil)
  }

  /// Salvaging a store whose rows of files are lost or damaged finds the files through the operations that name them.
  @Test(arguments: ["DELETE FROM file", "UPDATE file SET state = 9"])
  func salvageFindsFilesThroughOperations(damage: String) async throws {
    let (sent, pending) = (try await file(1), try await file(2))
    let photo = photo(sent)
    try await decide(create(photo))
    try await store.didUpload(place(sent), at: Self.day(1))
    try await reveal([store.state(of: photo, revision: 2)], upTo: 2)
    _ = try create(self.photo(pending))
    try await store.waitUntilSaved()
    try await store.close()
    let database = try DatabaseQueue(path: temporary.folder + "/store.sqlite")
    try await database.write { try $0.execute(sql: damage) }
    try database.close()
    _ = try ModelStore.salvage(at: temporary.folder, schema: MomentsSchema.self, user: temporary.user)
    let salvaged = try temporary.reopen()
    #expect(salvaged.fileCounts.uploads == 2)
    for file in [sent, pending] {
      try salvaged.fileFolder.disk.touch(salvaged.fileFolder.pending(file.hash), at: 0)
    }
    await salvaged.sweepFiles()
    #expect(salvaged.files.url(of: sent) != nil && salvaged.files.url(of: pending) != nil)
  }

  /// Salvaging drops the confirmed rows, whose digest would tell that the server has lost history, and files with it.
  /// So the files of the last 7 days before the last upload are uploaded again.
  @Test func salvagedStoreUploadsRecentFilesAgain() async throws {
    for (number, day) in [(1, 1), (2, 10), (3, 12)] as [(UInt8, Int64)] {
      let file = try await file(number)
      try await decide(create(photo(file)))
      try await store.didUpload(place(file), at: Self.day(day))
    }
    #expect(store.fileCounts.uploads == 0)
    try await store.close()
    _ = try ModelStore.salvage(at: temporary.folder, schema: MomentsSchema.self, user: temporary.user)
    #expect(try temporary.reopen().fileCounts.uploads == 2, "the first one is older than any restore")
  }

  @Test func operationStopsWaitingAfterItsUpload() async throws {
    let (first, last) = (try await file(1), try await file(2))
    let waiting = store.perform(Await(moment: moment.id, files: [first, last])).id
    try await decide(waiting, waitsFor: [first.hash, last.hash])
    #expect(store.syncNeeds()[queue]?.waitsForFiles == true)
    try await store.didUpload(place(first), at: .zero)
    #expect(store.syncNeeds()[queue]?.waitsForFiles == true, "it waits for the last one too")
    try await store.didUpload(place(last), at: .zero)
    #expect(store.syncNeeds()[queue]?.waitsForFiles == false)
  }

  @Test func fileTheServerLacksIsUploadedAgain() async throws {
    let file = try await file(1)
    let waiting = store.perform(Await(moment: moment.id, files: [file])).id
    try await store.waitUntilSaved()
    try await store.didUpload(place(file), at: .zero)
    try await decide(waiting, waitsFor: [file.hash])
    #expect(uploads == [file.hash])
  }
}

extension StoreWriter {
  /// Makes it look as if the files had long been in their states.
  fileprivate func ageFiles() throws {
    try transaction { try $0.database.execute(sql: "UPDATE file SET since = 0") }
  }
}

/// Edits the moment once files are on the server.
private struct Await: ModelOperation {
  var moment: Moment.ID
  var files: [FileReference]

  static let operationName = "moment.await"
  static let fieldTable = FieldTable(projection: "moment.await", Field(1, "moment", \Self.moment))

  func evaluate(in context: inout OperationContext) throws {
    for file in files { context.requireUploaded(file) }
    var patch = PatchBuilder()
    patch.set(1, "with a picture")
    try context.edit(moment, patch)
  }
}
