// Queues with an identity, from model to server and back: two people make the same one, and it is one.

import ModelSupport
import SampleIDs
import SyncServer
import Testing
import TypeMatrix

@testable import ClientSync

@Suite struct SharedIdentityTests {
  private static func server(room: RoomLimit = .none) throws -> TestServer {
    let server = try TestServer(room: room)
    serve(server)
    return server
  }

  /// A server that was restored has to be told the table again.
  private static func serve(_ server: TestServer) {
    let types = [Pair.modelName: Pair.objectAccess]
    server.service.serve(AccessTables([TypeMatrixSchema.name: AccessTable(types: types)]))
  }

  private static func device(
    _ user: UInt64, of server: TestServer, seed: UInt64? = nil, invitations: InvitationPolicy = .all
  ) throws -> TestDevice {
    try server.device(user, seed: seed, invitations: invitations, schema: TypeMatrixSchema.self)
  }

  private static func pair(_ devices: TestDevice..., note: String? = nil) -> Pair {
    Pair(people: SortedSet(devices.map(\.store.user)), topic: "tea", note: note)
  }

  /// A queue that Anna and Ben have both made, on a device of Anna's and two of Ben's.
  private static func madeByBoth() async throws -> (anna: TestDevice, ben: TestDevice, tablet: TestDevice, Pair) {
    let server = try server()
    let (anna, ben) = (try device(1, of: server), try device(2, of: server))
    let tablet = try device(2, of: server, seed: 9)
    let pair = pair(anna, ben)
    for device in [anna, ben] { device.store.create(pair) }
    try await settle(anna, ben, tablet)
    return (anna, ben, tablet, pair)
  }

  private func owners(_ device: TestDevice, _ pair: Pair) throws -> [UserID] {
    try device.store.members(of: pair.id.queueID).filter { $0.role == .owner }.map(\.user).sorted()
  }

  @Test func bothMakeItOffline() async throws {
    let server = try Self.server()
    let (anna, ben) = (try Self.device(1, of: server), try Self.device(2, of: server))
    anna.store.create(Self.pair(anna, ben, note: "Anna's"))
    ben.store.create(Self.pair(ben, anna))
    let pair = Self.pair(anna, ben)
    for device in [anna, ben] { #expect(try device.store.objects(Pair.self).map(\.id) == [pair.id], "one id") }

    try await settle(anna, ben)
    ben.store.update(pair.id) { $0.note = "Ben's" }
    try await settle(ben, anna)
    for device in [anna, ben] {
      #expect(try device.store.object(pair.id)?.note == "Ben's")
      #expect(try owners(device, pair) == [anna.store.user, ben.store.user])
      #expect(device.store.pending == 0 && device.store.failedOperations.isEmpty)
      #expect(device.store.role(in: pair.id.queueID) == .owner)
    }
    // A new device of either finds it.
    let tablet = try Self.device(2, of: server, seed: 9)
    try await tablet.sync()
    #expect(try tablet.store.object(pair.id)?.note == "Ben's")
  }

  @Test func aThirdCannot() async throws {
    let server = try Self.server()
    let (anna, ben, cleo) = (
      try Self.device(1, of: server), try Self.device(2, of: server), try Self.device(3, of: server)
    )
    let pair = Self.pair(anna, ben)
    #expect(!cleo.store.can(create: pair) && anna.store.can(create: pair))
    cleo.store.create(pair)
    #expect(
      cleo.store.failedOperations.map(\.reason.message) == [
        "You are not allowed to create this pair: its identity does not name you."
      ])
    anna.store.create(pair)
    try await settle(anna, cleo)
    #expect(try cleo.store.objects(Pair.self).isEmpty)
    // Taken in, Cleo makes nothing new of it, and is no owner.
    anna.store.perform(Pair.Invite(pair.id, person: cleo.store.user))
    try await settle(anna, cleo)
    #expect(try cleo.store.object(pair.id) != nil)
  }

  /// An app opens the chat by making it, however often.
  @Test func makingItAgainChangesNothing() async throws {
    let server = try Self.server()
    let (anna, ben) = (try Self.device(1, of: server), try Self.device(2, of: server))
    anna.store.create(Self.pair(anna, ben, note: "first"))
    try await settle(anna)
    for device in [anna, ben, anna, ben] {
      device.store.create(Self.pair(anna, ben, note: "later"))
      try await settle(device)
    }
    #expect(try ben.store.object(Self.pair(anna, ben).id)?.note == "first")
    #expect(anna.store.failedOperations.isEmpty && ben.store.failedOperations.isEmpty)
  }

  /// A second device does not know yet that its user has left, and makes it once more.
  @Test func whoLeavesMayComeAgain() async throws {
    let (anna, ben, tablet, pair) = try await Self.madeByBoth()
    ben.store.perform(Pair.Leave(pair.id))
    try await settle(ben, anna)
    #expect(try ben.store.object(pair.id) == nil && owners(anna, pair) == [anna.store.user])
    anna.store.update(pair.id) { $0.note = "still here" }
    tablet.store.create(pair)
    tablet.store.update(pair.id) { $0.note = "back" }
    try await settle(anna, tablet)
    #expect(try anna.store.object(pair.id)?.note == "back" && owners(anna, pair).count == 2)
    #expect(tablet.store.failedOperations.isEmpty && tablet.store.pending == 0)

    // Without that, what was done meanwhile fails, as in every queue.
    tablet.store.perform(Pair.Leave(pair.id))
    try await settle(tablet, ben)
    tablet.store.create(pair)
    try await settle(tablet, ben)
    #expect(try ben.store.object(pair.id)?.note == "back")
  }

  /// The last wish counts, also where both are done without a connection.
  @Test func whoLeavesAndComesBackOfflineIsIn() async throws {
    let (anna, ben, _, pair) = try await Self.madeByBoth()
    ben.store.perform(Pair.Leave(pair.id))
    ben.store.create(pair)
    try await settle(ben, anna)
    #expect(try owners(anna, pair) == [anna.store.user, ben.store.user] && ben.store.object(pair.id) != nil)
    #expect(ben.store.failedOperations.isEmpty && ben.store.pending == 0)
  }

  /// What is taken back lets nobody in, even if it was sent.
  @Test func cancelledCreateLetsNobodyIn() async throws {
    let server = try Self.server()
    let (anna, ben) = (try Self.device(1, of: server), try Self.device(2, of: server))
    let pair = Self.pair(anna, ben)
    anna.store.create(pair)
    try await settle(anna)
    let creating = ben.store.create(pair)
    ben.transport.goes { _, _ in throw TestTransport.Lost() }
    _ = try? await ben.sync()
    ben.transport.goesStraight()
    creating.cancel()
    await ben.client.retry()
    try await settle(ben, anna)
    #expect(try owners(anna, pair) == [anna.store.user] && ben.store.object(pair.id) == nil)
    #expect(ben.store.pending == 0)
  }

  @Test func whatWasDoneInAQueueThatWasLeftFails() async throws {
    let (anna, ben, tablet, pair) = try await Self.madeByBoth()
    ben.store.perform(Pair.Leave(pair.id))
    try await settle(ben)
    tablet.store.update(pair.id) { $0.note = "too late" }
    try await settle(tablet)
    #expect(tablet.store.reasons == [.revoked] && tablet.store.pending == 0)
    // Once Ben has made the queue again, he can retry what failed.
    tablet.store.create(pair)
    let failed = try #require(tablet.store.failedOperations.first)
    try await tablet.store.retry(failed)
    try await settle(tablet, anna)
    #expect(try anna.store.object(pair.id)?.note == "too late")
  }

  /// Ben makes it, and does not know yet that Anna has taken him in; or he knows, and has not answered.
  @Test(arguments: [false, true]) func makingItAcceptsTheInvitation(isHeard: Bool) async throws {
    let server = try Self.server()
    let anna = try Self.device(1, of: server)
    let ben = try Self.device(2, of: server, invitations: .ask)
    let tablet = try Self.device(2, of: server, seed: 9, invitations: .ask)
    let pair = Self.pair(anna, ben)
    anna.store.create(pair)
    anna.store.perform(Pair.Invite(pair.id, person: ben.store.user))
    try await settle(anna)
    if isHeard {
      try await settle(ben, tablet)
      #expect(try ben.store.invitations().map(\.queue) == [pair.id.queueID] && ben.store.object(pair.id) == nil)
    }
    ben.store.create(pair)
    #expect(try ben.store.invitations().isEmpty && ben.store.object(pair.id) != nil, "at once")
    try await settle(ben, tablet, anna)
    for device in [ben, tablet] {
      #expect(try device.store.invitations().isEmpty && device.store.object(pair.id) != nil)
      #expect(device.store.failedOperations.isEmpty && device.store.pending == 0)
    }
  }

  /// The chat, or a membership of it, is lost by a restore; the devices make it again.
  @Test(arguments: [0, 1]) func serverIsRestored(made before: Int) async throws {
    let server = try Self.server()
    let (anna, ben) = (try Self.device(1, of: server), try Self.device(2, of: server))
    let pair = Self.pair(anna, ben, note: "first")
    for device in [anna, ben].prefix(before) {
      device.store.create(pair)
      try await settle(device)
    }
    let backup = try server.backUp()
    for device in [anna, ben] { device.store.create(pair) }
    try await settle(anna, ben)
    ben.store.update(pair.id) { $0.note = "second" }
    try await settle(ben, anna)
    try server.restore(backup)
    Self.serve(server)
    try await settle(ben, anna)
    try await settle(ben, anna)
    for device in [anna, ben] {
      #expect(try device.store.object(pair.id)?.note == "second")
      #expect(try owners(device, pair) == [anna.store.user, ben.store.user])
      #expect(device.store.failedOperations.isEmpty && device.store.pending == 0)
    }
  }

  /// A server whose table does not know the model yet lets nobody in. Nothing is lost.
  @Test func serverWithAnOlderTableIsAskedAgain() async throws {
    let server = try TestServer()
    let (anna, ben) = (try Self.device(1, of: server), try Self.device(2, of: server))
    anna.store.create(Self.pair(anna, ben, note: "waits"))
    await #expect(throws: SyncError.self) { try await settle(anna) }
    #expect(anna.store.pending == 1 && anna.store.failedOperations.isEmpty)
    Self.serve(server)
    await anna.client.retry()
    try await settle(anna)
    #expect(anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
    ben.store.create(Self.pair(anna, ben))
    try await settle(ben)
    #expect(try ben.store.object(Self.pair(anna, ben).id)?.note == "waits")
  }

  @Test func noRoomForOneMoreQueueIsReported() async throws {
    // The home queue is one.
    let server = try Self.server(room: RoomLimit(userQueues: 2))
    let (anna, ben, cleo) = (
      try Self.device(1, of: server), try Self.device(2, of: server), try Self.device(3, of: server)
    )
    ben.store.create(Self.pair(ben, anna))
    try await settle(ben)
    anna.store.create(Self.pair(anna, cleo))
    try await settle(anna)
    anna.store.create(Self.pair(anna, ben))
    try await settle(anna)
    #expect(anna.store.reasons == [.rejected] && anna.store.pending == 0)
  }

  @Test func nobodyDeletesIt() async throws {
    let server = try Self.server()
    let (anna, ben) = (try Self.device(1, of: server), try Self.device(2, of: server))
    let pair = Self.pair(anna, ben)
    anna.store.create(pair)
    try await settle(anna)
    #expect(!anna.store.can(.delete, pair.id))
    anna.store.delete(pair.id)
    #expect(anna.store.reasons == [.forbidden])
  }

  /// A made-up id is no id of this identity.
  @Test func idIsThatOfTheIdentity() async throws {
    let server = try Self.server()
    let (anna, ben) = (try Self.device(1, of: server), try Self.device(2, of: server))
    #expect(Pair.id(people: [anna.store.user, ben.store.user], topic: "tea") == Self.pair(ben, anna).id)
    #expect(Pair.id(people: [anna.store.user], topic: "tea") != Self.pair(ben, anna).id)
    anna.store.create(Pair(zeroWithID: Self.pair(anna, ben).id))
    #expect(anna.store.reasons == [.forbidden])
  }
}
