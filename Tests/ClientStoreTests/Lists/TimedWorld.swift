// A store whose lists change as time passes, a clock that a test moves, and the expected lists at each moment.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import TypeMatrix

@testable import ClientStore

/// `@unchecked Sendable`: one thread runs the test and the tasks of the store.
final class TimedWorld: @unchecked Sendable {
  let time: HandTime
  let executor: SeededExecutor
  let calendar: ListCalendar
  let folder: TemporaryFolder
  let boards = (1...2).map { Board(id: .queue(UInt64($0)), name: "Board \($0)") }
  private(set) var store: ModelStore
  private let seed: UInt64
  private let server = HandServer()
  private var revision: Int64 = 0
  private static let user = UserID(high: 1, low: 1)

  init(seed: UInt64 = 1, at now: Int64 = 0, in zone: String = "UTC") throws {
    (self.seed, time, executor) = (seed, HandTime(now), SeededExecutor(seed: seed))
    calendar = ListCalendar(timeZone: TimeZone(identifier: zone)!)
    folder = try TemporaryFolder()
    store = try Self.open(folder, time.environment(seed: seed, spawning: executor.spawn))
  }

  private static func open(_ folder: TemporaryFolder, _ environment: RuntimeEnvironment) throws -> ModelStore {
    try RuntimeEnvironment.$current.withValue(environment) {
      try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: user)
    }
  }

  /// Opens the store again, as the next process does.
  func restart() throws {
    try executor.run { [store] in try await store.waitUntilSaved() }
    store.abandon()
    store = try Self.open(folder, time.environment(seed: seed, spawning: executor.spawn))
  }

  func event(
    _ number: UInt64, in board: Int = 0, _ title: String = "a", from start: Int64 = 0, until end: Int64 = 0,
    due: Int64? = nil
  ) -> Event {
    Event(
      id: .object(number, in: boards[board].id), board: boards[board].id, title: title, startsAt: .at(start),
      endsAt: .at(end), dueAt: due.map(Timestamp.at), pinned: false, kind: .meeting)
  }

  func run() { executor.runUntilIdle() }

  /// Lets time pass, and runs the tasks that become due meanwhile.
  func pass(_ milliseconds: Int64) {
    run()
    time.pass(milliseconds) { run() }
  }

  /// A list, of which all has been read.
  func list<Section: ListSection>(_ definition: ListDefinition<Event, Section>) -> ListHandle<Event, Section> {
    let list = store.list(definition, calendar: calendar)
    run()
    return list
  }

  /// Brings changes of others.
  func reveal(_ events: [Event], without deleted: [Event.ID] = [], in board: Int = 0) throws {
    let queue = boards[board].id.queueID
    revision += 1
    var states = try events.map { try store.state(of: $0, revision: revision) }
    states += deleted.map { ObjectState(id: $0.rawValue, revision: revision, live: nil) }
    try executor.run { [states, revision, store, server] in
      try await server.reveal(states, upTo: revision, to: store, in: queue)
    }
  }

  func loadAnew(_ board: Int) throws {
    let queue = boards[board].id.queueID
    try executor.run { [store] in
      try await store.waitUntilSaved()
      try await store.receiveReset(of: queue)
    }
  }
}

extension Timestamp {
  static func at(_ milliseconds: Int64) -> Self { Self(millisecondsSince1970: milliseconds) }
}

// The expected lists: all events, filtered and sorted as of now.
extension TimedWorld {
  typealias Plain = [(section: String, ids: [Event.ID])]

  private var now: Timestamp { .at(time.now) }

  /// The beginning of the current day, by Foundation's calendar.
  private var today: Timestamp {
    var plain = Calendar(identifier: .gregorian)
    plain.timeZone = calendar.timeZone
    let start = plain.startOfDay(for: Date(timeIntervalSince1970: Double(time.now) / 1_000))
    return .at(Int64((start.timeIntervalSince1970 * 1_000).rounded()))
  }

  /// All events by their ids, so that a stable sort orders equal ones as a list does.
  func events() throws -> [Event] { try store.objects(Event.self).sorted { $0.id < $1.id } }

  private func plain(_ events: [Event]) -> Plain { events.isEmpty ? [] : [("", events.map(\.id))] }

  private func grouped(_ events: [Event], _ section: (Event) -> String) -> Plain {
    var plain: Plain = []
    for event in events {
      if plain.last?.section != section(event) { plain.append((section(event), [])) }
      plain[plain.count - 1].ids.append(event.id)
    }
    return plain
  }

  func upcoming(of events: [Event]) -> Plain {
    let now = now
    return plain(events.filter { $0.endsAt > now }.stablySorted { $0.startsAt < $1.startsAt })
  }

  func running(in board: Int, of events: [Event]) -> [Event] {
    let now = now
    return events.filter { $0.board == boards[board].id && $0.startsAt <= now && $0.endsAt > now }
      .stablySorted { $0.startsAt < $1.startsAt }
  }

  func running(of events: [Event]) -> Plain { plain(running(in: 0, of: events)) }

  func overdue(of events: [Event]) -> Plain {
    let (today, zone) = (today, calendar.timeZone)
    let due = events.filter { !$0.pinned && $0.dueAt.map { $0 < today } == true }
      .stablySorted { $0.dueAt! < $1.dueAt! }.prefix(5)
    return grouped(Array(due)) { "\(ListWorld.plainDay(of: $0.dueAt!, in: zone))" }
  }

  func offered(of events: [Event]) -> Plain {
    let (now, today) = (now, today)
    let all = events.filter { event in
      let isDue = event.dueAt.map { $0 <= today } == true
      return !event.pinned && (event.startsAt >= now || isDue || event.title.contains("always"))
    }.stablySorted { $0.startsAt < $1.startsAt }
    return [Event.Kind.meeting, .trip].map { kind in ("\(kind)", all.filter { $0.kind == kind }.map(\.id)) }
  }

  func guests(of events: [Event]) -> Plain {
    let (now, today) = (now, today)
    return plain(
      events.filter { event in
        guard let stay = event.stay, stay.from <= now else { return false }
        return stay.until.map { $0 > today } ?? true
      }.stablySorted { $0.title < $1.title })
  }

  func titles(of events: [Event]) -> Plain {
    let now = now
    var seen: Set<String> = []
    return plain(
      events.filter { $0.endsAt >= now && $0.startsAt < now }.stablySorted { $1.startsAt < $0.startsAt }
        .filter { seen.insert($0.title).inserted })
  }

  static func plain<Section: ListSection>(_ snapshot: ListSnapshot<Event, Section>) -> Plain {
    (0..<snapshot.sectionCount).map { number in
      let section = snapshot.section(at: number)
      let name = section is Unsectioned ? "" : "\(Mirror(reflecting: section).children.first?.value ?? section)"
      return (name, snapshot.positions(ofSection: number).map { snapshot.id(at: $0) })
    }
  }
}

extension Array {
  fileprivate func stablySorted(by precedes: (Element, Element) -> Bool) -> Self {
    enumerated().sorted { left, right in
      if precedes(left.element, right.element) { return true }
      return !precedes(right.element, left.element) && left.offset < right.offset
    }.map(\.element)
  }
}
