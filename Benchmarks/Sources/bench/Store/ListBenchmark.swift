// Open lists of a store: how long until they are there, and what they cost whoever changes something.

import Foundation
import ModelRuntime
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
  private let calendar = ListCalendar(timeZone: TimeZone(secondsFromGMT: 0) ?? .current)

  init(_ size: Int) throws {
    self.size = size
    folder = try TemporaryFolder()
    store = try StorePhotos.store(in: folder)
    try store.receive(StorePhotos.page(try StorePhotos.states(0..<size, revision: 1), cursor: 1))
  }

  func report(rounds: Int, calls: Int) throws -> Report {
    var opening: [Double] = []
    for _ in 0..<rounds {
      opening.append(try timed { try complete(store.open(Photo.timeline, calendar: calendar)) })
    }
    let plain = try performing(calls)
    let others = (1...9).map {
      store.open(Photo.inMoment(moment: Moment.ID(UUIDValue(high: 0x4000, low: 1 << 63 | $0))))
    }
    let one = store.open(Photo.inMoment(moment: StorePhotos.moment))
    for list in others + [one] { try complete(list) }
    let withOne = try performing(calls)
    let inOne = try performing(calls) { _ = one.snapshot }
    let same = (0..<9).map { _ in store.open(Photo.inMoment(moment: StorePhotos.moment)) }
    for list in same { try complete(list) }
    let inAll = try performing(calls) { for list in same + [one] { _ = list.snapshot } }
    withExtendedLifetime(others) {}
    let isAsked = size == 100_000
    func row(_ what: String, _ seconds: [Double], atMost microseconds: Double? = nil) -> Report.Row {
      let times = Distribution(seconds)
      let aims = microseconds.map { [(Aim.atMost($0, "µs"), times.median * 1e6)] }
      return Report.Row(what: what, figure: "\(times.text), of \(times.count)", aims: isAsked ? aims ?? [] : [])
    }
    return Report(
      heading: "Lists of a store of \(size.formatted()) objects.",
      rows: [
        row("opening a timeline by days, until all of it is there", opening),
        row("perform, no list is open", plain),
        row("perform, ten lists are open, one has the object", withOne, atMost: 20),
        row("perform, and the list's next snapshot", inOne),
        row("perform, and the next snapshots of ten lists that have the object", inAll),
      ])
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
    try waiting { try await store.saved() }
    return seconds
  }

  private func complete<Section>(_ list: ListHandle<Photo, Section>) throws {
    try waiting { for await update in list.updates where update.snapshot.isComplete { break } }
    guard list.snapshot.isComplete else { throw NothingThere() }
  }
}
