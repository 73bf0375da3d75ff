// Reads a list from disk while it changes. A row from disk never replaces a newer change.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import Snapshots
import TestSupport
import Testing

@testable import ClientStore

@Suite struct ListReadingTests {
  /// The expected content of the list: a plain table, filtered and sorted as a whole.
  private struct Truth {
    var places: [UInt64: (place: ListPlace, queue: QueueID)] = [:]
    var moment: Int64 = 0

    /// The rows that are in the list at this moment. Of rows with the same value only the first is.
    var shown: [UInt64] {
      var values: Set<DistinctValue> = []
      return places.filter { $0.value.place.moments?.contains(moment) ?? true }.sorted { left, right in
        (Self.order(left.value.place), left.key) < (Self.order(right.value.place), right.key)
      }
      .filter { $0.value.place.distinct.map { values.insert($0).inserted } ?? true }.map(\.key)
    }

    private static func order(_ place: ListPlace) -> UInt64 {
      guard case .number(let number) = place.order else { return .max }
      return number
    }
  }

  private static func place(_ random: inout SeededRandom, _ followsTime: Bool) -> ListPlace {
    let value: Int64? = Bool.random(using: &random) ? .random(in: 0..<12, using: &random) : nil
    var place = ListPlace(order: .ascending(Int64.random(in: 0..<20, using: &random)), distinct: .exact(value))
    guard followsTime, random.chance(50) else { return place }
    var moments = ListMoments()
    moments.require(.at(random.below(20)) <= .now)
    moments.require(.at(random.below(40)) > .now)
    place.moments = moments
    return place
  }

  private static func shown(_ list: ListState) -> [UInt64] {
    (0..<list.snapshot.count).map { list.snapshot.layout.rows.id(of: list.snapshot.row(at: $0)).low }
  }

  @Test(arguments: 1...300) func readingMatchesSortDespiteChanges(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rows = RowTable()
    let queues = (1...3).map { QueueID.queue($0) }
    func row(_ number: UInt64) -> ListRow { rows.row(for: RowID(high: 0, low: number)) }
    let limit = seed % 3 == 0 ? Int.random(in: 1...30, using: &random) : nil
    let followsTime = seed % 2 == 0
    var shown = ShownList(list: ListState(ListLayout(rows: rows), limit: limit))
    var truth = Truth()
    if followsTime { shown.follow(truth.moment) }
    func expected() -> [UInt64] { Array(truth.shown.prefix(limit ?? .max)) }
    func event() -> ListStep {
      let number = UInt64.random(in: 0..<60, using: &random)
      if followsTime, random.chance(20) {
        // Time mostly goes forward.
        truth.moment = random.chance(80) ? truth.moment + random.below(4) : random.below(20)
        return .moment(truth.moment)
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let queue = queues.randomElement(using: &random)!
        truth.places = truth.places.filter { $0.value.queue != queue }
        return .hide(queue)
      case 1...3:
        truth.places[number] = nil
        return random.chance(50) ? .absent(RowID(high: 0, low: number)) : .remove(row(number))
      default:
        let place = Self.place(&random, followsTime)
        // An object never changes its queue.
        let queue = queues[Int(number % 3)]
        truth.places[number] = (place, queue)
        return .put(row(number), place, queue)
      }
    }
    for round in 0..<3 {
      // The disk has the current rows, and some that the list has not heard of; one row may be missing.
      var disk = truth.places
      for _ in 0..<5 {
        disk[UInt64.random(in: 60..<90, using: &random)] = (Self.place(&random, followsTime), queues[0])
      }
      disk[UInt64.random(in: 0..<60, using: &random)] = nil
      truth.places = disk
      let scope = round == 0 ? ListScope.everything : shown.list.unread.first ?? .everything
      _ = shown.list.takeUnread()
      shown.since = []
      var reading = ListReading(of: scope, into: shown.list, [], hidden: [])
      var found = disk.map { ListReading.Found(row: row($0.key), queue: $0.value.queue, place: $0.value.place) }
      found.shuffle(using: &random)
      while !found.isEmpty {
        for _ in 0..<Int.random(in: 0..<4, using: &random) { shown.perform([event()]) }
        let part = Array(found.prefix(Int.random(in: 1..<20, using: &random)))
        found.removeFirst(part.count)
        reading.take(part)
        guard Bool.random(using: &random) else { continue }
        let before = shown.list.snapshot
        reading.replay(shown.since ?? [], of: shown.list.shown)
        (shown.since, shown.list) = ([], reading.list)
        #expect(shown.list.snapshot.revision > before.revision, "seed \(seed)")
      }
      for _ in 0..<Int.random(in: 0..<4, using: &random) { shown.perform([event()]) }
      reading.end()
      reading.replay(shown.since ?? [], of: shown.list.shown)
      (shown.since, shown.list) = (nil, reading.list)
      #expect(Self.shown(shown.list) == expected(), "seed \(seed), round \(round)")
      for _ in 0..<20 { shown.perform([event()]) }
      #expect(Self.shown(shown.list) == expected(), "seed \(seed), after round \(round)")
      shown.perform([.need(.everything)])
      #expect(!shown.list.snapshot.isComplete)
    }
  }

  /// A consumer that saw the list before is told of every row whose value has changed, even while the list was read.
  @Test func aConsumerHearsOfChangesDuringTheReading() {
    let rows = RowTable()
    let all = (0..<4).map { rows.row(for: RowID(high: 0, low: $0)) }
    func put(_ number: Int) -> ListStep { .put(all[number], ListPlace(order: .ascending(Int64(number))), nil) }
    var shown = ShownList(list: ListState(ListLayout(rows: rows)))
    shown.perform([put(0), put(1)])
    shown.since = []
    var reading = ListReading(of: .everything, into: shown.list, [], hidden: [])
    shown.perform([put(0)])
    let seen = shown.list.snapshot
    shown.perform([put(0)])
    shown.perform([put(1)])
    reading.take([0, 1, 2].map { .init(row: all[$0], queue: nil, place: ListPlace(order: .ascending(Int64($0)))) })
    reading.replay(shown.since ?? [], of: shown.list.shown)
    let changes = reading.list.snapshot.difference(from: seen)
    #expect(Set(changes.updates.map(\.row)) == [all[0], all[1]])
    #expect(changes.inserts.map(\.row) == [all[2]])
    #expect(
      reading.list.snapshot.revision > shown.list.snapshot.revision,
      "who has seen the one looks at the other only for its revision")
  }

  @Test func listThatNeedsAReadIsIncomplete() {
    var list = ListState(ListLayout(rows: RowTable()))
    _ = list.takeUnread()
    list.markRead()
    #expect(list.snapshot.isComplete)
    list.perform([.need(.queue(QueueID(high: 1, low: 1)))])
    #expect(!list.snapshot.isComplete)
  }

  @Test func readingRemovesRowsItDidNotFind() {
    let rows = RowTable()
    let all = (0..<2).map { rows.row(for: RowID(high: 0, low: $0)) }
    let place = ListPlace(order: .ascending(Int64(1)))
    var list = ListState(ListLayout(rows: rows))
    list.perform(all.map { .put($0, place, nil) })
    var reading = ListReading(of: .everything, into: list, [], hidden: [])
    reading.take([.init(row: all[0], queue: nil, place: place)])
    reading.end()
    #expect(reading.list.snapshot.contains(all[0]) && !reading.list.snapshot.contains(all[1]))
  }

  @Test func readingRemovesTimedRowsItDidNotFind() {
    let rows = RowTable()
    let all = (0..<2).map { rows.row(for: RowID(high: 0, low: $0)) }
    var place = ListPlace(order: .ascending(Int64(1)))
    var moments = ListMoments()
    moments.require(.at(10) <= .now)
    place.moments = moments
    var list = ListState(ListLayout(rows: rows))
    list.perform([.moment(0)] + all.map { .put($0, place, nil) })
    var reading = ListReading(of: .everything, into: list, [], hidden: [])
    reading.take([.init(row: all[0], queue: nil, place: place)])
    reading.end()
    list = reading.list
    #expect(list.snapshot.isEmpty)
    list.perform([.moment(10)])
    #expect(list.snapshot.contains(all[0]) && !list.snapshot.contains(all[1]), "what is gone comes")
  }

  /// After several pages of a catch-up the change names no objects, only the queue.
  @Test func aQueueThatHasChangedIsReadAgain() throws {
    let world = try ListWorld()
    let source = ListSource(Photo.timeline, world.store, calendar: world.calendar, ListConsumers())
    var shown = ShownList(list: ListState(ListLayout(rows: source.rows)))
    let queue = world.moments[0].id.queueID
    let steps = source.steps(of: [.queue(queue)], &shown, world.store)
    #expect(steps.contains { if case .need(.queue(queue)) = $0 { true } else { false } })
  }
}
