// Measures open lists of a store: the time until they are complete, and what they add to the cost of a change.

import CRawStore
import Foundation
import ModelSupport
import MomentsModels

enum ListBenchmark {
  static func report(_ effort: Effort) throws -> [Report] {
    try effort.storeSizes.map { size in
      let lists = try OpenLists(size)
      return try lists.report(rounds: effort.storeRounds, calls: effort.callsPerRound)
    }
  }
}

private struct OpenLists {
  private let size: Int
  private let folder: TemporaryFolder
  private let store: ModelStore
  /// A time zone whose offset from UTC changes during the year.
  private let calendar = ListCalendar(timeZone: TimeZone(identifier: "Europe/Vienna") ?? .current)

  init(_ size: Int) throws {
    self.size = size
    folder = try TemporaryFolder()
    store = try StorePhotos.store(in: folder)
    try store.receive(StorePhotos.page(try StorePhotos.states(0..<size, revision: 1), cursor: 1))
  }

  func report(rounds: Int, calls: Int) throws -> Report {
    var (opening, raw): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      opening.append(try timed { try complete(store.list(Photo.timeline, calendar: calendar)) })
      raw.append(try timed { try scan() })
    }
    let plain = try performing(calls)
    let others = (1...9).map {
      store.list(Photo.inMoment(moment: Moment.ID(UUIDValue(high: 0x4000, low: 1 << 63 | $0))))
    }
    let one = store.list(Photo.inMoment(moment: StorePhotos.moment))
    for list in others + [one] { try complete(list) }
    let withOne = try performing(calls)
    let inOne = try performing(calls) { _ = one.snapshot }
    let same = (0..<9).map { _ in store.list(Photo.inMoment(moment: StorePhotos.moment)) }
    for list in same { try complete(list) }
    let inAll = try performing(calls) { for list in same + [one] { _ = list.snapshot } }
    withExtendedLifetime(others) {}
    let (limited, timed) = (store.list(SomePhotos.newest), store.list(SomePhotos.soFar))
    try complete(limited)
    try complete(timed)
    let inLimited = try performing(calls) { _ = limited.snapshot }
    let inTimed = try performing(calls) { _ = timed.snapshot }
    let isAsked = size == 100_000
    func row(
      _ what: String, _ seconds: [Double], ratio: Double? = nil, _ aims: [(Aim, Double)] = [],
      atMost micro: Double? = nil
    ) -> Report.Row {
      let times = Distribution(seconds)
      let aims = aims + (micro.map { [(Aim.atMost($0, "µs"), times.median * 1e6)] } ?? [])
      return Report.Row(
        what: what, figure: "\(times.text), of \(times.count)", ratio: ratio.map { String(format: "%.1f", $0) } ?? "",
        aims: isAsked ? aims : [])
    }
    let ratio = Distribution(opening).median / Distribution(raw).median
    withExtendedLifetime(same) {}
    let views = try views(calls)
    let tally = try tallies(calls)
    let rooms = try newestFirst(calls)
    let first = try firstRows(rounds)
    let newRatio = Distribution(first.whole).median / Distribution(raw).median
    return Report(
      heading: "Lists of a store of \(size.formatted()) objects.",
      rows: [
        row("raw C, scan and sort of the same keys", raw),
        row("opening a timeline by days, until all of it is there", opening, ratio: ratio),
        row("opening the store anew", first.store),
        row("then the timeline, until its first \(firstCount) rows are there", first.list, atMost: 5_000),
        row("… and until all of it is there", first.whole, ratio: newRatio, [(.atMost(3, "×"), newRatio)]),
        row("the first rows, where the schema has another timeline since", first.changed, atMost: 5_000),
        row("perform, no list is open", plain),
        row("perform, ten lists are open, one has the object", withOne, atMost: 20),
        row("perform, and the list's next snapshot", inOne),
        row("perform, and the next snapshots of ten lists that have the object", inAll),
        row("perform, and the next snapshot of a list of all, with a limit of 100", inLimited),
        row("perform, and the next snapshot of a list of those up to now", inTimed),
        row("the view of a row, derived", views.derived),
        row("the view of a row of which nothing has changed", views.known),
        row("perform, and the view of the row", views.changed),
        row("four answers about all of them, counted anew from an array", tally.flat),
        row(
          "perform, and a view with these answers", tally.changed,
          ratio: Distribution(tally.changed).median / Distribution(tally.flat).median),
        row("1,000 others ordered by the newest of theirs, sorted anew from an array", rooms.flat),
        row("such a list, until all of it is there", [rooms.opened]),
        row(
          "perform, and the next snapshot of such a list", rooms.changed,
          ratio: Distribution(rooms.changed).median / Distribution(rooms.flat).median),
      ])
  }

  /// Measures the cells of 500 rows: when they are first derived, when nothing has changed, and after a change each.
  private func views(_ calls: Int) throws -> (derived: [Double], known: [Double], changed: [Double]) {
    let cells = store.list(Photo.timeline, as: Photo.Cell.self, calendar: calendar)
    try complete(cells.list)
    var random = SeededNumbers(state: 5)
    let photos = (0..<500).map { _ in StorePhotos.photo(random.next(below: size)).id }
    let look = { (id: Photo.ID) in
      guard try cells.view(id) != nil else { throw NothingThere() }
    }
    let derived = try photos.map { id in try timed { try look(id) } }
    let known = try (0..<calls).map { number in try timed { try look(photos[number % photos.count]) } }
    let changed = try (0..<calls).map { number in
      let id = photos[number % photos.count]
      return try timed {
        store.perform(Photo.Label(id, tag: "seen \(number)"))
        try look(id)
      }
    }
    try waiting { try await store.waitUntilSaved() }
    return (derived, known, changed)
  }

  /// Measures a view with answers about all photos, each time after one of them has another time. Beside it the same
  /// answers, from an array of all.
  private func tallies(_ calls: Int) throws -> (changed: [Double], flat: [Double]) {
    store.create(Moment(id: StorePhotos.moment, title: "All"))
    let tallies = store.list(Moment.all, as: PhotoTally.self)
    guard try tallies.view(StorePhotos.moment) != nil else { throw NothingThere() }
    try waiting { for await update in tallies.updates where update.isComplete { break } }
    var random = SeededNumbers(state: 6)
    let changed = try (0..<calls).map { _ in
      let (id, time) = (StorePhotos.photo(random.next(below: size)).id, Int64(random.next(below: size)))
      return try timed {
        store.update(id) { $0.takenAt = Timestamp(millisecondsSince1970: 1_700_000_000_000 + time * 1_000) }
        guard try tallies.view(StorePhotos.moment)?.latest != nil else { throw NothingThere() }
      }
    }
    let photos = try store.objects(Photo.self).map { ($0.takenAt, $0.hidden) }
    guard try tallies.view(StorePhotos.moment)?.later == FlatRecount(photos).later else { throw NothingThere() }
    let flat = try (0..<calls).map { _ in
      try timed { if FlatRecount(photos).later > size { throw NothingThere() } }
    }
    try waiting { try await store.waitUntilSaved() }
    return (changed, flat)
  }

  /// Measures a list of moments by their newest photo, each time after a photo has another time. Beside it the same
  /// order, sorted anew from an array.
  private func newestFirst(_ calls: Int) throws -> (opened: Double, changed: [Double], flat: [Double]) {
    store.create(contentsOf: NewestFirst.moments)
    try waiting { try await store.waitUntilSaved() }
    let list = store.list(NewestFirst.list)
    let opened = try timed { try complete(list) }
    var random = SeededNumbers(state: 7)
    let changed = (0..<calls).map { _ in
      let (id, time) = (StorePhotos.photo(random.next(below: size)).id, Int64(random.next(below: size)))
      return timed {
        store.update(id) { $0.takenAt = Timestamp(millisecondsSince1970: 1_700_000_000_000 + time * 1_000) }
        _ = list.snapshot
      }
    }
    let times = try store.objects(Photo.self).map(\.takenAt)
    let order = NewestFirst.flat(times)
    guard Array(list.snapshot.ids.prefix(order.count)) == order else { throw NothingThere() }
    let flat = try (0..<calls).map { _ in
      try timed { if NewestFirst.flat(times).count != order.count { throw NothingThere() } }
    }
    try waiting { try await store.waitUntilSaved() }
    return (opened, changed, flat)
  }

  private var firstCount: Int { 200 }

  private func scan() throws {
    guard raw_sorted_scan(folder.path + "/store.sqlite", 4, 3) == size else { throw NothingThere() }
  }

  /// Opens the store and the timeline as a new process does, with files in the system's cache.
  private func firstRows(_ rounds: Int) throws -> NewProcess {
    let list = store.list(Photo.timeline, calendar: calendar)
    try complete(list)
    // Longer than the two seconds after which a list saves its first and last rows.
    Thread.sleep(forTimeInterval: 2.5)
    try waiting { try await store.close() }
    var seconds = NewProcess()
    var whole: [Double] = []
    for _ in 0..<rounds {
      try opening(Photo.timeline, &seconds.store, &seconds.list, &seconds.whole)
      try opening(ChangedTimeline.definition, &seconds.store, &seconds.changed, &whole)
    }
    return seconds
  }

  /// Seconds until the store is open, until the list's first rows are there, and until all of it is. `changed` is for
  /// the first rows of the changed definition.
  private struct NewProcess {
    var store: [Double] = []
    var list: [Double] = []
    var whole: [Double] = []
    var changed: [Double] = []
  }

  private func opening<Section>(
    _ definition: ListDefinition<Photo, Section>, _ stores: inout [Double], _ lists: inout [Double],
    _ whole: inout [Double]
  ) throws {
    var opened: ModelStore?
    stores.append(try timed { opened = try StorePhotos.store(in: folder) })
    guard let store = opened else { throw NothingThere() }
    var opening: ListHandle<Photo, Section>?
    let first = try timed {
      let list = store.list(definition, calendar: calendar)
      try waiting { for await update in list.updates where update.snapshot.count >= firstCount { break } }
      opening = list
    }
    guard let list = opening else { throw NothingThere() }
    lists.append(first)
    whole.append(first + (try timed { try complete(list) }))
    try waiting { try await store.close() }
  }

  private func performing(_ calls: Int, _ look: () -> Void = {}) throws -> [Double] {
    var random = SeededNumbers(state: 4)
    let photos = (0..<calls).map { _ in StorePhotos.photo(random.next(below: size)) }
    var number = 0
    let seconds = photos.map { photo in
      number += 1
      return timed {
        store.perform(Photo.Label(photo.id, tag: "late \(number)"))
        look()
      }
    }
    try waiting { try await store.waitUntilSaved() }
    return seconds
  }

  private func complete<Object, Section>(_ list: ListHandle<Object, Section>) throws {
    try waiting { for await update in list.updates where update.snapshot.isComplete { break } }
    guard list.snapshot.isComplete else { throw NothingThere() }
  }
}

/// The fields of a photo that the lists of this file use.
private struct Fields: ListFields {
  var moment = Moment.ID.zero
  var takenAt = Timestamp.zero

  static let fieldTable = FieldTable(
    projection: "photo", Field(1, "moment", \Self.moment), Field(4, "takenAt", \Self.takenAt))

  func queueID(of id: UUIDValue) -> QueueID? { moment.queueID }
}

private enum SomePhotos {
  static let newest = ListDefinition<Photo, Unsectioned>("photo.newest", limit: 100) { (fields: Fields, _) in
    ListPlace(order: .descending(fields.takenAt))
  }

  static let soFar = ListDefinition<Photo, Unsectioned>("photo.soFar") { (fields: Fields, context, moments) in
    moments.require(fields.takenAt <= context.now)
    return ListPlace(order: .descending(fields.takenAt))
  }
}

/// The timeline of a later schema, under the same name: with hidden photos, by months, the oldest first.
private enum ChangedTimeline {
  static let definition = ListDefinition<Photo, CalendarMonth>("photo.timeline") { (fields: Fields, context) in
    ListPlace(section: .ascending(context.month(of: fields.takenAt)), order: .ascending(fields.takenAt))
  }
}
