// The models of the simulation, written as the generator writes them.

import ModelTypes
import SyncProtocol
import WireFormat

/// A picture in an album.
struct Photo: Model {
  let id: ObjectID<Photo>
  var album = QueueID.zero
  /// Required: no photo lives without one.
  var owner: String?
  var caption: String?
  var tags: SortedSet<String> = []
  var likes: Int64 = 0
  /// Set by owners of the album only.
  var isPinned: Bool?
  var file: FileReference?
  /// Raised only, and lowered only.
  var highest: Int64?
  var lowest: Double?
  var unknownFields = UnknownFields.none

  static let modelName = "photo"
  var queueID: QueueID? { album }
  static let newestByTag: Int? = nil
  /// Comes from the id, so that the order of scans is not that of revisions.
  var newestBy: Int64? { Int64(bitPattern: id.rawValue.low) >> 8 }

  init(zeroWithID id: ObjectID<Photo>) { self.id = id }

  static let fieldTable = FieldTable(
    "photo", unknownFields: \Self.unknownFields, Field(1, "album", \Self.album), Field(2, "owner", \Self.owner),
    Field(3, "caption", \Self.caption), Field(4, "tags", \Self.tags), Field(5, "likes", counter: \Self.likes),
    Field(6, "isPinned", \Self.isPinned), Field(7, "file", \Self.file),
    Field(9, "highest", \Self.highest), Field(10, "lowest", \Self.lowest))

  static let highestTag = 9, lowestTag = 10
  static let albumTag = 1, captionTag = 3, tagsTag = 4, likesTag = 5, pinnedTag = 6, fileTag = 7
  static let fileTags = [fileTag]
  static let objectAccess = ObjectAccess(fields: [pinnedTag: [.owner]])
}

/// The root of an album's queue. Its delete ends the album.
struct AlbumRoot: QueueModel {
  let id: ObjectID<AlbumRoot>
  var title: String?
  var unknownFields = UnknownFields.none

  static let modelName = "album"
  var queueID: QueueID? { id.queueID }
  /// The server may have less for members.
  static let objectAccess = ObjectAccess(
    delete: [.owner], members: MemberAccess(remove: [.writer], creator: [.writer]))
  static let strictMembers = MemberAccess(invite: [.owner])

  init(zeroWithID id: ObjectID<AlbumRoot>) { self.id = id }

  static let fieldTable = FieldTable("album", unknownFields: \Self.unknownFields, Field(1, "title", \Self.title))
}

extension AlbumRoot {
  /// The change that makes a queue.
  static func creation(of queue: QueueID) throws -> ObjectChange {
    ObjectChange(queue.root, .create(type: modelName, try PatchBuilder().patch(filling: [])))
  }
}

/// The root of a queue with an identity: an album of some people, whoever of them makes it first.
struct Pair: QueueModel {
  let id: ObjectID<Pair>
  var people: SortedSet<UserID> = []
  var unknownFields = UnknownFields.none

  static let modelName = "pair"
  var queueID: QueueID? { id.queueID }
  static let objectAccess = ObjectAccess(delete: [], fixed: [peopleTag], identity: [[peopleTag]], users: [peopleTag])
  static let peopleTag = 2

  init(zeroWithID id: ObjectID<Pair>) { self.id = id }

  init(of people: SortedSet<UserID>) {
    var hasher = IdentityHasher(schema: AlbumSchema.name, model: Self.modelName)
    hasher.combine(Self.peopleTag, people)
    (id, self.people) = (hasher.finish(), people)
  }

  static let fieldTable = FieldTable(
    "pair", unknownFields: \Self.unknownFields, Field(peopleTag, "people", \Self.people))
}

/// Tells of a photo in another queue.
struct Message: Model {
  let id: ObjectID<Message>
  var inbox = QueueID.zero
  var author: String?
  var photo: ObjectID<Photo> = .zero
  /// Whose it is.
  var sender: UserID?
  var unknownFields = UnknownFields.none

  static let modelName = "message"
  var queueID: QueueID? { inbox }
  /// Everybody writes in their own name, changes and takes back what is their own.
  static let objectAccess = ObjectAccess(
    create: [.user(in: senderTag)], update: [.user(in: senderTag)], delete: [.user(in: senderTag)],
    fixed: [inboxTag, senderTag], identity: [])
  static let inboxTag = 1, senderTag = 4

  init(zeroWithID id: ObjectID<Message>) { self.id = id }

  static let fieldTable = FieldTable(
    "message", unknownFields: \Self.unknownFields, Field(1, "inbox", \Self.inbox), Field(2, "author", \Self.author),
    Field(3, "photo", \Self.photo), Field(senderTag, "sender", \Self.sender))
}

/// What a user is called in the inbox, one for each user. No app here knows the type: only forgers write it.
enum Badge {
  static let type = "badge"
  static let userTag = 2, nameTag = 3
  static let access = ObjectAccess(
    create: [.user(in: userTag, role: .reader), .owner], update: [.user(in: userTag)], delete: [],
    fixed: [userTag], identity: [[userTag]])

  static func id(of user: UserID, in queue: QueueID) -> UUIDValue {
    var hasher = IdentityHasher(queue: queue, model: type)
    hasher.combine(userTag, user)
    let id: ObjectID<UserAccount> = hasher.finish()
    return id.rawValue
  }
}

/// A model that the server never accepts, because its name is one of the server's own.
struct Forbidden: Model {
  let id: ObjectID<Forbidden>
  var queue = QueueID.zero
  var unknownFields = UnknownFields.none

  static let modelName = "sync.forbidden"
  var queueID: QueueID? { queue }

  init(zeroWithID id: ObjectID<Forbidden>) { self.id = id }

  static let fieldTable = FieldTable(
    "sync.forbidden", unknownFields: \Self.unknownFields, Field(1, "queue", \Self.queue))
}

enum AlbumSchema: SchemaDescription {
  static let name = "Albums"
  static let version = "1.1"
  static let models: [any Model.Type] = [
    AlbumRoot.self, Forbidden.self, Message.self, Pair.self, Photo.self,
  ]
}

/// The same schema in an app that is older than the rights of its models. Only the server refuses what such an app
/// does.
enum OlderAlbumSchema: SchemaDescription {
  static let name = AlbumSchema.name
  static let version = "1.0"
  static let models: [any Model.Type] = [Older<Forbidden>.self, Older<Message>.self, Older<Photo>.self]
}

/// Another app on the same server. By chance its models have the names of the first one's; it has no table of access.
enum WalletSchema: SchemaDescription {
  static let name = "Wallet"
  static let models: [any Model.Type] = OlderAlbumSchema.models
}

/// A model without its rights. There are no objects of it.
struct Older<Newer: Model>: Model {
  let id: ObjectID<Self>
  var unknownFields = UnknownFields.none

  static var modelName: String { Newer.modelName }
  static var fieldTable: FieldTable { Newer.fieldTable }
  static var fileTags: [Int] { Newer.fileTags }
  var queueID: QueueID? { nil }

  init(zeroWithID id: ObjectID<Self>) { self.id = id }
}

/// Anything that a user does in this world, as an operation of one queue. `@unchecked Sendable`: one thread.
struct UserAction: ModelOperation, @unchecked Sendable {
  var photos: [ObjectID<Photo>] = []
  var body: (inout OperationContext) throws -> Void

  static let operationName = "photo.act"
  static let fieldTable = FieldTable(projection: "photo.act", Field(1, "photos", \Self.photos))

  func evaluate(in context: inout OperationContext) throws { try body(&context) }
}

/// That somebody types, with a text that is the same on no two devices. Nothing of it is stored.
struct Typing: EphemeralModel, Hashable {
  var album = QueueID.zero
  var text = ""
  var unknownFields = UnknownFields.none

  static let modelName = "typing"
  static let lifetimeMilliseconds: Int64 = 5_000
  static var zero: Self { Self() }
  static let fieldTable = FieldTable(
    "typing", unknownFields: \Self.unknownFields, Field(1, "album", \Self.album), Field(2, "text", \Self.text))
  var queueID: QueueID { album }
}
