// Which objects are in a list, and where: what changes of the store mean for it.

import ModelTypes
import Snapshots
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

  /// What changes do to a list. Those that have to be read and cannot be are noted in it.
  func steps(of changes: [ListLog.Change], _ shown: inout ShownList, _ store: ModelStore) -> [ListStep] {
    var steps: [ListStep] = []
    steps.reserveCapacity(changes.count)
    for change in changes {
      switch change {
      case .object(let id, let object):
        if let step = step(id, object, shown) { steps.append(step) }
      case .unread(let id):
        do {
          if let step = step(id, try store.viewed(id, type: type), shown) { steps.append(step) }
        } catch {
          shown.error = StoreError(reading: error)
          steps.append(.need(.everything))
        }
      case .hidden(let queue): steps.append(.hide(queue))
      case .queue(let queue): steps.append(.need(.queue(queue)))
      }
    }
    return steps
  }

  /// Nil where it is nothing to the list.
  private func step(_ id: UUIDValue, _ object: Outbox.Confirmed?, _ shown: ShownList) -> ListStep? {
    if let object {
      guard object.type == type else { return anotherModel(RowID(id), shown) }
      if object.queue.map(shown.hidden.contains) != true,
        let place = object.content.withUnsafeBytes({ place(of: id, $0, object.queue) })
      {
        return .put(rows.row(for: RowID(id)), place, object.queue)
      }
    }
    // While the disk is read, it may still have what no list has seen yet.
    let row = shown.since == nil ? rows.knownRow(for: RowID(id)) : rows.row(for: RowID(id))
    return row.map { .remove($0) }
  }

  /// Nothing to the list, unless something of its type was there under the same id, or is on the disk that is read.
  private func anotherModel(_ id: RowID, _ shown: ShownList) -> ListStep? {
    if let row = rows.knownRow(for: id) { return .remove(row) }
    return shown.since == nil ? nil : .absent(id)
  }

  /// Nil where the object is not in the list, and where its bytes are damage: reading the object says so.
  func place(of id: UUIDValue, _ content: UnsafeRawBufferPointer, _ queue: QueueID?) -> ListPlace? {
    (try? placing(id, content, queue, context)) ?? nil
  }
}
