// Measures how much a writer that applies large deltas delays the calls of the main thread. Empty calls of another
// thread are the control.

import Foundation
import ModelSupport
import MomentsModels
import Synchronization

extension Benchmark {
  static let latency = Benchmark(name: "latency", summary: "calls while a delta is written") { effort in
    try [LatencyRun.store, LatencyRun.lists].map { run in
      // Held here, so that this thread removes the folder. A task may still hold the run when the program ends.
      let folder = try TemporaryFolder()
      return try withExtendedLifetime(folder) { try run(effort, folder).report(calls: effort.callsWhileWriting) }
    }
  }
}

/// A store that takes one delta after the other, and the two threads that call meanwhile.
private final class LatencyRun: Sendable {
  private let objects: Int
  /// Number of objects in a delta.
  private let part: Int
  /// Calls also count for this many seconds after a delta, because lists follow it.
  private let secondsAfter: Double
  private let store: ModelStore
  private let user: @Sendable (ModelStore, _ ids: [Photo.ID]) throws -> UserCalls
  private let isWriting = Atomic(false)
  private let counted = Atomic(0)

  typealias UserCalls = [(name: String, call: () throws -> Void)]

  private init(
    objects: Int, part: Int, secondsAfter: Double = 0, in folder: TemporaryFolder,
    user: @escaping @Sendable (ModelStore, [Photo.ID]) throws -> UserCalls
  ) throws {
    (self.objects, self.part, self.secondsAfter, self.user) = (objects, part, secondsAfter, user)
    store = try StorePhotos.store(in: folder)
    try store.receive(StorePhotos.page(StorePhotos.states(0..<objects, revision: 1), cursor: 1))
  }

  /// Each delta changes all objects.
  @Sendable static func store(_ effort: Effort, _ folder: TemporaryFolder) throws -> LatencyRun {
    try LatencyRun(objects: effort.objects, part: effort.objects, in: folder) { store, ids in
      var random = SeededNumbers(state: 6)
      var last = ids[0]
      return [
        (
          "perform",
          {
            last = ids[random.next(below: ids.count)]
            store.perform(Photo.Label(last, tag: "late"))
          }
        ),
        (
          "read, nothing was done with the object",
          { try expect(store.object(ids[random.next(below: ids.count)])) }
        ),
        ("read, an operation is pending", { try expect(store.object(last)) }),
      ]
    }
  }

  /// Each delta changes a twentieth of the objects, while a timeline with the views of its rows is open.
  @Sendable static func lists(_ effort: Effort, _ folder: TemporaryFolder) throws -> LatencyRun {
    try LatencyRun(objects: effort.objects, part: effort.objects / 20, secondsAfter: 0.02, in: folder) { store, ids in
      var random = SeededNumbers(state: 6)
      let cells = store.list(Photo.timeline, as: Photo.Cell.self)
      try waiting { for await update in cells.list.updates where update.isComplete { break } }
      return [
        (
          "a timeline's snapshot, and twenty ids of it",
          {
            let snapshot = cells.list.snapshot
            let first = random.next(below: snapshot.count - 20)
            for position in first..<first + 20 { withExtendedLifetime(snapshot.id(at: position)) {} }
          }
        ),
        (
          "perform, and the timeline's next snapshot",
          {
            store.perform(Photo.Label(ids[random.next(below: ids.count)], tag: "late"))
            withExtendedLifetime(cells.list.snapshot) {}
          }
        ),
        ("the view of a row", { try expect(cells.view(ids[random.next(below: ids.count)])) }),
      ]
    }
  }

  func report(calls: Int) throws -> Report {
    let ids = (0..<objects).map { StorePhotos.photo($0).id }
    var rows = try StorePhotos.states(0..<objects, revision: 1)
    let userCalls = try user(store, ids)
    let control = PacedThread([("control: an empty call", {})]) { [self] in isWriting.load(ordering: .relaxed) }
    let user = PacedThread(userCalls) { [self] in
      guard isWriting.load(ordering: .relaxed) else { return false }
      counted.wrappingAdd(1, ordering: .relaxed)
      return true
    }
    var deltas = 0
    while counted.load(ordering: .relaxed) < calls, user.isRunning {
      deltas += 1
      try apply(deltas, to: &rows)
    }
    let measured = try control.stop() + user.stop()
    return Report(
      heading:
        "\(deltas) deltas of \(part.formatted()) objects over \(objects.formatted()) rows; one call a millisecond on "
        + "each of two threads, \(counted.load(ordering: .relaxed).formatted()) of the store's while a delta was written"
        + "\(secondsAfter > 0 ? " or until \(secondsAfter.asTime) later" : ""). A delay is the time from when a call was "
        + "due until it was over.",
      rows: measured.flatMap { self.rows($0, control: measured[0]) })
  }

  private func rows(_ times: PacedThread.Times, control: PacedThread.Times) -> [Report.Row] {
    let (calls, delays) = (Distribution(times.calls), Distribution(times.delays))
    let beyond = delays.percentile(0.999) - Distribution(control.delays).percentile(0.999)
    return [
      Report.Row(what: "\(times.name), the call", figure: spread(calls)),
      Report.Row(
        what: "\(times.name), the delay", figure: spread(delays), ratio: "99.9 % \(beyond.asTime) beyond the control",
        aims: times.name == control.name ? [] : [(.atMost(1, "ms beyond the control"), beyond * 1e3)]),
    ]
  }

  private func spread(_ times: Distribution) -> String {
    "\(times.median.asTime); 99 % \(times.percentile(0.99).asTime); 99.9 % \(times.percentile(0.999).asTime); "
      + "max \(times.maximum.asTime); of \(times.count.formatted())"
  }

  /// Works as sync does: sends pending operations, whose outcomes come with the delta.
  private func apply(_ number: Int, to rows: inout [ObjectState]) throws {
    let store = store
    let revision = Int64(number + 1)
    let first = (number - 1) * part % objects
    // A part changes between hidden and shown from round to round, and so do neighbouring parts.
    let isHidden = ((number - 1) * part / objects + (number - 1) % (objects / part)) % 2 == 0
    let arrived = try StorePhotos.states(first..<first + part, revision: revision, hidden: isHidden)
    rows.replaceSubrange(first..<first + part, with: arrived)
    let sent = try waiting {
      try await store.send(in: StorePhotos.queue, limit: .max, bytes: .max, at: .zero)
    }
    let page = StorePhotos.page(
      arrived, cursor: revision, outcomes: StorePhotos.applied(sent.map(\.operation), at: revision),
      rows: QueueDigest(rows))
    isWriting.store(true, ordering: .relaxed)
    defer { isWriting.store(false, ordering: .relaxed) }
    try store.receive(page)
    if secondsAfter > 0 { Thread.sleep(forTimeInterval: secondsAfter) }
  }
}
