// Measures the cost of following many queues: the first load, the return after a day, one change, an idle hour.

import ClientStore
import ClientSync
import Foundation
import ModelTypes
import SyncProtocol
import Synchronization
import WireFormat

/// One device that follows all queues of a sample, while another device changes some of them.
struct FollowedQueues {
  private let sample: SampleQueue
  private let program: ServerProcess
  private let store: ModelStore
  private let transport: CountingTransport
  private let client: SyncClient

  /// How many of the queues have changed when a device comes back after a day.
  private static let changedInADay = 50
  private static let idleSeconds = 60
  /// How many of the queues the user edits before a sync.
  private static let edited = 1_000

  init(_ sample: SampleQueue, server: String) throws {
    self.sample = sample
    let folder = sample.folder.appending(path: "followed")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    program = try ServerProcess(server, sample, folder)
    store = try ModelStore(
      at: folder.appending(path: "store").path, schema: NothingSchema.self, user: SampleQueue.user)
    transport = CountingTransport(HTTPTransport(url: program.url) { [program] _ in program.token })
    client = SyncClient(store: store, transport: transport)
  }

  /// Prints the rows of a table.
  func run(isQuick: Bool) async throws {
    defer { program.stop() }
    try await row("first load") { try await client.syncOnce() }
    let changed = Array(sample.queues.prefix(Self.changedInADay))
    for queue in changed { try await change(queue) }
    try await row("a day's return, \(changed.count) queues changed") { try await client.syncOnce() }
    let edited = sample.queues.prefix(Self.edited)
    store.perform(contentsOf: edited.map { Edit(queue: $0) })
    try await store.waitUntilSaved()
    try await row("an edit in each of \(edited.count) queues") { try await client.syncOnce() }
    let running = Task { try await client.run() }
    for await status in await client.statusUpdates where status.activity == .idle { break }
    let last = Array(sample.queues.suffix(isQuick ? 1 : 9))
    try await rows("one change of another device seen", last) { queue in
      try await change(queue)
    } isDone: { queue, before in
      store.place(of: queue).cursor != before
    }
    try await rows("one edit sent", last) { queue in
      store.perform(Edit(queue: queue))
    } isDone: { _, _ in
      store.operationCounts.pending == 0
    }
    try await Task.sleep(for: .milliseconds(500))
    transport.reset()
    let before = (processorSeconds(), program.processorSeconds())
    let idle = isQuick ? 1 : Self.idleSeconds
    try await Task.sleep(for: .seconds(idle))
    let device = (processorSeconds() - before.0) * 3_600 / Double(idle)
    let server = (program.processorSeconds() - before.1) * 3_600 / Double(idle)
    let counts = transport.counts
    print(
      "| \(sample.queues.count) | an idle hour, by one of \(idle) s: processor of the device "
        + String(format: "%.1f s, of the server %.1f s", device, server)
        + " | | \(counts.requests * 3_600 / idle) | \(counts.sent * 3_600 / idle) | \(counts.received * 3_600 / idle) |"
    )
    running.cancel()
    try await running.value
  }

  /// Runs `body` for one queue after the other and waits until `isDone`. Reports median times, and the requests and
  /// bytes of the last queue.
  private func rows(
    _ what: String, _ queues: [QueueID], _ body: (QueueID) async throws -> Void,
    isDone: (QueueID, _ cursorBefore: Int64) -> Bool
  ) async throws {
    var seconds: [Double] = []
    var processor: [Double] = []
    for queue in queues {
      let before = store.place(of: queue).cursor
      // Gives the client time to begin the poll that the change will wake.
      try await Task.sleep(for: .milliseconds(300))
      transport.reset()
      let (start, processorStart) = (ContinuousClock.now, processorSeconds())
      try await body(queue)
      while !isDone(queue, before) { try await Task.sleep(for: .milliseconds(1)) }
      seconds.append((ContinuousClock.now - start) / .seconds(1))
      // Includes the work afterwards, until the next poll waits.
      try await Task.sleep(for: .milliseconds(300))
      processor.append(processorSeconds() - processorStart)
    }
    let time = String(format: "%.0f ms", processor.sorted()[processor.count / 2] * 1_000)
    report("\(what); processor of the device \(time); medians", seconds.sorted()[seconds.count / 2], transport.counts)
  }

  private func row(_ what: String, _ body: () async throws -> Void) async throws {
    transport.reset()
    let start = ContinuousClock.now
    try await body()
    report(what, (ContinuousClock.now - start) / .seconds(1), transport.counts)
  }

  private func report(_ what: String, _ seconds: Double, _ counts: CountingTransport.Counts) {
    let time = String(format: "%.0f ms", seconds * 1_000)
    print("| \(sample.queues.count) | \(what) | \(time) | \(counts.requests) | \(counts.sent) | \(counts.received) |")
  }

  /// Commits a change as another device of the user would, without a store.
  private func change(_ queue: QueueID) async throws {
    let mutation = try SampleQueue.mutation(Int.random(in: 1 << 40..<1 << 50), in: queue)
    let body = SyncCall.commit.body(
      CommitRequest(queue: queue, grant: store.place(of: queue).grant, mutations: [mutation]),
      schema: NothingSchema.name, of: SampleQueue.user, history: store.history)
    let answer = try await transport.way.post(body, timeoutMilliseconds: 10_000)
    guard case .decided = try SyncCall.commit.answer(answer.body).result else { throw SampleQueue.Refused() }
  }

  private func processorSeconds() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
}

/// Creates another object in a queue.
private struct Edit: ModelOperation {
  var queue: QueueID

  static let operationName = "note.edit"
  static let fieldTable = FieldTable(projection: "note.edit", Field(1, "queue", \Self.queue))

  func evaluate(in context: inout OperationContext) throws {
    let mutation = try SampleQueue.mutation(Int.random(in: 1 << 40..<1 << 50), in: queue)
    context.put(try OperationChanges(bytes: mutation.changes), in: queue)
  }
}

/// Counts the requests and bytes that pass through another transport.
final class CountingTransport: SyncTransport {
  struct Counts {
    var requests = 0
    /// Bytes of the bodies of requests; `received` counts those of answers.
    var sent = 0
    var received = 0
  }

  let way: any SyncTransport
  private let counted = Mutex(Counts())

  init(_ way: any SyncTransport) { self.way = way }

  var counts: Counts { counted.withLock { $0 } }
  func reset() { counted.withLock { $0 = Counts() } }

  func post(
    _ body: [UInt8], timeoutMilliseconds: Int64, didMove: @escaping @Sendable () -> Void
  ) async throws -> TransportAnswer {
    counted.withLock { ($0.requests, $0.sent) = ($0.requests + 1, $0.sent + body.count) }
    let answer = try await way.post(body, timeoutMilliseconds: timeoutMilliseconds, didMove: didMove)
    counted.withLock { $0.received += answer.body.count }
    return answer
  }

  func refreshCredentials() async throws { try await way.refreshCredentials() }
}
