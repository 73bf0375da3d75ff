// Tests of how long the server keeps files that fields of objects name.

import Crypto
import Determinism
import Foundation
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct NamedFileTests {
  private let folder: TemporaryFolder
  private let time = SettableTime()
  private let storage: SQLiteStorage
  private let service: SyncService
  private let files: FileService
  private let one: ContentHash
  private let two: ContentHash

  /// A queue of Anna with two files, and Ben as a writer.
  init() async throws {
    folder = try TemporaryFolder()
    let storage = try SQLiteStorage(path: folder.url("server.sqlite").path)
    self.storage = storage
    service = RuntimeEnvironment.$current.withValue(time.environment) { SyncService(storage: storage) }
    files = FileService(service, files: FolderStorage(path: folder.url("files").path), threads: 1)
    let (first, second) = (Array("a mountain".utf8), Array("a lake".utf8))
    one = try #require(ContentHash(bytes: Array(SHA256.hash(data: first))))
    two = try #require(ContentHash(bytes: Array(SHA256.hash(data: second))))
    try await commit(0, OperationChanges(members: [.follow(.ben)]))
    try await upload(first, one)
    try await upload(second, two)
  }

  private func upload(_ bytes: [UInt8], _ hash: ContentHash) async throws {
    guard case .part(var part) = try await files.begin(FileKey(queue: .queue, hash: hash), at: 0, by: .anna)
    else { return }
    try await files.append(bytes, to: &part)
    try await files.finish(part)
  }

  @discardableResult
  private func commit(
    _ number: UInt64, _ changes: OperationChanges, by user: UserID = .anna
  ) async throws -> OperationOutcome.Status? {
    let request = CommitRequest(queue: .queue, mutations: [CommitRequest.Mutation(number, changes)])
    guard case .decided(let decided) = try await service.commit(request, by: user).result else { return nil }
    #expect(decided.waiting.isEmpty)
    return decided.outcomes.first?.status
  }

  @discardableResult
  private func commit(
    _ number: UInt64, _ change: ObjectChange, _ fields: [Int: [ContentHash]], by user: UserID = .anna
  ) async throws -> OperationOutcome.Status? {
    var change = change
    change.files = fields.sorted { $0.key < $1.key }.map { FileField(tag: $0.key, of: $0.value) }
    return try await commit(number, OperationChanges(objects: [change]), by: user)
  }

  /// Passes eight days, runs upkeep, and returns which of the two files are left.
  private func kept() async throws -> [ContentHash] {
    time.pass(days: 8)
    try await files.performUpkeep(UpkeepRules())
    let found = try storage.read { try $0.files(after: nil, limit: 10) }
    return [one, two].filter { hash in found.contains { $0.place.hash == hash } }
  }

  @Test func keepsAFileThatAPlainCreateNames() async throws {
    #expect(try await commit(1, .create(1, "a"), [3: [one]]) == .applied)
    #expect(try await kept() == [one])
    #expect(try await commit(2, .delete(1), [:]) == .applied)
    #expect(try await kept() == [])
  }

  @Test func keepsAFileThatComesAfterItsObject() async throws {
    #expect(try await commit(1, .create(1, "a"), [3: [one]]) == .applied)
    time.pass(days: 8)
    try await files.performUpkeep(UpkeepRules())
    #expect(try await commit(2, .create(2, "b"), [3: [two]]) == .applied)
    try await upload(Array("a lake".utf8), two)
    #expect(try await kept() == [one, two])
  }

  @Test func patchReplacesTheFilesOfItsFieldsOnly() async throws {
    try await commit(1, .create(1, "a"), [3: [one], 4: [one]])
    try await commit(2, .set(1, "b"), [3: [two]])
    #expect(try await kept() == [one, two], "field 4 names the one")
    try await commit(3, .set(1, "c"), [4: []])
    #expect(try await kept() == [two])
  }

  @Test func replacedFileStaysSevenDaysAfterItCame() async throws {
    try await commit(1, .create(1, "a"), [3: [one]])
    try await commit(2, .set(1, "b"), [3: [two]])
    time.pass(days: 6)
    try await files.performUpkeep(UpkeepRules())
    #expect(try await files.status(of: FileKey(queue: .queue, hash: one), by: .anna).isComplete)
    #expect(try await kept() == [two])
  }

  @Test func patchThatChangesNothingStillNamesFiles() async throws {
    try await commit(1, .create(1, "a"), [3: [one]])
    #expect(try await commit(2, .set(1, "a"), [3: [two]]) == .applied)
    #expect(try await kept() == [two])
  }

  @Test func keepsAllFilesOfAList() async throws {
    try await commit(1, .create(1, "a"), [3: [one, two]])
    #expect(try await kept() == [one, two])
    try await commit(2, .set(1, "b"), [3: [two]])
    #expect(try await kept() == [two])
  }

  /// Both files stay, because the server does not know whether the create has filled the field.
  @Test func createOverAnObjectAddsFilesOnly() async throws {
    try await commit(1, .create(1, "a"), [3: [one]])
    #expect(try await commit(2, .create(1, "b"), [3: [two]], by: .ben) == .applied)
    #expect(try await kept() == [one, two])
  }

  @Test func upsertAddsFilesOnly() async throws {
    try await commit(1, .create(1, "a"), [3: [one]])
    var edit = PatchBuilder()
    edit.set(2, "b")
    let upsert = ObjectChange(.object(1), .create(type: "note", try edit.patch(filling: [])))
    #expect(try await commit(2, upsert, [3: [two]]) == .applied)
    #expect(try await kept() == [one, two])
  }

  @Test func revivedObjectNamesTheFilesOfItsCreateOnly() async throws {
    try await commit(1, .create(1, "a"), [3: [one]])
    try await commit(2, .delete(1), [:])
    try await commit(3, .create(1, "b", Revival(isReviving: true)), [3: [two]])
    #expect(try await kept() == [two])
  }

  @Test func changeWithoutEffectNamesNoFiles() async throws {
    #expect(try await commit(1, .set(1, "a"), [3: [one]]) == .noEffect)
    try await commit(2, .create(2, "a"), [:])
    try await commit(3, .delete(2), [:])
    #expect(try await commit(4, .create(2, "b"), [3: [two]]) == .noEffect)
    #expect(try await kept() == [])
  }

  @Test func filesThatAnOperationWaitedForStayWithItsObject() async throws {
    try await commit(1, OperationChanges(objects: [.create(1, "a")], files: [one]))
    try await commit(2, .set(1, "b"), [3: [one]])
    try await commit(3, .set(1, "c"), [3: [two]])
    #expect(try await kept() == [one, two])
  }

  @Test func filesEndWithTheirQueue() async throws {
    try await commit(1, ObjectChange.create(id: .root, "root"), [3: [one]])
    #expect(try await commit(2, ObjectChange(.root, .delete), [:]) == .applied)
    try await files.performUpkeep(UpkeepRules())
    #expect(try storage.read { try $0.files(after: nil, limit: 10) }.isEmpty)
  }

  @Test func boundsTheFilesThatAMutationNames() async throws {
    let many = (1...UInt64(ProtocolLimits.files)).map { ContentHash(words: ($0, 1, 1, 1)) }
    let half = Array(many.prefix(many.count / 2))
    #expect(try await commit(1, .create(1, "a"), [3: many]) == .applied)
    #expect(try await commit(2, .create(2, "a"), [3: many, 4: [one]]) == .rejected(RejectionCode.tooLarge))
    #expect(try await commit(3, .create(2, "a"), [3: half, 4: half]) == .applied)
  }

  /// The server would have to note each of 1,000 files for each of 101 objects.
  @Test func boundsObjectsTimesFilesOfAMutation() async throws {
    let files = (1...UInt64(1_000)).map { ContentHash(words: ($0, 1, 1, 1)) }
    let objects = (1...UInt64(101)).map { ObjectChange.create($0, "a") }
    let changes = OperationChanges(objects: objects, files: files)
    #expect(try await commit(1, changes) == .rejected(RejectionCode.tooLarge))
  }
}

/// The right to a field covers its files. Otherwise a writer could make the server drop the files of a field that only
/// owners change.
@Suite struct NamedFileRightTests {
  private let access = ObjectAccess(fields: [3: [.owner]])
  private let hash = ContentHash(words: (1, 2, 3, 4))

  private func judged(_ action: ObjectChange.Action, isCreator: Bool?, _ role: QueueRole = .writer) -> ObjectChange? {
    let change = ObjectChange(.object(1), action, files: [FileField(tag: 3, hashes: [hash])])
    return access.admitted(change, of: AccessStanding(role: role, isCreator: isCreator, isRoot: false))
  }

  @Test func patchesNeedTheRightToTheFieldsWhoseFilesTheyName() throws {
    let patch = ObjectChange.Action.patch(try Patch(set: [0x12, 1, 0x78]))
    #expect(judged(patch, isCreator: true) == nil)
    #expect(judged(patch, isCreator: true, .owner)?.files.map(\.tag) == [3])
    #expect(judged(patch, isCreator: nil) != nil, "there is nothing to change")
  }

  @Test func createsNeedTheRightToFieldsWhoseFilesTheyName() throws {
    let create = ObjectChange.Action.create(type: "note", try PatchBuilder().patch(filling: [0x12, 1, 0x78]))
    #expect(judged(create, isCreator: nil) == nil)
    #expect(judged(create, isCreator: nil, .owner)?.files.map(\.tag) == [3])
    #expect(judged(create, isCreator: false)?.files == [], "the field is not filled")
    #expect(judged(create, isCreator: false, .owner)?.files.map(\.tag) == [3])
  }
}
