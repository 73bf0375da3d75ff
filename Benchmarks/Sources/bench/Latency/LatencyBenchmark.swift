// What the main thread notices of a writer that applies large deltas: its calls beside empty ones of another thread.

import Foundation
import ModelRuntime
import MomentsModels
import Synchronization

extension Benchmark {
  static let latency = Benchmark(name: "latency", summary: "calls while a delta is written") {
    effort in
    // Held here, so that this thread removes it: the run may live on in a task when the program ends.
    let folder = try TemporaryFolder()
    let run = try LatencyRun(objects: effort.objects, in: folder)
    return [try withExtendedLifetime(folder) { try run.report(calls: effort.callsWhileWriting) }]
  }
}

/// A store that takes one large delta after the other, and the two threads that call meanwhile.
private final class LatencyRun: Sendable {
  private let objects: Int
  private let store: ModelStore
  private let isWriting = Atomic(false)
  private let counted = Atomic(0)

  init(objects: Int, in folder: TemporaryFolder) throws {
    self.objects = objects
    store = try StorePhotos.store(in: folder)
    try store.receive(StorePhotos.page(StorePhotos.states(0..<objects, revision: 1), cursor: 1))
  }

  func report(calls: Int) throws -> Report {
    let ids = (0..<objects).map { StorePhotos.photo($0).id }
    let states = try [true, false].map { try StorePhotos.states(0..<objects, revision: 1, hidden: $0) }
    let control = PacedThread([("control: an empty call", {})]) { [self] in isWriting.load(ordering: .relaxed) }
    let user = userThread(ids)
    var deltas = 0
    while counted.load(ordering: .relaxed) < calls, user.isRunning {
      deltas += 1
      try apply(states[deltas % 2], revision: Int64(deltas + 1))
    }
    let measured = try control.stop() + user.stop()
    return Report(
      heading:
        "\(deltas) deltas of \(objects.formatted()) objects over as many rows; one call a millisecond on each of two "
        + "threads, \(counted.load(ordering: .relaxed).formatted()) of the store's while a delta was written. A delay is "
        + "the time from when a call was due until it was over.",
      rows: measured.flatMap { rows($0, control: measured[0]) })
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

  private func userThread(_ ids: [Photo.ID]) -> PacedThread {
    var random = SeededNumbers(state: 6)
    var last = ids[0]
    return PacedThread([
      (
        "perform",
        { [store] in
          last = ids[random.next(below: ids.count)]
          store.perform(Photo.Label(last, tag: "late"))
        }
      ),
      (
        "read, nothing was done with the object",
        { [store] in try expect(store.object(ids[random.next(below: ids.count)])) }
      ),
      ("read, an operation is pending", { [store] in try expect(store.object(last)) }),
    ]) { [self] in
      guard isWriting.load(ordering: .relaxed) else { return false }
      counted.wrappingAdd(1, ordering: .relaxed)
      return true
    }
  }

  /// As sync does it: what is pending is sent, and the delta brings what became of it.
  private func apply(_ states: [ObjectState], revision: Int64) throws {
    let store = store
    let objects = states.map { ObjectState(id: $0.id, revision: revision, live: $0.live) }
    let sent = try waiting {
      try await store.send(in: StorePhotos.queue, limit: .max, bytes: .max, at: .zero)
    }
    let page = StorePhotos.page(
      objects, cursor: revision,
      outcomes: StorePhotos.applied(sent.map(\.id), at: revision))
    isWriting.store(true, ordering: .relaxed)
    defer { isWriting.store(false, ordering: .relaxed) }
    try store.receive(page)
  }
}
