// Tests of how long the server keeps files that fields of objects name.

import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct NamedFileTests {
  private let server: FileServer
  private let one = ContentHash(of: Array("a mountain".utf8))
  private let two = ContentHash(of: Array("a lake".utf8))

  /// A queue of Anna with two files, and Ben as a writer.
  init() async throws {
    server = try FileServer()
    try await server.commit([.follow(.ben)])
    for text in ["a mountain", "a lake"] { try await server.upload(Array(text.utf8)) }
  }

  @discardableResult
  private func commit(
    _ number: UInt64, _ change: ObjectChange, _ fields: [Int: [ContentHash]], by user: UserID = .anna
  ) async throws -> OperationOutcome.Status? {
    var change = change
    change.files = fields.sorted { $0.key < $1.key }.map { FileField(tag: $0.key, of: $0.value) }
    return try await server.commit(OperationChanges(objects: [change]), number: number, by: user)
  }

  /// Passes eight days, runs upkeep, and returns which of the two files are left.
  private func kept() async throws -> [ContentHash] {
    server.time.pass(days: 8)
    try await server.performUpkeep()
    let found = try server.database.read { try $0.files(after: nil, limit: 10) }
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
    server.time.pass(days: 8)
    try await server.performUpkeep()
    #expect(try await commit(2, .create(2, "b"), [3: [two]]) == .applied)
    try await server.upload(Array("a lake".utf8))
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
    server.time.pass(days: 6)
    try await server.performUpkeep()
    #expect(try await server.files.status(of: FileKey(queue: .queue, hash: one), by: .anna).isComplete)
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

  /// Both files stay, because the server does not know whether the create, or the upsert, has filled the field.
  @Test(arguments: [false, true]) func createOverAnObjectAddsFilesOnly(isUpsert: Bool) async throws {
    try await commit(1, .create(1, "a"), [3: [one]])
    var edit = PatchBuilder()
    if isUpsert { edit.set(2, "b") }
    let create = ObjectChange(.object(1), .create(type: "note", try edit.patch(filling: [])))
    #expect(try await commit(2, create, [3: [two]], by: isUpsert ? .anna : .ben) == .applied)
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
    try await server.commit(OperationChanges(objects: [.create(1, "a")], files: [one]))
    try await commit(2, .set(1, "b"), [3: [one]])
    try await commit(3, .set(1, "c"), [3: [two]])
    #expect(try await kept() == [one, two])
  }

  @Test func filesEndWithTheirQueue() async throws {
    try await commit(1, ObjectChange.create(id: .root, "root"), [3: [one]])
    #expect(try await commit(2, ObjectChange(.root, .delete), [:]) == .applied)
    try await server.performUpkeep()
    #expect(try server.database.read { try $0.files(after: nil, limit: 10) }.isEmpty)
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
    #expect(try await server.commit(changes) == .rejected(RejectionCode.tooLarge))
  }
}

/// The right to a field covers its files. Otherwise a writer could make the server drop the files of a field that only
/// owners change.
@Suite(.onEachStorage) struct NamedFileRightTests {
  private let access = ObjectAccess(fields: [3: [.owner]])
  private let hash = ContentHash(words: (1, 2, 3, 4))

  private func judged(_ action: ObjectChange.Action, isCreator: Bool?, _ role: QueueRole = .writer) -> ObjectChange? {
    let change = ObjectChange(.object(1), action, files: [FileField(tag: 3, hashes: [hash])])
    let sender = AccessStanding(
      of: UserID(high: 1, low: 1), as: role, to: change.object, in: .zero, of: "Test", under: access,
      content: isCreator == nil ? nil : [],
      creator: isCreator.map { UserID(high: 1, low: $0 ? 1 : 2) })
    return access.admitted(change, of: sender)
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
