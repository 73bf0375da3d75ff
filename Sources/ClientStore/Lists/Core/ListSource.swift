// Which objects are in a list, and where: what changes of the store mean for it.

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
  /// Whether its ends are kept for the first screen of the next process.
  let keepsEnds: Bool

  init<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, _ store: ModelStore, calendar: ListCalendar, keepsEnds: Bool = true
  ) {
    (name, type, placing) = (definition.name, Object.modelName, definition.place)
    followsTime = definition.followsTime
    rows = store.memory.withLock { $0.lists.rows(of: Object.modelName) }
    context = ListContext(user: store.user, calendar: calendar)
    self.keepsEnds = keepsEnds
  }

  /// The steps that changes mean for a list. Objects that cannot be read are noted in it.
  func steps(of changes: [ListLog.Change], _ shown: inout ShownList, _ store: ModelStore) -> [ListStep] {
    var steps: [ListStep] = []
    steps.reserveCapacity(changes.count)
    // Whether no task holds objects that are not placed: an id without a row is in no list then, and needs no step.
    var hasAll = shown.since == nil
    func add(_ id: UUIDValue, _ object: Outbox.Confirmed?) {
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
      case .queue(let queue): steps.append(.need(.queue(queue)))
      case .arrived(let objects, let queue):
        if shown.hidden.contains(queue) { continue }
        hasAll = false
        steps.append(.arrived(objects, in: queue))
      }
    }
    return steps
  }

  /// The same steps with those of each object that has arrived.
  func placed(_ steps: [ListStep]) -> [ListStep] {
    steps.flatMap { step -> [ListStep] in
      guard case .arrived(let objects, let queue) = step else { return [step] }
      return objects.all.compactMap { object in
        self.step(object.id, object.live.map { Outbox.Confirmed($0, in: queue) }, hasAll: false)
      }
    }
  }

  /// Nil where it is nothing to the list; `hasAll` as above.
  private func step(_ id: UUIDValue, _ object: Outbox.Confirmed?, hasAll: Bool) -> ListStep? {
    if let object, object.type == type,
      let place = object.content.withUnsafeBytes({ place(of: id, $0, object.queue) })
    {
      return .put(rows.row(for: RowID(id)), place, object.queue)
    }
    if let row = rows.knownRow(for: RowID(id)) { return .remove(row) }
    return hasAll ? nil : .absent(RowID(id))
  }

  /// Nil where the object is not in the list, and where its bytes are damage: reading the object says so.
  func place(of id: UUIDValue, _ content: UnsafeRawBufferPointer, _ queue: QueueID?) -> ListPlace? {
    (try? placing(id, content, queue, context)) ?? nil
  }
}
