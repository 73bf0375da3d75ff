// Reads objects as the user sees them: confirmed state with the outbox replayed on top.

public import ModelTypes
public import SyncProtocol
public import WireFormat

extension ModelStore {
  /// The object as the user sees it; nil where there is none. Throws a `StoreError` where it cannot be read.
  public func object<Object: Model>(_ id: ObjectID<Object>) throws -> Object? {
    try viewed(id.rawValue, type: Object.modelName).flatMap { try Object(stored: id, $0.content, in: $0.queue) }
  }

  /// The user who made the object, and the times, as the server has noted them; nil if there is no such object. Throws
  /// a `StoreError` if the object cannot be read.
  public func systemFields<Object: Model>(of id: ObjectID<Object>) throws -> SystemFields? {
    try viewed(id.rawValue, type: Object.modelName)?.system.fields(of: user)
  }

  /// Whether a pending operation changes the object.
  public func isPending<Object: Model>(_ id: ObjectID<Object>) -> Bool {
    memory.withLock { $0.outbox.overlay[id.rawValue] != nil }
  }

  /// All objects of a model as the user sees them at this moment.
  ///
  /// Reads and decodes every object, on a connection of its own, beside other work. Meant for export, search and small
  /// models. Throws a `StoreError` if the store cannot be read.
  public func objects<Object: Model>(
    _: Object.Type, orderedBy order: ObjectOrder<Object> = .byID
  ) throws -> [Object] {
    try checkReadable()
    let scan = try reader.scan()
    // The scan and the outbox are of the same moment. The long read happens after the lock is released.
    let (overlaid, hidden) = try memory.holding {
      try scan.begin()
      return try memory.withLock { memory in
        try memory.outbox.refreshObjects(reader.object)
        return (memory.outbox.overlay.objects, memory.ledger.hiddenQueues)
      }
    }
    var objects: [Object] = []
    try scan.forEachObject(type: Object.modelName, hiding: hidden) { head, content in
      guard overlaid[head.id] == nil else { return }
      guard let object = try Object(stored: ObjectID(head.id), [UInt8](content), in: head.queue) else { return }
      objects.append(object)
    }
    for (id, object) in overlaid {
      guard let view = object.view, view.type == Object.modelName, view.queue.map(hidden.contains) != true,
        let object = try Object(stored: ObjectID(id), view.content, in: view.queue)
      else { continue }
      objects.append(object)
    }
    return order.sorted(objects)
  }

  /// The pending operations, in the order in which they were performed.
  public var pendingOperations: [PendingOperation] {
    memory.withLock { memory in
      memory.outbox.numbers.compactMap { memory.outbox.operations[$0] }.map { operation in
        PendingOperation(
          handle: OperationHandle(record: memory.record(of: operation), store: self), name: operation.name,
          parameters: operation.parameters, changes: operation.changes, queue: operation.queue,
          performedAt: operation.performedAt, state: operation.state, isVoided: operation.isVoided,
          applies: memory.outbox.applies(operation.number), outcome: operation.outcome)
      }
    }
  }

  /// The operations that did not happen, oldest first. Each stays until `dismiss`.
  public var failedOperations: [FailedOperation] {
    memory.withLock { $0.failedOperations }
  }

  func viewed(_ id: UUIDValue, type: String) throws -> ObjectVersion? {
    let object = try memory.withLock { memory in
      if memory.isClosed { throw StoreError.closed }
      let overlaid = try memory.outbox.refreshedObject(id, reader.object)
      let object = if let overlaid { overlaid.view } else { try reader.object(id) }
      return memory.ledger.isHidden(object?.queue) ? nil : object
    }
    return object?.type == type ? object : nil
  }
}

/// The objects that an operation sees while it is evaluated; `submit` holds the store's lock meanwhile.
///
/// Remembers the confirmed objects that it has read: the outbox asks for them again when the operation is appended.
final class StoreView: ObjectView {
  private let store: ModelStore
  private var read: [UUIDValue: ObjectVersion?] = [:]
  /// Whether an object was asked for that is hidden because the user has ended its queue.
  private(set) var hasMissedEnded = false

  init(store: ModelStore) {
    self.store = store
  }

  func object(_ id: UUIDValue, type: String) throws -> ViewedObject? {
    guard let object = try anyObject(id), object.type == type else { return nil }
    let (isHidden, isEnding) = store.memory.withLock { memory in
      (memory.ledger.isHidden(object.queue), object.queue.map(memory.outbox.ending.contains) ?? false)
    }
    if isEnding { hasMissedEnded = true }
    if isHidden { return nil }
    return ViewedObject(queue: object.queue, content: object.content)
  }

  func seen(in queue: QueueID) -> SeenVersion? { store.memory.withLock { $0.sync.place(of: queue).seen } }

  /// The object of any type, hidden or not.
  func anyObject(_ id: UUIDValue) throws -> ObjectVersion? {
    let overlaid = try store.memory.withLock { try $0.outbox.refreshedObject(id, store.reader.object) }
    return if let overlaid { overlaid.view } else { try confirmed(id) }
  }

  func confirmed(_ id: UUIDValue) throws -> ObjectVersion? {
    if let known = read[id] { return known }
    let object = try store.reader.object(id)
    read[id] = .some(object)
    return object
  }
}

extension Model {
  /// Nil if the object names another queue than its own. Throws `damaged` if its bytes cannot be decoded.
  init?(stored id: ObjectID<Self>, _ content: [UInt8], in queue: QueueID?) throws {
    do throws(WireError) {
      try self.init(id: id, blob: content, in: queue)
    } catch {
      throw StoreError(.damaged, "The \(Self.modelName) \(id) cannot be read: \(error).")
    }
  }
}
