// The lists and views of the simulation, written as the generator writes them.

import ModelTypes
import Snapshots
import SyncProtocol
import WireFormat

struct PhotoFields: ListFields {
  var album = QueueID.zero
  var caption: String?
  var tags: SortedSet<String> = []
  var likes: Int64 = 0

  static let fieldTable = FieldTable(
    projection: "photo", Field(1, "album", \Self.album), Field(3, "caption", \Self.caption),
    Field(4, "tags", \Self.tags), Field(5, "likes", counter: \Self.likes))

  func queueID(of id: UUIDValue) -> QueueID? { album }
}

struct AlbumFields: ListFields {
  var title: String?

  static let fieldTable = FieldTable(projection: "album", Field(1, "title", \Self.title))

  func queueID(of id: UUIDValue) -> QueueID? { QueueID(id) }
}

struct MessageFields: ListFields {
  var inbox = QueueID.zero
  var photo = ObjectID<Photo>.zero

  static let fieldTable = FieldTable(
    projection: "message", Field(1, "inbox", \Self.inbox), Field(3, "photo", \Self.photo))

  func queueID(of id: UUIDValue) -> QueueID? { inbox }
}

extension Photo {
  /// The photos with a caption, the most liked first.
  static var liked: ListDefinition<Photo, Int64> {
    ListDefinition("photo.liked", isDescending: true) { (fields: PhotoFields, _) in
      fields.caption.map { _ in
        ListPlace(section: .descending(fields.likes), order: .ascending(Int64(fields.tags.count)))
      }
    }
  }

  static var inAlbum: ChildList<Photo, AlbumRoot> {
    ChildList("photo.inAlbum") { (fields: PhotoFields, _) in Child(of: ObjectID(fields.album.root)) }
  }

  static var inAlbumByCreated: ChildList<Photo, AlbumRoot> {
    ChildList("photo.inAlbum by created") { (fields: PhotoFields, context) in
      Child(of: ObjectID(fields.album.root), by: .ascending(context.system.createdAt))
    }
  }

  static var inAlbumByCaption: ChildList<Photo, AlbumRoot> {
    ChildList("photo.inAlbum by caption", order: .bytes) { (fields: PhotoFields, _) in
      Child(of: ObjectID(fields.album.root), by: .ascending(fields.caption))
    }
  }

  static var inAlbumSumLikes: ChildList<Photo, AlbumRoot> {
    ChildList("photo.inAlbum sum likes") { (fields: PhotoFields, _) in
      Child(of: ObjectID(fields.album.root), adding: fields.likes)
    }
  }
}

extension AlbumRoot {
  /// By the likes of the newest photo, those without a photo last.
  static var all: ListDefinition<AlbumRoot, Unsectioned> {
    ListDefinition("album.all", asking: [Photo.inAlbumByCreated.asked]) { (_: AlbumFields, context) in
      let newest = try context.others.newest(Photo.inAlbumByCreated, of: ObjectID<AlbumRoot>(context.id))
      return ListPlace(order: .descending(try context.others.object(newest)?.likes))
    }
  }

  struct Card {
    let id: ObjectID<AlbumRoot>
    let title: String?
    let photos: Int
    /// How many photos were made after the album last changed.
    let fresh: Int
    let captions: [ValueCount<String?>]
    let likes: Int64
    let newest: ObjectID<Photo>?
  }
}

extension AlbumRoot.Card: ModelView {
  init(of object: AlbumRoot, from source: some ViewSource) throws {
    self.init(
      id: object.id, title: object.title, photos: try source.count(Photo.inAlbum, of: object.id),
      fresh: try source.count(Photo.inAlbumByCreated, of: object.id, .greater, source.system.updatedAt),
      captions: try source.counts(Photo.inAlbumByCaption, of: object.id, by: String?.self),
      likes: try source.sum(Photo.inAlbumSumLikes, of: object.id),
      newest: try source.newest(Photo.inAlbumByCreated, of: object.id))
  }
}

extension Message {
  /// Those about a photo with a caption first, the newest first.
  static var all: ListDefinition<Message, Unsectioned> {
    ListDefinition("message.all", ListOrdering(order: .bytes), asking: []) { (fields: MessageFields, context) in
      let hasCaption = try context.others.object(fields.photo)?.caption != nil
      return ListPlace(
        order: .joined { key in
          key.append(number: hasCaption, descending: true)
          key.append(number: context.system.createdAt, descending: true)
        })
    }
  }

  /// A row that shows a photo of another queue, and what the server notes of the message.
  struct Row {
    let id: ObjectID<Message>
    let author: String?
    let caption: String?
    let isOwn: Bool
    let updated: Int64
  }
}

extension Message.Row: ModelView {
  init(of object: Message, from source: some ViewSource) throws {
    self.init(
      id: object.id, author: object.author, caption: try source.object(object.photo)?.caption,
      isOwn: source.system.createdBy == source.user, updated: source.system.updatedAt.millisecondsSince1970)
  }
}
