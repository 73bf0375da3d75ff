// All lists that change as time passes, compared with their expected content, and random changes.

import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import TypeMatrix

@testable import ClientStore

/// Collects the updates of a list. `@unchecked Sendable`: one thread uses it.
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

/// All lists of the events, each with a consumer.
final class TimedLists {
  private struct Followed {
    var name: String
    var told: () -> TimedWorld.Plain
    var seen: () -> TimedWorld.Plain
    var expected: ([Event]) -> TimedWorld.Plain
    var release: () -> Void
  }

  private let world: TimedWorld
  private let pages: ViewList<Board.Page, Unsectioned>
  private var followed: [Followed] = []

  init(_ world: TimedWorld) {
    self.world = world
    pages = world.store.list(Board.byName, as: Board.Page.self)
    follow("upcoming", Event.upcoming, world.upcoming(of:))
    follow("running", Event.running(board: world.boards[0].id), world.running(of:))
    follow("overdue", Event.overdue, world.overdue(of:))
    follow("offered", Event.offered, world.offered(of:))
    follow("guests", Event.guests, world.guests(of:))
    follow("titles", Event.titles, world.titles(of:))
  }

  private func follow<Section: ListSection>(
    _ name: String, _ definition: ListDefinition<Event, Section>, _ expected: @escaping ([Event]) -> TimedWorld.Plain
  ) {
    let list = world.list(definition)
    let consumer = TimedConsumer(list, world)
    followed.append(
      Followed(
        name: name, told: { consumer.newest }, seen: { TimedWorld.plain(list.snapshot) }, expected: expected,
        release: {
          list.pauseUpdates()
          list.resumeUpdates()
        }))
  }

  /// Makes all consumers look, because nobody tells them that the clock was set.
  func releaseAll() { for list in followed { list.release() } }

  /// Describes the first list that differs from its expected content; nil if none does. Compares what a consumer was
  /// told before it looks at the list.
  func firstDifference() throws -> String? {
    let events = try world.events()
    for list in followed {
      let expected = list.expected(events)
      for (name, found) in [("told", list.told()), ("seen", list.seen())] {
        let isSame = found.elementsEqual(expected) { $0.section == $1.section && $0.ids == $1.ids }
        if !isSame { return "\(list.name), \(name): \(found), not \(expected)" }
      }
    }
    for (number, board) in world.boards.enumerated() {
      _ = try pages.view(board.id)
      world.run()
      let (found, expected) = (try pages.view(board.id)?.running, world.running(in: number, of: events).count)
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

// Random changes.
extension TimedWorld {
  /// Makes a random change of the events or the clock, and returns its name for messages.
  func change(near midnight: Int64, _ random: inout SeededRandom) throws -> String {
    let events = try events()
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
      // Often sets the clock to a moment at which something changes, or a millisecond beside it.
      let times = events.flatMap { [$0.startsAt, $0.endsAt] }.map(\.millisecondsSince1970) + [midnight]
      let moment = random.pick(times) + random.pick([-1, 0, 1])
      // A change of the clock by less than a second may go unnoticed for a while.
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
      let next = events.map { $0.endsAt.millisecondsSince1970 - time.now }.filter { (0..<100_000_000).contains($0) }
        .min()
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
