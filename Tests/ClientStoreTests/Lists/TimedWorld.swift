// A store whose lists change as time passes, under a clock that a test moves, and what they must be at each moment.

import Foundation
import ModelRuntime
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
  private static let user = UserID(UUIDValue(high: 1, low: 1))

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

  /// The next process.
  func restart() throws {
    try executor.run { [store] in try await store.saved() }
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

  /// Lets time pass, with everything that happens meanwhile.
  func pass(_ milliseconds: Int64) {
    run()
    time.pass(milliseconds) { run() }
  }

  /// A list when all of it is read.
  func open<Section: ListSection>(_ definition: ListDefinition<Event, Section>) -> ListHandle<Event, Section> {
    let list = store.open(definition, calendar: calendar)
    run()
    return list
  }

  /// What others have done.
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
      try await store.saved()
      try await store.receiveReset(of: queue)
    }
  }
}

extension Timestamp {
  static func at(_ milliseconds: Int64) -> Self { Self(millisecondsSince1970: milliseconds) }
}

// What there must be: everything, filtered and sorted at this moment.
extension TimedWorld {
  typealias Plain = [(section: String, ids: [Event.ID])]

  private var now: Timestamp { .at(time.now) }

  /// By Foundation's calendar.
  private var today: Timestamp {
    var plain = Calendar(identifier: .gregorian)
    plain.timeZone = calendar.timeZone
    let start = plain.startOfDay(for: Date(timeIntervalSince1970: Double(time.now) / 1_000))
    return .at(Int64((start.timeIntervalSince1970 * 1_000).rounded()))
  }

  /// In the order of their ids, so that a stable sort is all that is left.
  private func events(_ isIncluded: (Event) -> Bool) throws -> [Event] {
    try store.objects(Event.self).sorted { $0.id.rawValue < $1.id.rawValue }.filter(isIncluded)
  }

  private func plain(_ events: [Event]) -> Plain { events.isEmpty ? [] : [("", events.map(\.id))] }

  private func grouped(_ events: [Event], _ section: (Event) -> String) -> Plain {
    var plain: Plain = []
    for event in events {
      if plain.last?.section != section(event) { plain.append((section(event), [])) }
      plain[plain.count - 1].ids.append(event.id)
    }
    return plain
  }

  func upcoming() throws -> Plain {
    let now = now
    return plain(try events { $0.endsAt > now }.stablySorted { $0.startsAt < $1.startsAt })
  }

  func running(in board: Int) throws -> [Event] {
    let now = now
    return try events { $0.board == boards[board].id && $0.startsAt <= now && $0.endsAt > now }
      .stablySorted { $0.startsAt < $1.startsAt }
  }

  func running() throws -> Plain { plain(try running(in: 0)) }

  func overdue() throws -> Plain {
    let (today, zone) = (today, calendar.timeZone)
    let due = try events { !$0.pinned && $0.dueAt.map { $0 < today } == true }
      .stablySorted { $0.dueAt! < $1.dueAt! }.prefix(5)
    return grouped(Array(due)) { "\(ListWorld.plainDay(of: $0.dueAt!, in: zone))" }
  }

  func offered() throws -> Plain {
    let (now, today) = (now, today)
    let all = try events { event in
      let isDue = event.dueAt.map { $0 <= today } == true
      return !event.pinned && (event.startsAt >= now || isDue || event.title.contains("always"))
    }.stablySorted { $0.startsAt < $1.startsAt }
    return [Event.Kind.meeting, .trip].map { kind in ("\(kind)", all.filter { $0.kind == kind }.map(\.id)) }
  }

  func guests() throws -> Plain {
    let (now, today) = (now, today)
    return plain(
      try events { event in
        guard let stay = event.stay, stay.from <= now else { return false }
        return stay.until.map { $0 > today } ?? true
      }.stablySorted { $0.title < $1.title })
  }

  func titles() throws -> Plain {
    let now = now
    var seen: Set<String> = []
    return plain(
      try events { $0.endsAt >= now && $0.startsAt < now }.stablySorted { $1.startsAt < $0.startsAt }
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

/// What a consumer was told: the newest snapshot, and all rows that came and went. One thread.
final class TimedConsumer<Section: ListSection>: @unchecked Sendable {
  private(set) var updates: [ListUpdate<Event, Section>] = []

  init(_ list: ListHandle<Event, Section>, _ world: TimedWorld) {
    world.executor.spawn { [weak self] in
      for await update in list.updates {
        guard let self else { return }
        self.updates.append(update)
      }
    }
    world.run()
  }

  var newest: TimedWorld.Plain { updates.last.map { TimedWorld.plain($0.snapshot) } ?? [] }
}

/// All lists of the events, opened twice, each with a consumer: what they show beside what they must.
final class TimedLists {
  private struct Followed {
    var name: String
    var told: () -> TimedWorld.Plain
    var seen: () -> TimedWorld.Plain
    var expected: () throws -> TimedWorld.Plain
    var release: () -> Void
  }

  private let world: TimedWorld
  private let pages: ViewList<Board.Page, Unsectioned>
  private var followed: [Followed] = []

  init(_ world: TimedWorld) {
    self.world = world
    pages = world.store.open(Board.byName, as: Board.Page.self)
    follow("upcoming", Event.upcoming, world.upcoming)
    follow("running", Event.running(board: world.boards[0].id), world.running)
    follow("overdue", Event.overdue, world.overdue)
    follow("offered", Event.offered, world.offered)
    follow("guests", Event.guests, world.guests)
    follow("titles", Event.titles, world.titles)
  }

  private func follow<Section: ListSection>(
    _ name: String, _ definition: ListDefinition<Event, Section>, _ expected: @escaping () throws -> TimedWorld.Plain
  ) {
    let list = world.open(definition)
    let consumer = TimedConsumer(list, world)
    followed.append(
      Followed(
        name: name, told: { consumer.newest }, seen: { TimedWorld.plain(list.snapshot) }, expected: expected,
        release: {
          list.hold()
          list.release()
        }))
  }

  /// Makes all consumers look: nobody tells them that the clock was set.
  func releaseAll() { for list in followed { list.release() } }

  /// Consumers were told before anybody looks.
  func firstDifference() throws -> String? {
    for list in followed {
      let expected = try list.expected()
      for (name, found) in [("told", list.told()), ("seen", list.seen())] {
        let isSame = found.elementsEqual(expected) { $0.section == $1.section && $0.ids == $1.ids }
        if !isSame { return "\(list.name), \(name): \(found), not \(expected)" }
      }
    }
    for (number, board) in world.boards.enumerated() {
      _ = try pages.view(board.id)
      world.run()
      let (found, expected) = (try pages.view(board.id)?.running, try world.running(in: number).count)
      if let found, found != expected { return "count of \(number): \(found), not \(expected)" }
    }
    return nil
  }
}

extension Board {
  static var byName: ListDefinition<Board, Unsectioned> {
    ListDefinition("board.byName", ListOrdering(order: .bytes)) { (fields: BoardNames, _) in
      ListPlace(order: .ascending(fields.name))
    }
  }
}

private struct BoardNames: ListFields {
  var name = ""

  static let fieldTable = FieldTable(projection: "board", Field(1, "name", \Self.name))

  func queueID(of id: UUIDValue) -> QueueID? { QueueID(id) }
}

// Any change.
extension TimedWorld {
  /// Does something to the events or to the clock; returns what, for messages.
  func change(near midnight: Int64, _ random: inout SeededRandom) throws -> String {
    let events = try store.objects(Event.self).sorted { $0.id.rawValue < $1.id.rawValue }
    let board = random.below(2)
    switch random.below(14) {
    case 0...2:
      store.create(any(near: midnight, in: board, &random))
      return "create"
    case 3, 4:
      guard !events.isEmpty else { return "nothing" }
      let (old, new) = (random.pick(events), any(near: midnight, in: board, &random))
      store.update(old.id) { event in
        (event.startsAt, event.endsAt, event.dueAt) = (new.startsAt, new.endsAt, new.dueAt)
        (event.pinned, event.stay, event.title) = (new.pinned, new.stay, new.title)
      }
      return "update"
    case 5:
      guard !events.isEmpty else { return "nothing" }
      let handle = store.delete(random.pick(events).id)
      if random.chance(40) {
        run()
        handle.cancel()
      }
      return "delete"
    case 6:
      let theirs = (0...random.below(4)).map { _ in any(near: midnight, in: board, &random) }
      let named = Set(theirs.map(\.id))
      let deleted = events.filter { $0.board == boards[board].id && !named.contains($0.id) }.prefix(1).map(\.id)
      try reveal(Array(Dictionary(theirs.map { ($0.id, $0) }) { $1 }.values), without: deleted, in: board)
      return "reveal"
    case 7:
      try loadAnew(board)
      return "load anew"
    case 8:
      // Often just onto a moment at which something changes, or beside it.
      let times = events.flatMap { [$0.startsAt, $0.endsAt] }.map(\.millisecondsSince1970) + [midnight]
      let moment = random.pick(times) + random.pick([-1, 0, 1])
      // A second is not noticed at once.
      guard abs(moment - time.now) >= 1_000 else { return "nothing" }
      time.set(to: moment)
      return "clock to a moment"
    case 9:
      time.set(to: midnight + random.below(Int64(400_000_000)) - 200_000_000)
      return "clock"
    case 10:
      pass(random.below(200_000_000))
      return "long pass"
    default:
      let next = events.map { $0.endsAt.millisecondsSince1970 - time.now }.filter { (0..<100_000_000).contains($0) }.min()
      pass(random.chance(50) ? next ?? 1 : random.below(20_000_000))
      return "pass"
    }
  }

  private func any(near midnight: Int64, in board: Int, _ random: inout SeededRandom) -> Event {
    let day: Int64 = 86_400_000
    func moment() -> Int64 {
      let exact = random.pick([midnight, midnight + day, midnight - day, midnight + day - 3_600_000])
      return random.chance(30) ? exact + random.pick([-1, 0, 1]) : exact + random.below(day) - day / 2
    }
    let start = moment()
    var event = event(
      1 + random.below(30), in: board, random.pick(["a", "b", "c", "always"]), from: start,
      until: random.chance(80) ? start + random.below(day) : moment(), due: random.chance(70) ? moment() : nil)
    event.pinned = random.chance(20)
    event.kind = random.pick([.meeting, .trip])
    if random.chance(60) { event.stay = .init(from: .at(moment()), until: random.chance(60) ? .at(moment()) : nil) }
    return event
  }
}
