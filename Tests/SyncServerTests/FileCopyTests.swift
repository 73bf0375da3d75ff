// Tests of files that the server copies from one queue into another, and of changes in between.

import Crypto
import Determinism
import Foundation
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct FileCopyTests {
  private let folder: TemporaryFolder
  private let time = SettableTime()
  private let storage: HookedStorage
  private let service: SyncService
  private let files: FileService
  private let bytes = Array("a picture of a mountain".utf8)
  private let hash: ContentHash
  private var origin: FileKey { FileKey(queue: .queue, hash: hash) }
  private var target: FileKey { FileKey(queue: Self.other, hash: hash) }
  private static let other = QueueID.queue(2)

  /// A queue of Anna with a file, where Ben reads, and a queue of Ben, where Anna writes and Cleo reads.
  init() async throws {
    folder = try TemporaryFolder()
    let storage = HookedStorage(try SQLiteStorage(path: folder.url("server.sqlite").path))
    self.storage = storage
    service = RuntimeEnvironment.$current.withValue(time.environment) { SyncService(storage: storage) }
    files = FileService(service, files: FolderStorage(path: folder.url("files").path), threads: 1)
    hash = try #require(ContentHash(bytes: Array(SHA256.hash(data: bytes))))
    try await Self.commit([.follow(.ben, as: .reader)], in: .queue, by: .anna, service)
    try await Self.commit([.follow(.anna), .follow(.cleo, as: .reader)], in: Self.other, by: .ben, service)
    guard case .part(var part) = try await files.begin(origin, at: 0, by: .anna) else {
      Issue.record("it is uploaded already")
      return
    }
    try await files.append(bytes, to: &part)
    try await files.finish(part)
  }

  private static func commit(
    _ members: [MemberChange] = [], _ objects: [ObjectChange] = [], in queue: QueueID, by user: UserID,
    _ service: SyncService
  ) async throws {
    let changes = OperationChanges(objects: objects, members: members)
    let mutation = CommitRequest.Mutation(UInt64.random(in: 1 ... .max), changes)
    let answer = try await service.commit(CommitRequest(queue: queue, mutations: [mutation]), by: user)
    guard case .decided(let decided) = answer.result else { throw RequestError(.badRequest, "It is refused.") }
    #expect(decided.outcomes.map(\.status) == [.applied])
  }

  private func copy(
    from source: QueueID = .queue, by user: UserID = .ben, with files: FileService? = nil
  ) async -> RequestError.Code? {
    do {
      #expect(try await (files ?? self.files).copy(target, from: source, by: user) == Int64(bytes.count))
      return nil
    } catch { return (error as? RequestError)?.code ?? .internalServerError }
  }

  private func names(in queue: QueueID) -> [String] {
    let path = folder.url("files/\(queue)").path
    return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func read(_ place: FileKey, by user: UserID = .ben) async throws -> [UInt8] {
    try await files.read(files.download(place, by: user), at: 0, count: 100)
  }

  /// With and without hard links.
  @Test(arguments: [true, false]) func copyAndOriginalOutliveEachOther(hasLinks: Bool) async throws {
    let folder = FolderStorage(path: folder.url("files").path, hasLinks: hasLinks)
    let files = FileService(service, files: folder, threads: 1)
    #expect(await copy(with: files) == nil)
    #expect(names(in: Self.other) == ["\(hash)"])
    #expect(try await read(target) == bytes)
    try await Self.commit([], [ObjectChange(.root, .delete)], in: .queue, by: .anna, service)
    try await files.performUpkeep(UpkeepRules())
    #expect(names(in: .queue) == [])
    #expect(try await read(target) == bytes)
    time.pass(days: 8)
    try await files.performUpkeep(UpkeepRules())
    #expect(names(in: Self.other) == [], "nothing names it")
    #expect(await copy(from: Self.other, with: files) == .notFound)
  }

  @Test(
    arguments: [
      ("reads here, writes there", UserID.ben, QueueID.queue, nil),
      ("no member here", .cleo, .queue, .forbidden), ("a reader there", .cleo, other, .forbidden),
      ("a queue that does not exist", .ben, .queue(9), .forbidden),
      ("another's home queue", .ben, SyncID.homeQueue(ofUser: .anna), .forbidden),
      ("a queue that has no such file", .ben, other, .notFound),
    ] as [(String, UserID, QueueID, RequestError.Code?)])
  func copyNeedsRightsInBothQueues(name: String, user: UserID, source: QueueID, expected: RequestError.Code?)
    async throws
  {
    #expect(await copy(from: source, by: user) == expected, "\(name)")
    #expect(names(in: Self.other).isEmpty == (expected != nil), "\(name)")
  }

  @Test func refusesToCopyAPart() async throws {
    let place = FileKey(queue: .queue, hash: ContentHash(words: (1, 2, 3, 4)))
    guard case .part(var part) = try await files.begin(place, at: 0, by: .anna) else {
      Issue.record("it is uploaded already")
      return
    }
    try await files.append([1, 2, 3], to: &part)
    await #expect(throws: RequestError.self) {
      try await files.copy(FileKey(queue: Self.other, hash: place.hash), from: .queue, by: .ben)
    }
  }

  /// The file is there already, so the server does not look at the source again.
  @Test func repeatedCopyNeedsNoRightToItsSource() async throws {
    #expect(await copy() == nil)
    try await Self.commit([.unfollow(.ben)], in: .queue, by: .anna, service)
    #expect(await copy() == nil)
  }

  @Test func reportsNotFoundWhereUpkeepRemovesTheSource() async throws {
    time.pass(days: 8)
    let files = files
    storage.afterNextRead { try await files.performUpkeep(UpkeepRules()) }
    #expect(await copy() == .notFound)
    #expect(names(in: Self.other) == [])
  }

  /// Ben's membership of either queue ends, after the server has read the memberships (`isEarly`) or after it has
  /// copied the bytes.
  @Test(arguments: [true, false], [true, false])
  func copyEndsWithEitherMembership(isOfSource: Bool, isEarly: Bool) async throws {
    let service = service
    let end: HookedStorage.Hook = {
      isOfSource
        ? try await Self.commit([.unfollow(.ben)], in: .queue, by: .anna, service)
        : try await Self.commit([.unfollow(.ben)], in: Self.other, by: .ben, service)
    }
    if !isOfSource {
      try await Self.commit([.role(.anna, .owner)], in: Self.other, by: .ben, service)
    }
    if isEarly { storage.afterNextRead(end) } else { storage.beforeNextWrite(end) }
    #expect(await copy() == (isEarly ? .unavailable : .forbidden))
    #expect(names(in: Self.other) == [], "nothing stays")
    #expect(await copy() == .forbidden)
  }

  /// Ben is removed and added again during the copy. It is refused, though his new membership would let him copy.
  @Test func copyEndsThoughTheMembershipBeginsAgain() async throws {
    let service = service
    storage.beforeNextWrite {
      try await Self.commit([.unfollow(.ben)], in: .queue, by: .anna, service)
      try await Self.commit([.follow(.ben)], in: .queue, by: .anna, service)
    }
    #expect(await copy() == .forbidden)
    #expect(names(in: Self.other) == [])
    #expect(await copy() == nil)
  }

  @Test func leavesNothingWhereTheQueueEnds() async throws {
    let service = service
    storage.beforeNextWrite {
      try await Self.commit([], [ObjectChange(Self.other.root, .delete)], in: Self.other, by: .ben, service)
    }
    #expect(await copy() == .forbidden)
    #expect(names(in: Self.other) == [])
  }

  @Test func refusedCopyKeepsTheFileOfAnotherOne() async throws {
    let (service, files, target) = (service, files, target)
    storage.beforeNextWrite {
      _ = try await files.copy(target, from: .queue, by: .anna)
      try await Self.commit([.unfollow(.ben)], in: .queue, by: .anna, service)
    }
    #expect(await copy() == .forbidden)
    #expect(try await read(target) == bytes)
  }

  /// The database fails after the bytes were copied. They count as no file until a second copy records them.
  @Test func failedCopyCanBeRepeated() async throws {
    storage.failNextWrite(.before)
    #expect(await copy() == .internalServerError)
    await #expect(throws: RequestError.self) { try await files.status(of: target, by: .ben) }
    #expect(await copy() == nil)
    #expect(try await read(target) == bytes)
  }

  @Test func uploadThatIsRefusedAtItsEndLeavesNoBytes() async throws {
    let place = FileKey(queue: Self.other, hash: hash)
    guard case .part(var part) = try await files.begin(place, at: 0, by: .anna) else {
      Issue.record("it is uploaded already")
      return
    }
    try await files.append(bytes, to: &part)
    let service = service
    storage.beforeNextWrite { try await Self.commit([.role(.anna, .reader)], in: Self.other, by: .ben, service) }
    await #expect(throws: RequestError.self) { try await files.finish(part) }
    #expect(names(in: Self.other) == [])
  }
}
