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
    _ definition: ListDefinition<Object, Section>, _ store: ModelStore, calendar: ListCalendar,
    _ consumers: ListConsumers
  ) {
    (name, type, placing) = (definition.name, Object.modelName, definition.place)
    queue = definition.queue
    followsTime = definition.followsTime
    rows = store.memory.withLock { $0.lists.rows(of: Object.modelName) }
    context = ListContext(user: store.user, calendar: calendar)
    answers = definition.asked.map { asked in ListAnswers(asked, store) { consumers.wake() } }
  }

  /// Turns changes into steps. If an object cannot be read, notes the error in `shown` and has everything read again.
  func steps(of changes: [ListLog.Change], _ shown: inout ShownList, _ store: ModelStore) -> [ListStep] {
    var steps: [ListStep] = []
    steps.reserveCapacity(changes.count)
    // Whether no task holds objects that are not placed yet. Then an id without a row is in no list, and needs no step.
    var hasAll = shown.since == nil
    func add(_ id: UUIDValue, _ object: ObjectVersion?) {
      let isHidden = object?.queue.map(shown.hidden.contains) ?? false
      if let step = step(id, isHidden ? nil : object, hasAll: hasAll) { steps.append(step) }
    }
    for change in changes {
      switch change {
      case .object(let id, let object): add(id, object)
      case .unread(let id):
        do { add(id, try store.viewed(id, type: type)) } catch {
          shown.error = StoreError(reading: error)
          steps.append(.need(.everything))
        }
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

  /// The same steps, with an arrival replaced by the steps of its objects.
  func placed(_ steps: [ListStep]) -> [ListStep] {
    steps.flatMap { step -> [ListStep] in
      guard case .arrived(let objects, let queue) = step else { return [step] }
      return objects.all.compactMap { object in
        self.step(object.id, object.live.map { ObjectVersion($0, in: queue) }, hasAll: false)
      }
    }
  }

  /// The step for one object; nil if it does not concern the list. `hasAll` is as in `steps`.
  private func step(_ id: UUIDValue, _ object: ObjectVersion?, hasAll: Bool) -> ListStep? {
    if let object, object.type == type,
      let place = object.content.withUnsafeBytes({ bytes in
        var context = context
        return place(StoreScan.Head(id: id, queue: object.queue, system: object.system), bytes, &context)
      })
    {
      return .put(rows.row(for: RowID(id)), place, object.queue)
    }
    if let row = rows.knownRow(for: RowID(id)) { return .remove(row) }
    return hasAll ? nil : .absent(RowID(id))
  }

  /// The place of an object; nil if it is not in the list, or its bytes are damaged. Reading the object reports that.
  /// The context is one for many objects, because a copy for each would be felt.
  func place(
    _ object: StoreScan.Head, _ content: UnsafeRawBufferPointer, _ context: inout ListContext
  ) -> ListPlace? {
    (context.id, context.queue, context.system) = (object.id, object.queue, object.system.fields(of: context.user))
    if let answers { context.asked = answers.source(for: object.id, context.system) }
    return (try? placing(content, context)) ?? nil
  }
}
