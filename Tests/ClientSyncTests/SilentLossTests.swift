// Tests of a server whose file was put back without a word: devices and server agree again, and nothing is shown twice.

import ModelSupport
import SyncServer
import Testing

@Suite struct SilentLossTests {
  private func likes(_ device: TestDevice) throws -> Int64? { try device.card(1)?.likes }

  /// A cursor above the server's head leads to a new load. If others have gone on, only the digest shows the loss.
  @Test(arguments: [true, false])
  func devicesAgreeWithServerAfterSilentRestore(othersGoOn: Bool) async throws {
    let (server, anna, ben) = try await TestServer.withCardOfTwo()
    let backup = try server.backUp()
    anna.store.create(Card(2, title: "lost with the server"))
    anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    try server.restore(backup, isSilent: true)
    if othersGoOn { for _ in 0..<9 { ben.store.perform(Like(card: Card.id(1))) } }
    try await settle(ben, anna, ben)
    for device in [anna, ben] {
      #expect(try device.card(2) == nil && likes(device) == (othersGoOn ? 9 : 0), "what was lost stays lost")
      #expect(device.store.pending == 0 && device.store.failedOperations.isEmpty)
    }
  }

  /// The server loses the first of two likes, whose outcome the device was told, and applies the second. The page with
  /// the second like is not shown on top of both; the first one is sent again.
  @Test func outcomeThatWasTakenBackIsForgotten() async throws {
    let (server, anna) = try await TestServer.withCard()
    let backup = try server.backUp()
    let lost = anna.store.perform(Like(card: Card.id(1)))
    try await anna.push()
    try server.restore(backup, isSilent: true)
    anna.store.perform(Like(card: Card.id(1)))
    try await anna.commit().serve()
    for page in 0..<9 {
      let delta = anna.delta()
      try await delta.take(delta.serve())
      #expect(try likes(anna) == 2, "page \(page)")
      if page > 0, anna.store.place(of: .box).load == .loaded { break }
    }
    #expect(anna.store.pendingOperations.map(\.id) == [lost.id])
    try await settle(anna)
    #expect(try likes(anna) == 2 && anna.store.pending == 0)
  }

  /// The device has the outcome of a lost like, and its create of the queue was not retired either.
  @Test func queueThatWasSilentlyLostIsBornAgain() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    try await anna.push()
    try server.restore(backup, isSilent: true)
    try await settle(anna)
    #expect(try anna.card(1)?.title == "Lake" && anna.store.pending == 0 && anna.store.failedOperations.isEmpty)
  }

  @Test func retiredQueueThatWasSilentlyLostLeaves() async throws {
    let server = try TestServer()
    let backup = try server.backUp()
    let anna = try server.device(1)
    anna.store.create(Box())
    anna.store.create(Card(1))
    try await settle(anna)
    try server.restore(backup, isSilent: true)
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await settle(anna)
    #expect(try anna.card(1) == nil && anna.store.pending == 0 && anna.store.reason(of: like) == .revoked)
  }
}
