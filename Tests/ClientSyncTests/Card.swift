// The model of these tests, written as the generator does: a title, a counter and a set, in the queue of a box.

import ModelSupport
import SampleIDs

struct Card: Model {
  let id: ObjectID<Card>
  var box: QueueID
  var title: String?
  var likes: Int64 = 0
  var tags: SortedSet<String> = []
  var unknownFields = UnknownFields.none

  static let modelName = "card"
  var queueID: QueueID? { box }

  init(zeroWithID id: ObjectID<Card>) { (self.id, box) = (id, .zero) }

  init(_ number: UInt64, in box: QueueID = .box, title: String? = nil) {
    (id, self.box, self.title) = (Self.id(number, in: box), box, title)
  }

  static func id(_ number: UInt64) -> ID { id(number, in: .box) }
  static func id(_ number: UInt64, in box: QueueID) -> ID { .object(number, in: box) }

  static let fieldTable = FieldTable(
    "card", unknownFields: \Self.unknownFields, Field(1, "box", \Self.box), Field(2, "title", \Self.title),
    Field(3, "likes", counter: \Self.likes), Field(4, "tags", \Self.tags))
}

enum CardsSchema: SchemaDescription {
  static let name = "Cards"
  static let models: [any Model.Type] = [Box.self, Card.self]
}

extension QueueID {
  static let box = QueueID.queue(1)
  static let other = QueueID.queue(2)
}

/// Adds a like. With `unlessChanged`, the card must be unchanged.
struct Like: ModelOperation {
  var card: Card.ID
  var unlessChanged = false

  static let operationName = "card.like"
  static let fieldTable = FieldTable(projection: "card.like", Field(1, "card", \Self.card))

  func evaluate(in context: inout OperationContext) throws {
    var patch = PatchBuilder()
    patch.increment(3, by: 1)
    try context.edit(card, patch)
    if unlessChanged { try context.requireUnchanged(card) }
  }
}

/// Creates a card in the queue `other`.
struct Put: ModelOperation {
  var card: Card.ID

  static let operationName = "card.put"
  static let fieldTable = FieldTable(projection: "card.put", Field(1, "card", \Self.card))

  func evaluate(in context: inout OperationContext) throws {
    var new = Card(zeroWithID: card)
    new.box = .other
    try context.create(new)
  }
}

/// Makes a user a member of the queue of a card, removes the user, or changes the user's role.
struct Member: ModelOperation {
  var card: Card.ID
  var user: UserID
  var change: Change

  enum Change {
    case joins, leaves
    case becomes(QueueRole)
  }

  static let operationName = "card.member"
  static let fieldTable = FieldTable(
    projection: "card.member", Field(1, "card", \Self.card), Field(2, "user", \Self.user))

  func evaluate(in context: inout OperationContext) throws {
    switch change {
    case .joins: try context.follow(user, inQueueOf: card)
    case .leaves: try context.unfollow(user, inQueueOf: card)
    case .becomes(let role): try context.setRole(of: user, to: role, inQueueOf: card)
    }
  }
}

/// Edits a card, on condition that a file is on the server.
struct Attach: ModelOperation {
  var card: Card.ID
  var file: ContentHash

  static let operationName = "card.attach"
  static let fieldTable = FieldTable(projection: "card.attach", Field(1, "card", \Self.card))

  func evaluate(in context: inout OperationContext) throws {
    context.requireUploaded(FileReference(hash: file, size: 1, mime: "", name: ""))
    var patch = PatchBuilder()
    patch.insert(4, "attached")
    try context.edit(card, patch)
  }
}
