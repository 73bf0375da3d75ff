// The uploads in memory are those of the rows, in every order of events.

import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import SyncProtocol
import TestSupport
import Testing

@testable import ClientStore

@Suite struct FileTableTests {
  private let temporary: TemporaryStore
  private let server = HandServer()
  private var store: ModelStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  /// A moment in a loaded queue.
  private func moment() async throws -> Moment {
    let moment = Moment(title: "Summit")
    try await server.reveal([store.state(of: moment, revision: 1)], upTo: 1, to: store, in: moment.id.queueID)
    return moment
  }

  private func photo(_ bytes: [UInt8], in moment: Moment) async throws -> Photo {
    let file = try await store.files.add(from: .bytes(bytes), name: "a.jpg")
    return Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now)
  }

  private func place(_ photo: Photo, in moment: Moment) -> FileKey {
    FileKey(queue: moment.id.queueID, hash: photo.file.hash)
  }

  private func expectUploadsOfRows() async throws {
    let rows = try await store.writer.uploads()
    #expect(store.fileTable.withLock { Set($0.uploads.keys) } == Set(rows.keys))
  }

  /// The file was saved and then kept for its gone queue, and memory took both in the other way round: the progress was
  /// never idle again.
  @Test func revocationDuringSaveLeavesNoUpload() async throws {
    for round in 0..<50 as Range<UInt8> {
      let moment = try await moment()
      store.create(try await photo([round], in: moment))
      try await store.receive(.revoked(outcomes: [], retention: .zero), in: moment.id.queueID)
      try await store.waitUntilSaved()
      try await expectUploadsOfRows()
    }
  }

  /// The file was uploaded and then named again, and memory took both in the other way round: it stayed on the device
  /// until the next start.
  @Test func fileNamedDuringItsUploadIsUploadedAgain() async throws {
    let moment = try await moment()
    for round in 0..<50 as Range<UInt8> {
      let photo = try await photo([round], in: moment)
      store.create(photo)
      try await store.waitUntilSaved()
      store.create(Photo(moment: moment.id, owner: .zero, file: photo.file, takenAt: .now))
      try await store.didUpload(place(photo, in: moment), at: .zero)
      try await store.waitUntilSaved()
      try await expectUploadsOfRows()
    }
  }

  /// A page that brought one file again made the attempts of all others of its queue due at once.
  @Test func uploadThatIsNamedAgainKeepsItsFailure() {
    var table = FileTable()
    let place = FileKey(queue: .zero, hash: ContentHash(of: [1]))
    let failure = QueueFailure(attempts: 3, retryAt: .now, message: "no network")
    table.take([place: FileTable.Upload(number: 1, objects: [], size: 10)])
    table.update(place) { ($0.sent, $0.failure) = (5, failure) }
    table.take([place: FileTable.Upload(number: 1, objects: [.zero], size: nil)])
    #expect(table.uploads[place] == FileTable.Upload(number: 1, objects: [.zero], size: 10, sent: 5, failure: failure))
  }

  /// Nobody was told that a file was added, evicted, or gone with its queue.
  @Test func statusIsToldWhereverTheBytesAre() async throws {
    let moment = try await moment()
    let hash = ContentHash(of: [1])
    let file = FileReference(hash: hash, size: 1, mime: "image/jpeg", name: "a.jpg")
    let photo = Photo(moment: moment.id, owner: .zero, file: file, takenAt: .now)
    let place = place(photo, in: moment)
    var statuses = store.files.statusUpdates(of: photo.file, in: place.queue).makeAsyncIterator()
    #expect(await statuses.next() == .remote)
    _ = try await store.files.add(from: .bytes([1]), name: "a.jpg")
    #expect(await statuses.next() == .local)
    store.create(photo)
    #expect(await statuses.next() == .uploading(sent: 0, of: 1))
    try await store.didUpload(place, at: .zero)
    #expect(await statuses.next() == .uploaded)
    try store.fileFolder.release(hash)
    try store.fileFolder.makeRoom(of: CachedName(hash))
    #expect(await statuses.next() == .remote)
    _ = try await store.files.add(from: .bytes([1]), name: "a.jpg")
    #expect(await statuses.next() == .uploaded)
    try await store.receive(.revoked(outcomes: [], retention: .zero), in: place.queue)
    #expect(await statuses.next() == .local, "an operation names it still")
  }

  /// It stayed held until the next start.
  @Test func uploadWhoseBytesAreBackGoesAgain() async throws {
    let moment = try await moment()
    let photo = try await photo([1], in: moment)
    store.create(photo)
    try await store.waitUntilSaved()
    let place = place(photo, in: moment)
    for (error, isHeld) in [(FileError(.tooLarge, "too large"), true), (FileError(.lost, "gone"), false)] {
      try await store.fail(error, QueueFailure(attempts: 1, retryAt: .now, message: "why"), of: place)
      store.create(Photo(moment: moment.id, owner: .zero, file: photo.file, takenAt: .now))
      try await store.waitUntilSaved()
      let upload = try #require(store.fileTable.withLock { $0.uploads[place] })
      #expect((upload.error != nil, upload.failure != nil) == (isHeld, isHeld))
      #expect(upload.request == (isHeld ? 0 : 1))
    }
  }

  /// A file that was only fetched counted as named before all others, and overtook them.
  @Test func fetchedFileTakesItsTurnOnceNamed() async throws {
    let moment = try await moment()
    let (first, fetched) = (try await photo([1], in: moment), try await photo([2], in: moment))
    try await store.writer.storeFetched(place(fetched, in: moment))
    for photo in [first, fetched] {
      store.create(photo)
      try await store.waitUntilSaved()
    }
    let numbers = store.fileTable.withLock { table in
      [first, fetched].map { table.uploads[place($0, in: moment)]?.number ?? 0 }
    }
    #expect(numbers[0] < numbers[1])
  }
}

extension StoreWriter {
  fileprivate func uploads() throws -> StoredFiles.Uploads {
    try transaction { try StoredFiles.uploads($0.database) }
  }
}
