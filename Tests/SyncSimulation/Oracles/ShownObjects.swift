// The objects that a device should show, kept from look to look.

import ModelTypes
import SyncProtocol
import WireFormat

struct ShownObjects {
  private(set) var photos: [UUIDValue: Photo] = [:]
  private(set) var albums: [UUIDValue: AlbumRoot] = [:]
  private(set) var messages: [UUIDValue: Message] = [:]
  /// The user who made each object, and the times.
  private(set) var origins: [UUIDValue: ShownObject.Origin] = [:]
  /// Objects that cannot be decoded, so that nobody can say where they stand in a list.
  private(set) var unreadable: Set<UUIDValue> = []

  mutating func show(_ object: ShownObject?, as id: UUIDValue) {
    (photos[id], albums[id], messages[id]) = (nil, nil, nil)
    origins[id] = object?.origin
    unreadable.remove(id)
    do {
      photos[id] = try object?.object(Photo.self, id)
      albums[id] = try object?.object(AlbumRoot.self, id)
      messages[id] = try object?.object(Message.self, id)
    } catch { unreadable.insert(id) }
  }
}

/// An object as the oracles work it out. Shares only the merge of changes with the store.
struct ShownObject {
  var type: String
  var content: [UInt8]
  var origin: Origin

  /// Times are milliseconds since 1970.
  struct Origin: Hashable {
    var by: UserID
    var at: Int64
    var changedAt: Int64
  }

  init(type: String, content: [UInt8], _ origin: Origin) {
    (self.type, self.content, self.origin) = (type, content, origin)
  }

  /// The object after a change of the device's user, nil if there is none then. A change that does not apply leaves it as
  /// it is.
  init?(_ change: ObjectChange, on before: Self?, by user: UserID, at time: Int64) {
    if case .patch = change.action, before == nil { return nil }
    let after: [UInt8]?
    do { after = try change.applied(to: before?.content) } catch { after = before?.content }
    guard let content = after else { return nil }
    if let before {
      var origin = before.origin
      if content != before.content, time > origin.changedAt { origin.changedAt = time }
      self.init(type: before.type, content: content, origin)
    } else if case .create(let type, _, _) = change.action {
      self.init(type: type, content: content, Origin(by: user, at: time, changedAt: time))
    } else {
      return nil
    }
  }

  /// The queue that its own fields name; nil if they name none, or cannot be decoded.
  func namedQueue(_ id: UUIDValue) -> QueueID? {
    let queue =
      switch type {
      case Photo.modelName: (try? Photo(id: ObjectID(id), blob: content))?.album
      case Message.modelName: (try? Message(id: ObjectID(id), blob: content))?.inbox
      default: QueueID?.none
      }
    return queue.flatMap { $0 == .zero ? nil : $0 }
  }

  func object<Object: Model>(_: Object.Type, _ id: UUIDValue) throws -> Object? {
    type == Object.modelName ? try Object(id: ObjectID(id), blob: content) : nil
  }
}
