// Tests with two devices and a server: each device sees the changes of the other.

import ModelSupport
import Testing

@Suite struct ConvergenceTests {
  @Test func offlineQueueArrivesAndConcurrentEditsMerge() async throws {
    let server = try TestServer()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await anna.sync()
    #expect(anna.store.pending == 0)
    try await ben.sync()
    #expect(try ben.card(1)?.title == "Lake")

    // Both edit different fields, the same counter and the same set.
    anna.store.update(Card.id(1)) { card in
      card.title = "The lake"
      card.likes += 2
      card.tags.insert("blue")
    }
    ben.store.update(Card.id(1)) { card in
      card.likes += 3
      card.tags.insert("cold")
    }
    for device in [anna, ben, anna] { try await device.sync() }
    for device in [anna, ben] {
      let card = try device.card(1)
      #expect(card?.title == "The lake" && card?.likes == 5 && card?.tags == ["blue", "cold"])
      #expect(device.store.pending == 0 && device.store.failedOperations.isEmpty)
    }
  }

  @Test func formerMemberKeepsNoObjects() async throws {
    let server = try TestServer()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    for number: UInt64 in 1...3 { anna.store.create(Card(number, title: "Lake")) }
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await anna.sync()
    try await ben.sync()
    #expect(try ben.store.objects(Card.self).count == 3 && ben.store.objects(Box.self).count == 1)
    ben.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .leaves))
    try await ben.sync()
    #expect(try ben.store.objects(Card.self).isEmpty && ben.store.objects(Box.self).isEmpty)
    #expect(ben.store.failedOperations.isEmpty && ben.store.pending == 0)
  }

  @Test func runningClientsShowEachOthersChanges() async throws {
    let server = try TestServer()
    let (anna, ben) = (try server.device(1), try server.device(2))
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    let running = [anna, ben].map { device in Task { try await device.client.run() } }
    for try await card in ben.store.updates(of: Card.id(1)) where card != nil { break }
    ben.store.perform(Like(card: Card.id(1)))
    for try await card in anna.store.updates(of: Card.id(1)) where card?.likes == 1 { break }
    for task in running { task.cancel() }
    for task in running { try await task.value }
    #expect(await anna.client.status.activity == .stopped)
  }
}
