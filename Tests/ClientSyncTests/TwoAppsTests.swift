// Tests of two apps of one user on one server. Both have a model `card`, and the cards have nothing in common.

import ModelSupport
import SampleIDs
import Testing

@Suite struct TwoAppsTests {
  @Test func eachAppHasItsOwnCardsOnly() async throws {
    let server = try TestServer()
    let cards = try server.device(1)
    let wallet = try server.device(1, seed: 7, schema: WalletSchema.self)
    cards.store.create(Box())
    cards.store.create(Card(1, title: "der Hund"))
    wallet.store.create(Purse())
    wallet.store.create(WalletCard(1, number: 4_711))
    // Whichever comes later finds what the other has sent.
    for _ in 1...2 {
      try await cards.sync()
      try await wallet.sync()
    }
    #expect(try cards.store.objects(Card.self).map(\.title) == ["der Hund"])
    #expect(try wallet.store.objects(WalletCard.self).map(\.number) == [4_711])
    #expect(Set(cards.store.places.keys) == [.box, cards.store.homeQueueID])
    #expect(Set(wallet.store.places.keys) == [.other, wallet.store.homeQueueID])
    #expect(cards.store.pending == 0 && wallet.store.pending == 0)
  }

  /// A link into a queue of the other app leads nowhere. What its user does there waits, and nothing is lost.
  @Test func queueOfTheOtherAppIsNotRead() async throws {
    let server = try TestServer()
    let cards = try server.device(1)
    cards.store.create(Box())
    cards.store.create(Card(1, title: "der Hund"))
    try await cards.sync()
    let wallet = try server.device(1, seed: 7, schema: WalletSchema.self)
    wallet.store.perform(Like(card: ObjectID(Card.id(1).rawValue)))
    try await wallet.sync()
    #expect(try wallet.store.objects(WalletCard.self).isEmpty)
    try await cards.sync()
    #expect(try cards.card(1)?.likes == 0)
  }

  /// Friends who share something in one app share nothing in the other one.
  @Test func membershipsAreOfOneApp() async throws {
    let server = try TestServer()
    let (anna, ben) = (try server.device(1), try server.device(2))
    let other = try server.device(2, seed: 8, schema: WalletSchema.self)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "der Hund"))
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    for device in [anna, ben, other] { try await device.sync() }
    #expect(try ben.card(1)?.title == "der Hund")
    #expect(Set(other.store.places.keys) == [other.store.homeQueueID])
    #expect(try other.store.objects(WalletCard.self).isEmpty)
  }
}

/// Where one's cards are.
private struct Purse: QueueModel {
  let id: ObjectID<Purse>
  var unknownFields = UnknownFields.none

  static let modelName = "purse"
  var queueID: QueueID? { id.queueID }

  init(zeroWithID id: ObjectID<Purse>) { self.id = id }

  init() { id = ObjectID(QueueID.other.root) }

  static let fieldTable = FieldTable("purse", unknownFields: \Self.unknownFields)
}

/// A card that one pays with.
private struct WalletCard: Model {
  let id: ObjectID<WalletCard>
  var purse = QueueID.other
  var number: Int64 = 0
  var unknownFields = UnknownFields.none

  static let modelName = "card"
  var queueID: QueueID? { purse }

  init(zeroWithID id: ObjectID<WalletCard>) { self.id = id }

  init(_ number: UInt64, number value: Int64) {
    id = .object(number, in: .other)
    self.number = value
  }

  static let fieldTable = FieldTable(
    "card", unknownFields: \Self.unknownFields, Field(1, "purse", \Self.purse), Field(2, "number", \Self.number))
}

private enum WalletSchema: SchemaDescription {
  static let name = "Wallet"
  static let models: [any Model.Type] = [Purse.self, WalletCard.self]
}
