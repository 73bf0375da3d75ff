// Decides which objects are in a list, and where. Turns changes of the store into steps of the list.

import ModelTypes
import Snapshots
import SyncProtocol
import WireFormat

struct ListSource: Sendable {
  let name: String
  let type: String
  let rows: RowTable
  let context: ListContext
  let placing: ListPlacing
  /// Whether objects come and go as time passes.
  let followsTime: Bool
  /// The queue that all objects of the list are in; nil where it may be any.
  let queue: QueueID?
  /// What is asked about other objects; nil where an object's own fields decide its place.
  let answers: ListAnswers?

  init<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, _ store: ModelStore, calendar: ListCalendar
  ) {
    (name, type, placing) = (definition.name, Object.modelName, definition.place)
    queue = definition.queue
    followsTime = definition.followsTime
    rows = store.memory.withLock { $0.lists.rows(of: Object.modelName) }
    context = ListContext(user: store.user, calendar: calendar)
    answers = definition.asked.map { ListAnswers($0, store) }
  }

  /// Turns changes into steps. If an object cannot be read, notes the error in `shown` and has everything read again.
  func steps(of changes: [ListLog.Change], _ shown: inout ShownList, _ store: ModelStore) -> [ListStep] {
    var steps: [ListStep] = []
    steps.reserveCapacity(changes.count)
    // Whether no task holds objects that are not placed yet. Then an id without a row is in no list, and needs no step.
    var hasAll = shown.since == nil
    func add(_ id: UUIDValue, _ object: () throws -> ObjectVersion?) {
      do {
        let object = try object()
        let isHidden = object?.queue.map(shown.hidden.contains) ?? false
        if let step = try step(id, isHidden ? nil : object, hasAll: hasAll) { steps.append(step) }
      } catch {
        shown.error = StoreError(reading: error)
        steps.append(.need(.everything))
      }
    }
    for change in changes {
      switch change {
      case .object(let id, let object): add(id) { object }
      case .unread(let id): add(id) { try store.viewed(id, type: type) }
      case .hidden(let queue): steps.append(.hide(queue))
      case .queue(let queue): if mayBe(in: queue) { steps.append(.need(.queue(queue))) }
      case .arrived(let objects, let queue):
        if shown.hidden.contains(queue) || !mayBe(in: queue) { continue }
        hasAll = false
        steps.append(.arrived(objects, in: queue))
      }
    }
    return steps
  }

  /// Whether objects of a queue can be in the list.
  func mayBe(in queue: QueueID) -> Bool { self.queue.map { $0 == queue } ?? true }

  /// The part of the disk that has the objects of a scope.
  func part(of scope: ListScope) -> ListScope { scope == .everything ? queue.map(ListScope.queue) ?? scope : scope }

  /// The same steps, with an arrival replaced by the steps of its objects. Where other objects cannot be read, all of the
  /// queue is read again, which reports that.
  func placed(_ steps: [ListStep]) -> [ListStep] {
    steps.flatMap { step -> [ListStep] in
      guard case .arrived(let objects, let queue) = step else { return [step] }
      let placed = try? objects.all.compactMap { object in
        try self.step(object.id, object.live.map { ObjectVersion($0, in: queue) }, hasAll: false)
      }
      return placed ?? [.need(.queue(queue))]
    }
  }

  /// The step for one object; nil if it does not concern the list. `hasAll` is as in `steps`.
  private func step(_ id: UUIDValue, _ object: ObjectVersion?, hasAll: Bool) throws -> ListStep? {
    if let object, object.type == type,
      let place = try object.content.withUnsafeBytes({ bytes in
        try place(StoreScan.Head(id: id, queue: object.queue, system: object.system), bytes)
      })
    {
      return .put(rows.row(for: RowID(id)), place, object.queue)
    }
    if let row = rows.knownRow(for: RowID(id)) { return .remove(row) }
    return hasAll ? nil : .absent(RowID(id))
  }

  /// The place of an object; nil if it is not in the list, or its bytes are damaged. Reading the object reports that.
  /// Throws if other objects cannot be read.
  func place(_ object: StoreScan.Head, _ content: UnsafeRawBufferPointer) throws -> ListPlace? {
    var context = context
    context.others = answers?.source(for: object.id)
    do {
      return try placing(object.id, content, object.queue, object.system.fields(of: context.user), context)
    } catch is WireError {
      return nil
    }
  }
}
