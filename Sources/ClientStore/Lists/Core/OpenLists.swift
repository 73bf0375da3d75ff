// The lists that are open: who opens one of them again shares what was read.

import Foundation
import ModelTypes
import Snapshots

/// Keeps no list open: an entry goes with the last handle, view or update that has its list.
struct OpenLists {
  /// What makes two lists the same. A name includes the value of a parameter.
  struct Key: Hashable {
    private let name: String
    private let timeZone: TimeZone
    private let firstWeekday: CalendarWeekday

    init(_ name: String, _ calendar: ListCalendar) {
      (self.name, timeZone, firstWeekday) = (name, calendar.timeZone, calendar.firstWeekday)
    }
  }

  private struct Entry {
    weak var core: ListCore?
    let identity: ObjectIdentifier
  }

  private var entries: [Key: Entry] = [:]

  subscript(key: Key) -> ListCore? { entries[key]?.core }

  mutating func add(_ core: ListCore, _ key: Key) {
    entries[key] = Entry(core: core, identity: ObjectIdentifier(core))
  }

  /// Forgets a list that goes, unless the same list was opened anew since.
  mutating func remove(_ identity: ObjectIdentifier, _ key: Key) {
    if entries[key]?.identity == identity { entries[key] = nil }
  }
}

extension ModelStore {
  /// The list as somebody has it open, or a new one that begins to read.
  func openList<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, _ calendar: ListCalendar
  ) -> ListCore {
    let key = OpenLists.Key(definition.name, calendar)
    if let open = openLists.withLock({ $0[key] }) { return open }
    let opened = ListCore(self, definition, calendar, key: key)
    let shared = openLists.withLock { lists in
      if let other = lists[key] { return other }
      lists.add(opened, key)
      return opened
    }
    shared.startReading()
    return shared
  }

  /// The list if somebody has it open, and all of it was read.
  func completeList<Object: Model, Section: ListSection>(
    _ definition: ListDefinition<Object, Section>, _ calendar: ListCalendar
  ) -> (core: ListCore, snapshot: Snapshot)? {
    guard let open = openLists.withLock({ $0[OpenLists.Key(definition.name, calendar)] }) else { return nil }
    let snapshot = open.newest()
    return snapshot.isComplete ? (open, snapshot) : nil
  }
}
