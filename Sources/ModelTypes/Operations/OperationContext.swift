// The context in which an operation is evaluated: it reads what the user sees, and records typed changes.

public import SyncProtocol
public import WireFormat

/// The objects that an operation sees, and the changes it has recorded so far.
///
/// All changes see the state before the operation. They must be in one queue, and at most one for each object.
public struct OperationContext {
  /// The user of the store: `$me`.
  public let user: UserID
  /// When the operation was performed: `$now`.
  public let now: Timestamp
  private let view: any ObjectView
  private var queue: Queue?

  /// The changes so far.
  package private(set) var changes = OperationChanges()
  /// The places of the objects in `changes`, so that an operation on many is not quadratic.
  private var places: [UUIDValue: Int] = [:]

  /// The queue of the changes; nil while there are none, or if they never leave the device.
  public var queueID: QueueID? {
    if case .shared(let id)? = queue { id } else { nil }
  }

  private enum Queue: Hashable {
    case shared(QueueID)
    case device
  }

  /// A store makes one for each operation that is performed; a test may make its own.
  package init(user: UserID, now: Timestamp, view: any ObjectView) {
    self.user = user
    self.now = now
    self.view = view
  }
}

// Reading.
extension OperationContext {
  /// The object as the user sees it; throws `noSuchObject` where there is none.
  public func object<Object: Model>(_ id: ObjectID<Object>) throws -> Object {
    guard let object = try objectIfPresent(id) else { throw Self.noSuchObject(id) }
    return object
  }

  /// The object as the user sees it, nil where there is none.
  public func objectIfPresent<Object: Model>(_ id: ObjectID<Object>) throws -> Object? {
    try view.object(id.rawValue, type: Object.modelName).flatMap { try Object(id: id, blob: $0.content, in: $0.queue) }
  }

  /// The queue of an object, from which the ids of others in it are derived; nil where it never leaves the device.
  public func queue<Object: Model>(of id: ObjectID<Object>) throws -> QueueID? {
    try viewed(id).queue
  }

  /// The hash of a file from its 32 bytes, by which an object may be found; throws `invalidChange` if they are not 32.
  public func contentHash(_ bytes: [UInt8]) throws -> ContentHash {
    guard let hash = ContentHash(bytes: bytes) else {
      throw OperationError(.invalidChange, "The hash of a file has 32 bytes, not \(bytes.count).")
    }
    return hash
  }

  private func viewed<Object: Model>(_ id: ObjectID<Object>) throws -> ViewedObject {
    guard let object = try view.object(id.rawValue, type: Object.modelName) else { throw Self.noSuchObject(id) }
    return object
  }

  private static func noSuchObject<Object: Model>(_ id: ObjectID<Object>) -> OperationError {
    OperationError(.noSuchObject, "There is no \(Object.modelName) with the id \(id).")
  }
}

// Effects.
extension OperationContext {
  /// Creates the object. If it is there already, fills the fields that are absent in it.
  public mutating func create<Object: Model>(_ object: Object) throws {
    try create(object, PatchBuilder())
  }

  /// Creates the object if it is absent, then edits it. For objects with an identity.
  public mutating func upsert<Object: Model>(_ object: Object, _ edit: PatchBuilder) throws {
    try create(object, edit)
  }

  private mutating func create<Object: Model>(_ object: Object, _ edit: PatchBuilder) throws {
    try checkBound(object)
    try join(object.queueID, Object.self)
    let patch = try encodable(Object.self) { () throws(WireError) in
      try edit.patch(filling: object.encoded()).withoutDefaults(of: object)
    }
    // Of every model: an undo creates an object again under its old id, whatever the id was made of.
    let revival = Revival(seen: object.queueID.flatMap(view.seen))
    let action = ObjectChange.Action.create(type: Object.modelName, patch, revival)
    let files = try encodable(Object.self) { () throws(WireError) in try patch.files(after: [], of: Object.self) }
    try append(ObjectChange(object.id.rawValue, action, newestBy: object.newestBy, files: files))
  }

  /// Edits fields of an object that is there.
  public mutating func edit<Object: Model>(_ id: ObjectID<Object>, _ edit: PatchBuilder) throws {
    let patch = try encodable(Object.self) { () throws(WireError) in try edit.patch() }
    try append(patch, to: id, viewed(id))
  }

  /// Changes an object that is there. The difference that `body` makes is recorded.
  public mutating func update<Object: Model>(
    _ id: ObjectID<Object>, _ body: (inout Object) throws -> Void
  ) throws {
    let old = try object(id)
    var new = old
    try body(&new)
    try append(encodable(Object.self) { () throws(WireError) in try new.changes(since: old) }, to: id, viewed(id))
  }

  /// Deletes an object that is there.
  public mutating func delete<Object: Model>(_ id: ObjectID<Object>) throws {
    try join(viewed(id).queue, Object.self)
    try append(ObjectChange(id.rawValue, .delete))
  }

  /// Adds a user to the queue of an object, in a role up to the sender's own.
  public mutating func follow<Object: Model>(
    _ user: UserID, as role: QueueRole = .writer, inQueueOf id: ObjectID<Object>
  ) throws {
    try joinShared(viewed(id).queue, Object.self)
    changes.members.append(.follow(user, as: role))
  }

  /// Takes a user out of the queue of an object.
  public mutating func unfollow<Object: Model>(_ user: UserID, inQueueOf id: ObjectID<Object>) throws {
    try joinShared(viewed(id).queue, Object.self)
    changes.members.append(.unfollow(user))
  }

  /// Gives a member of an object's queue another role; only an owner may.
  public mutating func setRole<Object: Model>(
    of user: UserID, to role: QueueRole, inQueueOf id: ObjectID<Object>
  ) throws {
    try joinShared(viewed(id).queue, Object.self)
    changes.members.append(.role(user, role))
  }

  /// Requires that the server has the object as the user sees it now, this device's earlier operations included.
  ///
  /// Otherwise the server refuses the whole operation with `conditionFailed`. To be called after the operation has
  /// changed the object; before, it throws `invalidChange`.
  public mutating func requireUnchanged<Object: Model>(_ id: ObjectID<Object>) throws {
    guard let index = places[id.rawValue] else {
      throw OperationError(.invalidChange, "Only an object that the operation changes can be required to be unchanged.")
    }
    let seen = try view.object(id.rawValue, type: Object.modelName)
    changes.objects[index].condition = seen.map { .content(ContentHash(of: $0.content)) } ?? .absent
  }

  /// Holds the operation back until the file has reached the server.
  public mutating func requireUploaded(_ file: FileReference) {
    if !changes.files.contains(file.hash) { changes.files.append(file.hash) }
  }
}

extension OperationContext {
  /// Replaces all changes of the operation, for operations of the library itself, on objects of no model.
  package mutating func put(_ changes: OperationChanges, in queue: QueueID) {
    self.queue = .shared(queue)
    self.changes = changes
    places = Dictionary(changes.objects.enumerated().map { ($1.object, $0) }) { first, _ in first }
  }

  private mutating func append<Object: Model>(_ patch: Patch, to id: ObjectID<Object>, _ viewed: ViewedObject) throws {
    try join(viewed.queue, Object.self)
    guard !patch.isEmpty else { return }
    let newestBy = try newestBy(id, viewed, after: patch)
    let files = try encodable(Object.self) { () throws(WireError) in
      try patch.files(after: viewed.content, of: Object.self)
    }
    try append(ObjectChange(id.rawValue, .patch(patch), newestBy: newestBy, files: files))
  }

  /// The object's `newestBy` after the patch; nil if the patch does not touch that field.
  private func newestBy<Object: Model>(
    _ id: ObjectID<Object>, _ viewed: ViewedObject, after patch: Patch
  ) throws -> Int64? {
    guard let tag = Object.newestByTag, patch.tags.contains(tag) else { return nil }
    return try Object(id: id, blob: patch.merged(into: viewed.content)).newestBy
  }

  /// Throws if the id is not bound to the object's queue, because the server would refuse it.
  private func checkBound<Object: Model>(_ object: Object) throws {
    let id = object.id.rawValue
    if let queue = object.queueID, queue.root == id {
      if id.isVersion4 || queue.isDerived && Object.objectAccess.identity?.isEmpty == false { return }
      throw OperationError(
        .invalidChange, "The \(Object.modelName) \(id) is a queue without a random id: make its id with `.new()`.")
    }
    guard !id.isBound(to: object.queueID ?? .zero) else { return }
    throw OperationError(
      .invalidChange,
      "The id \(id) is not bound to the queue of its \(Object.modelName): make it with `.new(in:)`, of the same queue.")
  }

  private mutating func append(_ change: ObjectChange) throws {
    guard places.updateValue(changes.objects.count, forKey: change.object) == nil else {
      throw OperationError(.changedTwice, "One operation changes the object \(change.object) twice.")
    }
    changes.objects.append(change)
  }

  private mutating func join<Object: Model>(_ id: QueueID?, _: Object.Type) throws {
    let other = id.map(Queue.shared) ?? .device
    guard queue == nil || queue == other else {
      throw OperationError(.crossesQueue, "The \(Object.modelName) is in another queue than the earlier changes.")
    }
    queue = other
  }

  private mutating func joinShared<Object: Model>(_ id: QueueID?, _: Object.Type) throws {
    guard id != nil else {
      throw OperationError(.crossesQueue, "A \(Object.modelName) never leaves the device: it cannot be followed.")
    }
    try join(id, Object.self)
  }

  private func encodable<Object: Model, Result>(
    _: Object.Type, _ body: () throws(WireError) -> Result
  ) throws(OperationError) -> Result {
    do throws(WireError) { return try body() } catch { throw OperationError(error, "The \(Object.modelName)") }
  }
}
