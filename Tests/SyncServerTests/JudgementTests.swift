// Tests of a server with an access table: each mutation is judged by the present role of its sender, and by the present
// creator of the object.

import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite(.onEachStorage) struct JudgementTests {
  private let forbidden = OperationOutcome.Status.rejected(RejectionCode.forbidden)

  /// Field 2 is the text of a note, field 3 is for owners.
  private static let notes = ObjectAccess(delete: [.creator, .owner], fields: [3: [.owner]])

  /// Anna owns the queue, ben writes, cleo reads; note 1 is anna's, note 2 ben's.
  private func server(_ types: [String: ObjectAccess] = ["note": notes]) async throws -> TestServer {
    let server = try TestServer()
    server.service.serve(AccessTables(["": AccessTable(types: types)]))
    let members = OperationChanges(members: [.follow(.ben), .follow(.cleo, as: .reader)])
    try await server.statuses([.init(1, .create(1, "anna's")), .init(2, members)])
    #expect(try await server.statuses([.init(3, .create(2, "ben's"))], by: .ben) == [.applied])
    return server
  }

  private func set(_ tag: Int, _ object: UInt64) throws -> ObjectChange {
    var patch = PatchBuilder()
    patch.set(tag, "x")
    return ObjectChange(.object(object), .patch(try patch.patch()))
  }

  private func create(_ object: UInt64, _ tags: [Int], newestBy: Int64? = nil) throws -> ObjectChange {
    var content = RecordWriter(capacity: 16)
    for tag in tags { content.string(tag, "filled") }
    let patch = try PatchBuilder().patch(filling: content.bytes)
    return ObjectChange(.object(object), .create(type: "note", patch), newestBy: newestBy)
  }

  private func content(_ object: UInt64, _ server: TestServer) async throws -> [UInt8]? {
    try await server.page()?.objects.first { $0.id == .object(object) }?.live?.content
  }

  @Test func onlyHoldersChangeAField() async throws {
    let server = try await server()
    #expect(try await server.statuses([.init(4, set(3, 2)), .init(5, set(2, 1))], by: .ben) == [forbidden, .applied])
    #expect(try await server.statuses([.init(6, set(3, 2))]) == [.applied])
    #expect(try await server.statuses([.init(7, set(2, 2))], by: .cleo) == [forbidden])
  }

  @Test func creatorsDeleteTheirOwnObjects() async throws {
    let server = try await server()
    #expect(
      try await server.statuses([.init(4, .delete(1)), .init(5, .delete(2))], by: .ben) == [forbidden, .applied])
    #expect(try await server.statuses([.init(6, .delete(2)), .init(7, .delete(1))]) == [.noEffect, .applied])
    #expect(try await server.statuses([.init(8, .delete(1))], by: .cleo) == [.noEffect], "what is gone needs no right")
  }

  @Test func createOverAnObjectFillsOnlyPermittedFields() async throws {
    let server = try await server()
    let before = try await content(1, server)
    #expect(try await server.statuses([.init(4, create(9, [2, 3]))], by: .ben) == [forbidden], "it would be put there")
    #expect(try await server.statuses([.init(5, create(1, [2, 3]))], by: .ben) == [.applied])
    #expect(try await content(1, server) == before)
    #expect(try await server.statuses([.init(6, create(1, [2, 3, 4]))], by: .ben) == [.applied])
    let filled = try #require(try await content(1, server))
    #expect(try tags(filled) == [2, 4])
    #expect(try await server.statuses([.init(7, create(1, [3]))]) == [.applied])
    #expect(try tags(try #require(try await content(1, server))) == [2, 3, 4])
  }

  private func tags(_ content: [UInt8]) throws -> [Int] {
    try content.withUnsafeBytes { bytes in
      var (reader, tags) = (RecordReader(bytes), [Int]())
      while let record = try reader.next() { tags.append(record.tag) }
      return tags
    }
  }

  @Test func anUpsertOverAnObjectIsJudgedAsAnUpdate() async throws {
    let server = try await server(["note": ObjectAccess(create: [.reader], update: [.creator])])
    var edit = PatchBuilder()
    edit.set(2, "set")
    let upsert = ObjectChange(.object(1), .create(type: "note", try edit.patch()), newestBy: 7)
    #expect(try await server.statuses([.init(4, upsert)], by: .cleo) == [forbidden])
    #expect(try await server.statuses([.init(5, create(1, [4], newestBy: 7))], by: .cleo) == [.applied])
    let object = try await server.page()?.objects.first { $0.id == .object(1) }
    #expect(object?.live?.newestBy == nil && object?.live?.system.createdBy == .anna)
    #expect(try await server.statuses([.init(6, upsert)]) == [.applied])
    #expect(
      try await server.statuses([.init(7, create(5, [2])), .init(8, set(2, 5))], by: .cleo) == [.applied, .applied])
  }

  @Test func aForbiddenChangeLeavesNothingOfItsMutation() async throws {
    let server = try await server()
    let head = try await server.page()?.head
    let both = OperationChanges(objects: [try set(2, 2), .delete(1)], members: [.unfollow(.ben)])
    #expect(try await server.statuses([.init(4, both)], by: .ben) == [forbidden])
    #expect(try await server.page()?.head == head)
    #expect(try await server.page(by: .ben) != nil, "still a member")
  }

  @Test func judgesByThePresentRole() async throws {
    let server = try await server()
    let lowering = OperationChanges(members: [.role(.ben, .reader)])
    #expect(try await server.statuses([.init(4, lowering)]) == [.applied])
    #expect(try await server.statuses([.init(5, set(2, 2))], by: .ben) == [forbidden])
    #expect(
      try await server.statuses([.init(6, .delete(2))], by: .ben) == [.applied], "a reader now, and still its creator")
  }

  @Test func newTableAppliesToLaterMutations() async throws {
    let server = try await server()
    server.service.serve(
      AccessTables(["": AccessTable(types: ["note": ObjectAccess(update: [.owner], delete: [.owner])])]))
    #expect(try await server.statuses([.init(4, set(2, 2)), .init(5, .delete(2))], by: .ben) == [forbidden, nil])
    #expect(try await server.statuses([.init(4, set(2, 2))], by: .ben) == [forbidden], "decided once")
    server.service.serve(AccessTables())
    #expect(try await server.statuses([.init(6, set(3, 2))], by: .ben) == [.applied])
  }

  @Test func onlyOwnersDeleteTheRoot() async throws {
    let server = try await server(["note": ObjectAccess(create: [.reader], delete: [.reader])])
    let made = ObjectChange(.root, .create(type: "note", try PatchBuilder().patch(filling: [])))
    let root = ObjectChange(.root, .delete)
    #expect(try await server.statuses([.init(4, root)], by: .ben) == [forbidden], "before it is there as well")
    #expect(try await server.statuses([.init(5, made)], by: .ben) == [forbidden], "only owners make it again")
    #expect(try await server.statuses([.init(9, made)]) == [.applied])
    #expect(try await server.statuses([.init(6, root)], by: .ben) == [forbidden])
    #expect(try await server.statuses([.init(7, root)], by: .cleo) == [forbidden])
    #expect(try await server.statuses([.init(8, root)]) == [.applied], "the owner may, though the table says readers")
  }

  @Test func writersAndRolesWithAFieldMayUpload() {
    #expect(AccessTable().letsUpload(.writer) && !AccessTable().letsUpload(.reader))
    #expect(AccessTable(types: ["note": ObjectAccess(create: [.owner], update: [.owner])]).letsUpload(.writer))
    let likes = ObjectAccess(create: [.owner], update: [.owner], fields: [3: [.reader]])
    #expect(AccessTable(types: ["note": likes]).letsUpload(.reader))
    #expect(!AccessTable(types: ["note": ObjectAccess(delete: [.reader])]).letsUpload(.reader))
  }
}
