// Tests of quotas: how many bytes of files fit into a queue, and how many a user may upload.

import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite(.onEachStorage) struct FileQuotaTests {
  private let server: FileServer
  private var time: SettableTime { server.time }
  private static let other = QueueID.queue(2)

  /// Two queues of Anna, with Ben as a writer.
  init() async throws {
    server = try FileServer()
    for queue in [.queue, Self.other] { try await server.commit([.follow(.ben)], in: queue) }
  }

  private func files(queueBytes: Int64? = nil, userBytes: Int64? = nil) -> FileService {
    server.files(FileQuota(queueBytes: queueBytes, userBytes: userBytes))
  }

  /// Ten bytes.
  private func bytes(_ number: Int) -> [UInt8] { Array("picture  \(number)".utf8) }

  private func place(_ bytes: [UInt8], in queue: QueueID = .queue) -> FileKey {
    FileKey(queue: queue, hash: ContentHash(of: bytes))
  }

  private func begin(
    _ bytes: [UInt8], in queue: QueueID = .queue, by user: UserID = .anna, at offset: Int64 = 0, _ files: FileService
  ) async throws -> FilePart {
    try await server.begin(place(bytes, in: queue), at: offset, by: user, files)
  }

  private func upload(
    _ bytes: [UInt8], in queue: QueueID = .queue, by user: UserID = .anna, _ files: FileService
  ) async -> RequestError.Code? {
    await refusal { try await server.upload(bytes, in: queue, by: user, files) }
  }

  private func bytes(in queue: QueueID = .queue) throws -> Int64 {
    try server.database.read { try $0.fileBytes(in: queue) }
  }

  private func bytes(broughtBy user: UserID) throws -> Int64 {
    try server.database.read { try $0.fileBytes(broughtBy: user) }
  }

  @Test func refusesFilesBeyondTheQuotaOfAQueue() async throws {
    let files = files(queueBytes: 25)
    for number in 1...2 { #expect(await upload(bytes(number), by: number == 1 ? .anna : .ben, files) == nil) }
    for user in [UserID.anna, .ben] { #expect(await upload(bytes(3), by: user, files) == .quotaExceeded) }
    #expect(try bytes() == 20)
    #expect(
      server.names() == [bytes(1), bytes(2)].map { "\(place($0).hash)" }.sorted(), "nothing of the third is there")
    #expect(await upload(Array("small".utf8), files) == nil, "there is room for five")
    #expect(await upload(bytes(3), in: Self.other, files) == nil, "another queue has room of its own")
    // Files that go make room.
    time.pass(days: 8)
    try await files.performUpkeep(UpkeepRules())
    #expect(try bytes() == 0 && bytes(broughtBy: .anna) == 0 && bytes(broughtBy: .ben) == 0)
    #expect(await upload(bytes(3), files) == nil)
  }

  @Test func countsTheFilesOfAUserOverAllQueues() async throws {
    let files = files(userBytes: 15)
    #expect(await upload(bytes(1), files) == nil)
    #expect(await upload(bytes(2), in: Self.other, files) == .quotaExceeded)
    #expect(await upload(bytes(2), in: Self.other, by: .ben, files) == nil)
    #expect(try bytes(broughtBy: .anna) == 10 && bytes(broughtBy: .ben) == 10)
  }

  @Test func countsAFileOnceForTheUserWhoBroughtItFirst() async throws {
    let files = files(userBytes: 15)
    #expect(await upload(bytes(1), files) == nil)
    #expect(await upload(bytes(1), by: .ben, files) == nil)
    #expect(try bytes() == 10 && bytes(broughtBy: .anna) == 10 && bytes(broughtBy: .ben) == 0)
    #expect(await upload(bytes(2), by: .ben, files) == nil)
  }

  /// There is room for each of two uploads when it begins. The first takes it with its first bytes.
  @Test func refusesTheSecondOfTwoUploadsAtItsFirstBytes() async throws {
    let files = files(queueBytes: 15)
    var first = try await begin(bytes(1), files)
    var second = try await begin(bytes(2), by: .ben, files)
    try await files.append(bytes(1), to: &first)
    #expect(await refusal { try await files.append(bytes(2), to: &second) } == .quotaExceeded)
    try await files.finish(first)
    #expect(server.names() == ["\(place(bytes(1)).hash)"])
    #expect(try bytes() == 10 && bytes(broughtBy: .ben) == 0)
    #expect(await refusal { _ = try await files.status(of: place(bytes(2)), by: .ben) } == .notFound)
  }

  /// A copy takes no room before its end, so the end of an upload looks again.
  @Test func refusesAnUploadAtItsEnd() async throws {
    let small = files(queueBytes: 10)
    var part = try await begin(bytes(1), files())
    try await files().append(bytes(1), to: &part)
    #expect(await upload(Array("small".utf8), files()) == nil)
    #expect(await refusal { try await small.finish(part) } == .quotaExceeded)
    #expect(try bytes() == 5 && bytes(broughtBy: .anna) == 5)
    #expect(server.names() == ["\(place(Array("small".utf8)).hash)"], "nothing of it stays")
  }

  /// Uploads that never end fill no disk (cases/server/h_quota_bypass).
  @Test func unfinishedUploadsCount() async throws {
    let files = files(queueBytes: 25, userBytes: 15)
    func bring(_ number: Int, by user: UserID) async -> RequestError.Code? {
      await refusal {
        var part = try await begin(bytes(number), by: user, files)
        try await files.append(bytes(number), to: &part)
      }
    }
    #expect(await bring(1, by: .anna) == nil)
    #expect(await bring(2, by: .anna) == .quotaExceeded, "the user has no room")
    #expect(await bring(3, by: .ben) == nil)
    #expect(await bring(4, by: .ben) == .quotaExceeded)
    #expect(try bytes() == 20 && bytes(broughtBy: .anna) == 10 && bytes(broughtBy: .ben) == 10)
    // If Anna went on with Ben's upload, it would count for her, and she has no room for it.
    #expect(await refusal { _ = try await begin(bytes(3), at: 10, files) } == .quotaExceeded)
    // Other bytes than those of the name give the room back, and so does upkeep once an upload has stopped.
    var more = try await begin(bytes(1), at: 10, files)
    try await files.append([1], to: &more)
    let part = try await begin(bytes(1), at: 11, files)
    #expect(await refusal { try await files.finish(part) } == .hashMismatch)
    #expect(try bytes() == 10 && bytes(broughtBy: .anna) == 0)
    time.pass(days: 30_000)
    try await files.performUpkeep(UpkeepRules())
    #expect(try bytes() == 0 && server.names() == [])
  }

  /// Each takes a block of the disk and a name, however short it is.
  @Test func unfinishedUploadsOfAUserAreBounded() async throws {
    var quota = FileQuota()
    quota.userParts = 3
    let files = server.files(quota)
    for number in 1...4 {
      let queue = number == 2 ? Self.other : .queue
      let code = await refusal {
        var part = try await begin(bytes(number), in: queue, files)
        try await files.append([1], to: &part)
        try await files.append([2], to: &part)
      }
      #expect(code == (number == 4 ? .quotaExceeded : nil))
    }
    var part = try await begin(bytes(4), by: .ben, files)
    try await files.append([1], to: &part)
  }

  /// Room is taken in steps, and never more than the file needs where the client tells its size.
  @Test func roomIsTakenInSteps() async throws {
    let place = place(bytes(1))
    func room(_ size: Int64, of whole: Int64? = nil, _ quota: FileQuota = .none) throws -> Int64 {
      try server.database.write(to: .queue) { try quota.takeRoom(size, of: whole, for: place, by: .anna, $0) }
    }
    let step: Int64 = 1 << 20
    #expect(try room(10) == 10 + step && bytes() == 10 + step)
    #expect(try room(80 * step) == 90 * step && bytes(broughtBy: .anna) == 90 * step)
    #expect(try room(10, of: 12) == 12 && room(10, of: 3) == 10)
    #expect(try room(10, FileQuota(queueBytes: 50)) == 15, "an eighth of the rest")
    #expect(try bytes() == 15)
  }

  @Test func copyOfAFileThatIsThereNeedsNoRoom() async throws {
    let files = files(queueBytes: 15)
    let again = self.files(queueBytes: 15)
    var first = try await begin(bytes(1), files)
    try await files.append(bytes(1), to: &first)
    try await files.finish(first)
    #expect(try await again.copy(place(bytes(1)), from: Self.other, by: .ben) == 10)
    #expect(try bytes() == 10)
  }

  @Test func refusesCopiesWithoutRoom() async throws {
    #expect(await upload(bytes(1), files()) == nil)
    #expect(await upload(bytes(2), in: Self.other, files()) == nil)
    let target = place(bytes(1), in: Self.other)
    func copy(_ files: FileService, by user: UserID) async -> RequestError.Code? {
      await refusal { _ = try await files.copy(target, from: .queue, by: user) }
    }
    #expect(await copy(files(queueBytes: 19), by: .ben) == .quotaExceeded)
    #expect(await copy(files(userBytes: 29), by: .anna) == .quotaExceeded)
    #expect(server.names(in: Self.other).count == 1)
    #expect(await copy(files(queueBytes: 20, userBytes: 10), by: .ben) == nil)
    #expect(try bytes(in: Self.other) == 20 && bytes(broughtBy: .ben) == 10)
  }

  /// The bytes of an upload that the quota refuses stay, as those of every upload that stops.
  @Test func uploadGoesOnOnceThereIsRoom() async throws {
    let small = files(queueBytes: 8)
    var part = try await begin(bytes(1), small)
    try part.checkRoom(for: 8)
    #expect(throws: RequestError.self) { try part.checkRoom(for: 9) }
    try await small.append(Array(bytes(1).prefix(8)), to: &part)
    #expect(await refusal { try await small.append([1], to: &part) } == .quotaExceeded)
    let large = files(queueBytes: 10)
    var rest = try await begin(bytes(1), at: 8, large)
    try await large.append(Array(bytes(1).dropFirst(8)), to: &rest)
    try await large.finish(rest)
    #expect(try bytes() == 10)
    // The operator lowers the quota again, and not even an empty file fits.
    #expect(await upload([], small) == .quotaExceeded)
    #expect(await upload(bytes(1), small) == nil, "it is there")
  }

  @Test func filesThatARestoreLostTakeNoRoom() async throws {
    #expect(await upload(bytes(1), files()) == nil)
    try server.folder.remove("files/\(QueueID.queue)/\(place(bytes(1)).hash)")
    #expect(try await files().forgetMissing() == 1)
    #expect(try bytes() == 0 && bytes(broughtBy: .anna) == 0)
  }
}
