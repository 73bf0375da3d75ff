// Lists with `$now` and `$today`: objects come and go as time passes, in the right millisecond.

import ModelSupport
import SampleIDs
import Snapshots
import StoreTestSupport
import TestSupport
import Testing
import TypeMatrix

@testable import ClientStore

@Suite struct TimedListTests {
  private static func ids<Section: ListSection>(_ list: ListHandle<Event, Section>) -> [Event.ID] {
    let snapshot = list.snapshot
    return (0..<snapshot.count).map { snapshot.id(at: $0) }
  }

  /// Looks just before, in and after the milliseconds at which comparisons begin or cease to hold.
  @Test func objectComesAndGoesInTheRightMillisecond() throws {
    let world = try TimedWorld(at: 900)
    let event = world.event(1, from: 1_000, until: 2_000)
    world.store.create(event)
    let (upcoming, running) = (world.list(Event.upcoming), world.list(Event.running(board: world.boards[0].id)))
    let titles = world.list(Event.titles)
    for (moment, isUpcoming, isRunning, isInTitles) in [
      (999, true, false, false), (1_000, true, true, false), (1_001, true, true, true), (1_999, true, true, true),
      (2_000, false, false, true), (2_001, false, false, false),
    ] as [(Int64, Bool, Bool, Bool)] {
      world.pass(moment - world.time.now)
      #expect(Self.ids(upcoming) == (isUpcoming ? [event.id] : []), "at \(moment)")
      #expect(Self.ids(running) == (isRunning ? [event.id] : []), "at \(moment)")
      #expect(Self.ids(titles) == (isInTitles ? [event.id] : []), "at \(moment)")
    }
  }

  @Test func aConsumerIsToldExactlyWhatComesAndGoes() throws {
    let world = try TimedWorld()
    for (number, start) in [(1, 10), (2, 20), (3, 30)] as [(UInt64, Int64)] {
      world.store.create(world.event(number, from: start, until: start + 15))
    }
    let list = world.list(Event.running(board: world.boards[0].id))
    let consumer = TimedConsumer(list, world)
    let before = consumer.updates.count
    world.pass(100)
    let told = consumer.updates.dropFirst(before)
    let ids = (1...3).map { world.event($0).id }
    #expect(
      told.map { update in (0..<update.snapshot.count).map { update.snapshot.id(at: $0) } } == [
        [ids[0]], [ids[0], ids[1]], [ids[1]], [ids[1], ids[2]], [ids[2]], [],
      ])
    #expect(told.allSatisfy { $0.changes.updates.isEmpty && $0.changes.moves.isEmpty })
    #expect(told.map(\.changes.insertedSections.count) == [1, 0, 0, 0, 0, 0])
    #expect(told.map(\.changes.inserts.count) == [0, 1, 0, 1, 0, 0])
    #expect(told.map(\.changes.deletes.count) == [0, 0, 1, 0, 1, 0])
    #expect(told.map(\.changes.deletedSections.count) == [0, 0, 0, 0, 0, 1])
  }

  @Test func nextSnapshotFollowsClockThatWasSet() throws {
    let world = try TimedWorld(at: 1_000)
    let event = world.event(1, from: 2_000, until: 3_000)
    world.store.create(event)
    let list = world.list(Event.running(board: world.boards[0].id))
    for (moment, isIn) in [
      (2_500, true), (1_999, false), (9_000, false), (2_000, true), (3_000, false), (2_999, true), (0, false),
    ] as [(Int64, Bool)] {
      world.time.set(to: moment)
      #expect(Self.ids(list) == (isIn ? [event.id] : []), "at \(moment)")
    }
    // The timer goes by the new time too.
    let consumer = TimedConsumer(list, world)
    world.pass(2_000)
    #expect(consumer.newest.map(\.ids) == [[event.id]])
  }

  /// The clock is set while nobody looks and nothing changes. The timer's sleep is too long then, but ends after an
  /// hour at most, and the consumer is told.
  @Test func aConsumerLearnsOfAClockThatWasSet() throws {
    let world = try TimedWorld()
    world.store.create(world.event(1, from: 0, until: 100 * 3_600_000))
    let list = world.list(Event.upcoming)
    let consumer = TimedConsumer(list, world)
    world.time.set(to: 99 * 3_600_000 + 1)
    world.pass(3_599_998)
    #expect(consumer.newest.count == 1)
    world.time.set(to: 101 * 3_600_000)
    world.pass(2)
    #expect(consumer.newest.isEmpty)
  }

  @Test(
    arguments: [
      // A usual day, and days of 23 and 25 hours because the clock changes, which it does at midnight in São Paulo.
      ("UTC", 1_795_392_000_000, 24), ("Europe/Berlin", 1_774_738_800_000, 23),
      ("Europe/Berlin", 1_792_879_200_000, 25),
      ("America/Sao_Paulo", 1_541_214_000_000, 24), ("America/Sao_Paulo", 1_518_832_800_000, 25),
    ] as [(String, Int64, Int64)]) func todayEndsWithTheDayOfTheTimeZone(zone: String, midnight: Int64, hours: Int64)
    throws
  {
    let world = try TimedWorld(at: midnight - 1, in: zone)
    let end = midnight + hours * 3_600_000
    let today = world.event(1, due: midnight)
    world.store.create(today)
    let late = world.event(2, due: end - 1)
    world.store.create(late)
    let tomorrow = world.event(3, due: end)
    world.store.create(tomorrow)
    let list = world.list(Event.overdue)
    let consumer = TimedConsumer(list, world)
    #expect(consumer.newest.isEmpty)
    world.pass(1)
    #expect(consumer.newest.isEmpty, "what is due when the day begins is due today")
    world.pass(end - midnight - 1)
    #expect(consumer.newest.isEmpty)
    world.pass(1)
    #expect(consumer.newest.flatMap(\.ids) == [today.id, late.id])
    world.pass(25 * 3_600_000)
    #expect(consumer.newest.flatMap(\.ids) == [today.id, late.id, tomorrow.id])
  }

  @Test func nextObjectOfDistinctValueReplacesEndedOne() throws {
    let world = try TimedWorld(at: 150)
    let early = world.event(1, "a", from: 100, until: 900)
    world.store.create(early)
    let late = world.event(2, "a", from: 200, until: 300)
    world.store.create(late)
    let other = world.event(3, "b", from: 50, until: 400)
    world.store.create(other)
    let list = world.list(Event.titles)
    #expect(Self.ids(list) == [early.id, other.id])
    world.pass(51)
    #expect(Self.ids(list) == [late.id, other.id])
    world.pass(100)
    #expect(Self.ids(list) == [early.id, other.id])
    world.pass(100)
    #expect(Self.ids(list) == [early.id])
  }

  @Test func aLimitAndKeptSectionsHoldAsTimePasses() throws {
    let day: Int64 = 86_400_000
    let world = try TimedWorld(at: 10 * day)
    let events = (0..<8).map { world.event(1 + $0, due: (Int64($0) + 4) * day) }
    world.store.create(contentsOf: events)
    let (overdue, offered) = (world.list(Event.overdue), world.list(Event.offered))
    #expect(Self.ids(overdue) == events[..<5].map(\.id))
    #expect(offered.snapshot.sectionCount == 2 && offered.snapshot.count == 7)
    world.store.delete(events[0].id)
    #expect(Self.ids(overdue) == events[1..<6].map(\.id))
    world.pass(2 * day)
    #expect(Self.ids(overdue) == events[1..<6].map(\.id) && offered.snapshot.count == 7)
    world.time.set(to: day)
    #expect(overdue.snapshot.isEmpty)
    #expect(offered.snapshot.sectionCount == 2 && offered.snapshot.isEmpty)
  }

  @Test func aCountOfAViewFollowsTheTime() throws {
    let world = try TimedWorld()
    for board in world.boards { world.store.create(board) }
    for number in 1...3 { world.store.create(world.event(UInt64(number), from: Int64(number) * 10, until: 100)) }
    let pages = world.store.list(Board.byName, as: Board.Page.self)
    let id = world.boards[0].id
    _ = try pages.view(id)
    world.run()
    #expect(try pages.view(id)?.running == 0)
    let told = Told()
    world.executor.spawn { for await update in pages.updates { told.append(update.changes.updates.count) } }
    world.run()
    world.pass(25)
    #expect(told.counts.dropFirst().reduce(0, +) == 2, "told \(told.counts)")
    #expect(try pages.view(id)?.running == 2)
    world.pass(75)
    #expect(try pages.view(id)?.running == 0)
    #expect(try pages.view(world.boards[1].id)?.running == 0)
  }

  @Test func oneTimerServesAllLists() throws {
    let world = try TimedWorld()
    world.store.create(world.event(100, from: 0, until: 1 << 50))
    var lists: [ListHandle<Event, Unsectioned>] = []
    for board in world.boards { lists.append(world.list(Event.running(board: board.id))) }
    lists += (0..<5).map { _ in world.list(Event.upcoming) }
    let consumers = lists.map { TimedConsumer($0, world) }
    // Two seconds later the ends of lists are saved, and only the timer sleeps.
    world.pass(2_001)
    #expect(world.time.sleepCount == 1)
    // Each event ends earlier than all before it.
    for number in 1...50 {
      world.store.create(world.event(UInt64(number), from: 0, until: 1_000_000 - Int64(number) * 1_000))
      world.run()
    }
    world.pass(2_001)
    #expect(world.time.sleepCount == 1)
    #expect(lists.allSatisfy { $0.snapshot.count == ($0 === lists[1] ? 0 : 51) })
    world.pass(1_000_000)
    #expect(consumers.enumerated().allSatisfy { $1.newest.flatMap(\.ids).count == ($0 == 1 ? 0 : 1) })
    #expect(world.time.sleepCount <= 8, "the ends of seven lists, and the timer")
    world.pass(2_001)
    #expect(world.time.sleepCount == 1)
  }

  @Test func timerEndsWhenNoObjectWillComeOrGo() throws {
    let world = try TimedWorld()
    let event = world.event(1, from: 0, until: 5_000)
    world.store.create(event)
    var list: ListHandle<Event, Unsectioned>? = world.list(Event.upcoming)
    world.pass(2_001)
    #expect(world.time.sleepCount == 1)
    world.store.delete(event.id)
    _ = list?.snapshot
    world.pass(2_001)
    #expect(world.time.sleepCount == 0)
    world.store.create(world.event(2, from: 0, until: 50_000))
    _ = list?.snapshot
    world.pass(2_001)
    #expect(world.time.sleepCount == 1)
    list = nil
    world.run()
    #expect(world.time.sleepCount == 0)
  }

  @Test func timerGivesUpIfSleepingFails() throws {
    let world = try TimedWorld()
    world.store.create(world.event(1, from: 0, until: 5_000))
    world.time.end()
    let list = world.list(Event.upcoming)
    world.run()
    #expect(list.snapshot.count == 1)
    #expect((1..<10).contains(world.time.failedSleeps))
  }

  @Test func consumerOfHeldListIsToldAtRelease() throws {
    let world = try TimedWorld()
    world.store.create(world.event(1, from: 0, until: 10))
    let list = world.list(Event.upcoming)
    let consumer = TimedConsumer(list, world)
    list.pauseUpdates()
    world.pass(20)
    #expect(consumer.newest.count == 1)
    list.resumeUpdates()
    world.run()
    #expect(consumer.newest.isEmpty)
  }

  /// Between two starts of the app some of the saved objects end, and others begin. The ended ones are not shown.
  @Test func savedObjectIsNotShownAfterItsTime() throws {
    let world = try TimedWorld()
    try world.reveal((1...20).map { world.event($0, from: Int64($0) * 10, until: Int64($0) * 10 + 100) })
    let first = world.list(Event.running(board: world.boards[0].id))
    world.pass(100)
    let ids = (1...20).map { world.event(UInt64($0)).id }
    #expect(Self.ids(first) == Array(ids[..<10]))
    world.pass(2_001)
    world.time.set(to: 150)
    _ = first.snapshot
    world.run()
    first.core.saveWindow()
    try world.restart()
    world.time.set(to: 205)
    let list = world.store.list(Event.running(board: world.boards[0].id), calendar: world.calendar)
    let states = States()
    _ = list.core.consumers.add { [core = list.core] in states.append(core.newestWithoutWaiting) }
    world.run()
    // The saved objects come first, of which half have ended.
    #expect(states.all.map(\.count) == [5, 10] && states.all.map(\.isComplete) == [false, true])
    #expect(Self.ids(list) == Array(ids[10...]))
  }

  @Test func insideOfAnUpdateItIsRightToo() throws {
    let world = try TimedWorld()
    let event = world.event(1, from: 0, until: 10)
    world.store.create(event)
    let list = world.list(Event.upcoming)
    world.time.set(to: 10)
    var count = 1
    world.store.update(event.id) { _ in count = list.snapshot.count }
    #expect(count == 0)
  }

  /// Compares all lists with a sort of all events, after random changes at random times, in several time zones.
  @Test(arguments: 1...40) func listsAreAlwaysWhatASortOfEverythingGives(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let (zone, midnight) = random.pick(Self.nights)
    let world = try TimedWorld(seed: seed, at: midnight - 20_000_000, in: zone)
    for board in world.boards { world.store.create(board) }
    let lists = TimedLists(world)
    for step in 0..<50 {
      let what = try world.change(near: midnight, &random)
      if what.hasPrefix("clock") { lists.releaseAll() }
      world.run()
      let wrong = try lists.firstDifference()
      #expect(wrong == nil, "seed \(seed), step \(step), \(what) in \(zone) at \(world.time.now): \(wrong ?? "")")
      if wrong != nil { return }
    }
  }

  /// Time zones, each with the beginning of a day, which is not midnight everywhere.
  private static let nights: [(zone: String, midnight: Int64)] = [
    ("UTC", 1_795_392_000_000), ("Asia/Kathmandu", 1_795_457_700_000), ("Europe/Berlin", 1_774_738_800_000),
    ("Europe/Berlin", 1_792_969_200_000), ("America/Sao_Paulo", 1_541_300_400_000),
    ("America/Sao_Paulo", 1_518_922_800_000), ("America/Havana", 1_793_505_600_000),
    ("Pacific/Apia", 1_325_239_200_000),
  ]
}

/// `@unchecked Sendable`: one thread uses it.
private final class Told: @unchecked Sendable {
  private(set) var counts: [Int] = []
  func append(_ count: Int) { counts.append(count) }
}

/// `@unchecked Sendable`: one thread uses it.
private final class States: @unchecked Sendable {
  private(set) var all: [Snapshot] = []
  func append(_ state: Snapshot) { all.append(state) }
}
