// Tests of a user who is taken out of everything, and of the copy that a user may ask for.

import JSON
import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct ForgettingTests {
  private let server: TestServer
  private let alone = QueueID.queue(1)
  private let shared = QueueID.queue(2)
  private let ofBen = QueueID.queue(3)
  private let home = SyncID.homeQueue(ofUser: .anna)

  /// Anna has a queue for herself, one with Ben and Cleo, and is in one of Ben's.
  init() async throws {
    server = try TestServer()
    try await write(1, to: alone, by: .anna)
    try await write(1, to: shared, by: .anna)
    try await members([.follow(.cleo), .role(.cleo, .reader), .follow(.ben)], of: shared, by: .anna)
    try await write(2, to: shared, by: .ben)
    try await write(1, to: ofBen, by: .ben)
    try await members([.follow(.anna)], of: ofBen, by: .ben)
    try await write(2, to: ofBen, by: .anna)
    try await write(1, to: home, by: .anna)
    try await server.service.performDuties()
  }

  private func write(_ object: UInt64, to queue: QueueID, by user: UserID) async throws {
    let change = ObjectChange(.object(object, in: queue), .create(type: "note", .none))
    let number = UInt64.random(in: 1 ... .max)
    let statuses = try await server.statuses([.init(number, change)], in: queue, by: user)
    #expect(statuses == [.applied])
  }

  private func members(_ changes: [MemberChange], of queue: QueueID, by user: UserID) async throws {
    let number = UInt64.random(in: 1 ... .max)
    let statuses = try await server.statuses([.init(number, OperationChanges(members: changes))], in: queue, by: user)
    #expect(statuses == [.applied])
  }

  private func roles(in queue: QueueID) throws -> [UserID: QueueRole] {
    try server.storage.read { try $0.members(of: queue).mapValues(\.role) }
  }

  /// The creators of the notes that are there.
  private func notes(in queue: QueueID) throws -> [UserID] {
    try server.storage.read { snapshot in
      try snapshot.changes(in: queue).objects.compactMap { $0.live?.type == "note" ? $0.live?.system.createdBy : nil }
    }
  }

  private func forget(_ user: UserID, withObjects: Bool = false) async throws -> [Farewell] {
    let forgetting = Forgetting(user, of: server.service)
    let farewells = try await forgetting.farewells()
    for farewell in farewells { try await forgetting.perform(farewell, withObjects: withObjects) }
    try await server.service.performDuties()
    return farewells
  }

  @Test func nothingOfTheUserAloneStays() async throws {
    let farewells = try await forget(.anna)
    #expect(farewells == [.end(alone), .leave(shared, newOwner: .ben), .leave(ofBen, newOwner: nil), .empty(home)])
    #expect(try server.storage.read { try $0.queue(alone)?.isEnded } == true)
    #expect(try roles(in: shared) == [.ben: .owner, .cleo: .reader])
    #expect(try roles(in: ofBen) == [.ben: .owner])
    #expect(try notes(in: shared) == [.anna, .ben], "what she has written with others stays")
    #expect(try server.storage.read { try $0.queue(home)?.digest } == .empty)
    // Again: only the empty home queue is left.
    #expect(try await forget(.anna) == [.empty(home)])
  }

  @Test func whatTheUserHasWrittenMayGoToo() async throws {
    _ = try await forget(.anna, withObjects: true)
    #expect(try notes(in: shared) == [.ben])
    #expect(try notes(in: ofBen) == [.ben])
    #expect(try notes(in: home) == [])
  }

  /// Also where the user may only read by now.
  @Test func whatAReaderHasWrittenGoesToo() async throws {
    try await members([.role(.anna, .reader)], of: ofBen, by: .ben)
    _ = try await forget(.anna, withObjects: true)
    #expect(try notes(in: ofBen) == [.ben])
    #expect(try roles(in: ofBen) == [.ben: .owner])
  }

  /// Others hear of it as of any other change.
  @Test func othersAreTold() async throws {
    let before = try #require(try await server.page(shared, by: .ben))
    _ = try await forget(.anna, withObjects: true)
    let page = try #require(try await server.page(shared, after: before.cursor, by: .ben, withMembers: true))
    #expect(page.objects.contains { $0.id == .object(1, in: shared) && $0.live == nil })
    #expect(page.role == .owner)
    #expect(try await server.delta(.init(queue: shared), by: .anna)?.refusal?.outcomesOfRevoked != nil)
  }

  @Test func theCopyHasWhatTheUserMayRead() throws {
    let lines = try server.storage.read { snapshot in
      var lines: [JSONValue] = []
      let counts = try UserExport(of: .anna, snapshot) { lines.append($0) }.run(at: .zero) { _, _ in }
      #expect(counts.queues == 4 && counts.objects == 6 && counts.files == 0)
      return lines.map { String(decoding: $0.encoded, as: UTF8.self) }
    }
    #expect(lines.count == 1 + 4 + 6)
    #expect(lines[0] == #"{"format":1,"user":"\#(UserID.anna)","time":"1970-01-01T00:00:00.000Z"}"#)
    #expect(lines.count { $0.contains(#""type":"note""#) } == 6)
    #expect(!lines.contains { $0.contains("sync.") })
    #expect(lines.contains { $0.hasPrefix(#"{"queue":"\#(shared)","schema":"""#) && $0.contains(#""role":"reader""#) })
  }

  @Test func aStrangerHasNothing() async throws {
    let stranger = UserID(high: 9, low: 9)
    #expect(try await forget(stranger) == [])
    let counts = try server.storage.read { try UserExport(of: stranger, $0) { _ in }.run(at: .zero) { _, _ in } }
    #expect(counts.queues == 0 && counts.objects == 0)
  }
}
