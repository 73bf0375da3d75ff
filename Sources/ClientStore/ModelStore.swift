// The store of one user: shows changes at once, saves them soon after, and keeps them until they are synced.

package import Determinism
public import ModelTypes
import SyncProtocol
public import WireFormat

/// The objects of one user on one device, and the user's pending operations.
///
/// Creating, changing and reading never wait for the network, and changing never waits for the disk: an operation is
/// visible when the call returns, and on disk soon after. Until it is on disk, it is lost if the process is killed or
/// the device loses power; `waitUntilSaved()` waits for that. Nothing is sent before it is saved.
///
/// Safe to use from every thread.
public final class ModelStore: Sendable {
  /// The user who owns the store: the id that the server takes from the user's token.
  public let user: UserID
  /// The queue that has the user's memberships in this app. Objects that are the user's alone may be there too.
  public let homeQueueID: QueueID
  package let schema: any SchemaDescription.Type
  let memory: MemoryLock
  let reader: StoreReader
  let writer: StoreWriter
  let claim: StoreClaim
  let damage: DamageMark
  let folder: String
  private let owner: (any Sendable)?
  /// The models of the schema, by their names in blobs.
  let models: [String: any Model.Type]
  package let environment: RuntimeEnvironment
  /// Its lock is taken inside every other one, and no lock inside of it.
  let openLists = Locked(OpenLists())
  let listTimer: ListTimer
  let liveNews: LiveNews
  let fileFolder: FileFolder
  /// Files to upload or download. Its lock is taken inside the store's lock, never the other way round. What is on disk
  /// too, the writer changes.
  let fileTable = FileTableLock()
  /// No other lock is taken inside of its lock.
  let signals = Locked(StoreSignals())

  /// `owner` lives as long as the store: whoever removes a temporary folder.
  package init(
    at folder: String, schema: any SchemaDescription.Type, user: UserID, files: FileOptions = FileOptions(),
    keeping owner: (any Sendable)? = nil
  ) throws {
    self.owner = owner
    _ = try files.cacheFolder?.localPath
    let opened = try StoreDatabase.open(folder: folder, schema: schema, user: user, fileTable)
    (self.user, self.schema) = (user, schema)
    homeQueueID = schema.homeQueueID(of: user)
    self.folder = folder
    models = Dictionary(schema.models.map { ($0.modelName, $0) }) { first, _ in first }
    environment = .current
    fileFolder = FileFolder(storeFolder: folder, files, name: "\(schema.name)-\(user)") { [fileTable] hash in
      fileTable.withLock { $0.didChange(hash) }
    }
    listTimer = ListTimer(environment)
    liveNews = LiveNews(environment)
    writer = opened.writer
    reader = opened.reader
    claim = opened.claim
    damage = opened.damage
    let saved = opened.state
    var memory = StoreMemory(saved)
    memory.outbox = Outbox(tombstones: saved.tombstones, count: saved.outbox.operations.count)
    try reader.reading { confirmed in
      for operation in saved.outbox.operations { try memory.outbox.append(operation, confirmed: confirmed) }
    }
    memory.failWhatWasLeftBehind()
    memory.didOpen()
    self.memory = MemoryLock(memory)
    // In a task, because the thread that finds damage may be reading inside `withLock`.
    damage.onDamage { [memory = self.memory, environment] in environment.spawn { memory.withLock { $0.wakeSync() } } }
    startSaving()
    sweepFilesLater()
  }

  /// Whether the open store has met damage in its files: a read or a write has thrown `damaged`.
  ///
  /// It stays so. A `SyncClient` ends with `damaged`, and every later opening of the store throws `damaged` until
  /// `salvage` has made a new one. An object whose own bytes cannot be decoded does not count.
  public var isDamaged: Bool { damage.error != nil }

  /// Starts the task that saves, unless it runs already or has nothing to save.
  func startSaving() {
    if memory.withLock({ $0.saves.start() }) { environment.spawn { [self] in await saveAll() } }
  }
}

// Creating and changing.
extension ModelStore {
  /// Creates an object, visible at once. If an object with the same id exists, the store keeps it and fills only its
  /// absent fields. A create that fails is in `failedOperations`.
  @discardableResult
  public func create<Object: Model>(_ object: Object) -> OperationHandle {
    submit("\(Object.modelName).create") { try $0.create(object) }
  }

  /// Changes an object as the user sees it now. The operation changes the fields that differ after `body`.
  @discardableResult
  public func update<Object: Model>(
    _ id: ObjectID<Object>, _ body: (inout Object) -> Void
  ) -> OperationHandle {
    submit("\(Object.modelName).update") { try $0.update(id, body) }
  }

  /// Deletes an object. Deleting the root of a queue ends the queue, for everybody and for ever.
  @discardableResult
  public func delete<Object: Model>(_ id: ObjectID<Object>) -> OperationHandle {
    submit("\(Object.modelName).delete") { try $0.delete(id) }
  }

  /// Performs an operation of the schema, or one written by hand.
  ///
  /// `dependencies` are operations, of any queue, that must be applied before this one is sent. If one of them fails,
  /// this one fails too. An operation that is neither pending nor in `failedOperations` counts as applied.
  @discardableResult
  public func perform(
    _ operation: some ModelOperation, after dependencies: [OperationHandle] = []
  ) -> OperationHandle {
    perform(operation, after: dependencies.map(\.id))
  }

  /// The same, with the ids of operations that this store may not know.
  @discardableResult
  package func perform(_ operation: some ModelOperation, after dependencies: [OperationID]) -> OperationHandle {
    let parameters = { try operation.encodedFields() }
    return submit(type(of: operation).operationName, parameters: parameters, after: dependencies) {
      try operation.evaluate(in: &$0)
    }
  }

  /// Creates several objects, and saves them together.
  @discardableResult
  public func create<Object: Model>(contentsOf objects: some Sequence<Object>) -> [OperationHandle] {
    defer { tellLiveValues() }
    return memory.holding { objects.map { create($0) } }
  }

  /// Performs operations one after the other, and saves them together.
  @discardableResult
  public func perform<Operation: ModelOperation>(contentsOf operations: some Sequence<Operation>) -> [OperationHandle] {
    defer { tellLiveValues() }
    return memory.holding { operations.map { perform($0) } }
  }

  /// Returns when everything performed before is on disk, or has failed and is in `failedOperations`. Throws the
  /// `StoreError` that keeps the store from saving, `closed` after `close`.
  public func waitUntilSaved() async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      memory.withLock { $0.saves.wait(continuation, &$0.effects) }
      startSaving()
    }
  }
}

extension ModelStore {
  /// Evaluates an operation against what the user sees, makes it visible and hands it to the writer. Reports an error
  /// in `failedOperations`, and in the state of the handle, instead of throwing it.
  @discardableResult
  func submit(
    _ name: String, parameters: () throws -> [UInt8] = { [] }, after dependencies: [OperationID] = [],
    _ evaluate: (inout OperationContext) throws -> Void
  ) -> OperationHandle {
    let record = OperationRecord(id: .new())
    // Holds the lock for evaluating and appending, so that no other change comes between.
    memory.holding {
      let view = StoreView(store: self)
      let now = Timestamp(millisecondsSince1970: environment.nowMilliseconds())
      var context = OperationContext(user: user, now: now, view: view)
      do {
        try checkOpen()
        try check(dependencies)
        try evaluate(&context)
        try append(record, name, try parameters(), context, view, after: dependencies)
      } catch {
        let reason = view.hasMissedEnded && error.isMissingObject ? .ended : StoreError(turningDown: error)
        turnDown(record, name, (try? parameters()) ?? [], context, reason)
      }
    }
    startSaving()
    tellLiveValues()
    return OperationHandle(record: record, store: self)
  }

  private func checkOpen() throws {
    let (isClosed, closed) = memory.withLock { ($0.isClosed, $0.saves.closed) }
    if isClosed { throw StoreError.closed }
    if let closed { throw closed }
  }

  private func check(_ dependencies: [OperationID]) throws {
    guard !dependencies.isEmpty, failedOperations.contains(where: { dependencies.contains($0.id) }) else { return }
    throw StoreError(.dependency, "An operation that it depends on did not happen.")
  }

  private func append(
    _ record: OperationRecord, _ name: String, _ parameters: [UInt8], _ context: OperationContext, _ view: StoreView,
    after dependencies: [OperationID]
  ) throws {
    let changes = memory.withLock { $0.outbox.reviving(context.changes) }
    guard !changes.isEmpty else { return record.begin(.confirmed(hadEffect: false)) }
    try check(changes, in: context.queueID, view)
    let bytes = try changes.encoded()
    if let queue = context.queueID, memory.withLock({ $0.accepts(changes, in: queue) }) { accept(queue) }
    try memory.withLock { memory in
      let operation = OutboxEntry(
        number: memory.number(), id: record.id, queue: context.queueID, name: name, parameters: parameters,
        changes: changes, bytes: bytes, performedAt: context.now,
        dependencies: dependencies.filter { memory.outbox.number(of: $0) != nil })
      try memory.append(operation, record, confirmed: view.confirmed)
    }
  }

  private func check(_ changes: OperationChanges, in queue: QueueID?, _ view: StoreView) throws {
    let (count, limit) = (changes.objects.count, ProtocolLimits.objectChanges)
    guard count <= limit || queue == nil else {
      throw StoreError(.refused, "An operation changes at most \(limit) objects; this one changes \(count). Split it.")
    }
    try memory.withLock { try $0.check(changes, in: queue) }
    try judge(changes, in: queue, view)
  }

  /// Evaluates an operation, and throws the reason why it may not be performed. Performs nothing.
  func tryOut(_ evaluate: (inout OperationContext) throws -> Void) throws {
    try memory.holding {
      let view = StoreView(store: self)
      let now = Timestamp(millisecondsSince1970: environment.nowMilliseconds())
      var context = OperationContext(user: user, now: now, view: view)
      try checkOpen()
      try evaluate(&context)
      try check(memory.withLock { $0.outbox.reviving(context.changes) }, in: context.queueID, view)
    }
  }

  /// Reports an operation that is not performed.
  private func turnDown(
    _ record: OperationRecord, _ name: String, _ parameters: [UInt8], _ context: OperationContext, _ error: StoreError
  ) {
    record.begin(.failed(error))
    let item = FailedOperation(
      id: record.id, name: name, parameters: parameters, changes: context.changes, queue: context.queueID,
      performedAt: context.now, reason: error)
    memory.withLock { $0.report([item], saving: .reports) }
  }
}
