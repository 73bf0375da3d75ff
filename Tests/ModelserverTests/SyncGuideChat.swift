// The chat of docs/guides/sync.md, written as the generator writes it.

import ModelSupport

struct Chat: QueueModel {
  let id: ObjectID<Chat>
  private(set) var people: SortedSet<UserID>
  var topic: String?
  var unknownFields = UnknownFields.none

  init(people: SortedSet<UserID>, topic: String? = nil) {
    (id, self.people, self.topic) = (Self.id(people: people), people, topic)
  }

  init(zeroWithID id: ObjectID<Chat>) { (self.id, people) = (id, []) }

  static let modelName = "chat"
  var queueID: QueueID? { id.queueID }
  static let objectAccess = ObjectAccess(delete: [], fixed: [1], identity: [[1]], users: [1])

  static func id(people: SortedSet<UserID>) -> ObjectID<Chat> {
    var identity = IdentityHasher(schema: "Chats", model: modelName)
    identity.combine(1, people)
    return identity.finish()
  }

  static let fieldTable = FieldTable(
    "chat", unknownFields: \Self.unknownFields, Field(1, "people", \Self.people), Field(2, "topic", \Self.topic))
}

extension Chat {
  struct Invite: ModelOperation {
    let target: ObjectID<Chat>

    init(_ target: ObjectID<Chat>) { self.target = target }

    static let operationName = "chat.invite"
    static let fieldTable = FieldTable(projection: "chat.invite", Field(1, "target", \Self.target))

    func evaluate(in context: inout OperationContext) throws {
      for person in try context.object(target).people { try context.follow(person, as: .owner, inQueueOf: target) }
    }
  }
}
