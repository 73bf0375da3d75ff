// Sync by hand: each message is made, served and taken when a test says so.

import ModelSupport
import StoreTestSupport
import SyncServer
import Testing

/// A commit that a device has sent.
struct SentCommit {
  var device: TestDevice
  var from: QueuePlace
  /// The server's history that the device knew.
  var history: HistoryID
  var request: CommitRequest

  /// Lets the server decide the commit, for the first time or again.
  @discardableResult
  func serve() async throws -> CommitAnswer {
    try await device.server.service.commit(request, by: device.store.asker)
  }

  func take(_ answer: CommitAnswer) async throws {
    if case .decided(let decided) = answer.result {
      let commit = AnsweredCommit(of: request.queue, at: from, decided)
      try await device.store.receiveCommits([commit], in: history)
    }
  }
}

/// A request for a page that a device has sent.
struct SentDelta {
  var device: TestDevice
  var question: DeltaQuestion
  /// The server's history that the device knew.
  var history: HistoryID
  var request: DeltaRequest

  func serve() async throws -> DeltaAnswer {
    try await device.server.service.delta(request, by: device.store.asker)[0]
  }

  func take(_ answer: DeltaAnswer) async throws {
    _ = try await device.store.isHistory(history)
    try await device.store.receive([AnsweredDelta(question, at: answer.time, answer.result)], in: history)
  }
}

extension TestDevice {
  func commit(_ queue: QueueID = .box) async throws -> SentCommit {
    try await store.waitUntilSaved()
    _ = try await store.isHistory(server.history)
    let place = store.place(of: queue)
    let mutations = try await store.send(
      in: queue, limit: 500, bytes: 1 << 20, at: Timestamp(millisecondsSince1970: 1_700_000_000_000))
    let request = CommitRequest(queue: queue, grant: place.grant, mutations: mutations)
    return SentCommit(device: self, from: place, history: store.history ?? server.history, request: request)
  }

  func delta(_ queue: QueueID = .box, limit: Int? = nil) -> SentDelta {
    var question = store.question(of: queue)
    question.asksAll = true
    let request = DeltaRequest(queues: [question.request], limit: limit)
    return SentDelta(device: self, question: question, history: store.history ?? server.history, request: request)
  }

  /// Hears that the server has another history.
  func hear() async throws {
    let known = try #require(store.history)
    try await store.hear(server.history, since: server.since(after: known), after: known)
  }

  /// Sends a commit and takes its answer.
  func push(_ queue: QueueID = .box) async throws {
    let commit = try await commit(queue)
    try await commit.take(commit.serve())
  }

  /// Fetches pages until nothing is missing, or the queue is gone.
  func pull(_ queue: QueueID = .box, limit: Int? = nil) async throws {
    repeat {
      let delta = delta(queue, limit: limit)
      try await delta.take(delta.serve())
      let place = store.place(of: queue)
      if place.load.isGone { return }
      if place.load == .loaded && place.position == place.cursor { return }
    } while true
  }
}

extension TestServer {
  /// A server, and a device of Anna, who has put a card on it.
  static func withCard(_ time: TestTime? = nil) async throws -> (server: TestServer, anna: TestDevice) {
    let server = try TestServer()
    let anna = try server.device(1, time: time)
    anna.store.create(Box())
    anna.store.create(Card(1, title: "Lake"))
    try await anna.push()
    try await anna.pull()
    return (server, anna)
  }

  /// A device of Anna, who has put five cards on a server, and a new device of hers.
  static func withFiveCards() async throws -> (anna: TestDevice, twin: TestDevice) {
    let (server, anna) = try await withCard()
    for number: UInt64 in 2...5 { anna.store.create(Card(number)) }
    try await anna.push()
    try await anna.pull()
    return (anna, try server.device(1, seed: 9))
  }

  /// A server with a card of Anna's, and devices of Anna and of Ben, who follows the queue.
  static func withCardOfTwo(_ time: TestTime? = nil) async throws -> (
    server: TestServer, anna: TestDevice, ben: TestDevice
  ) {
    let (server, anna) = try await withCard(time)
    let ben = try server.device(2)
    anna.store.perform(Member(card: Card.id(1), user: ben.store.user, change: .joins))
    try await settle(anna, ben)
    return (server, anna, ben)
  }
}

extension TestDevice {
  /// Gives another user a role. The server knows it, but the other device does not know it yet.
  func gives(_ other: TestDevice, _ role: QueueRole) async throws {
    store.perform(Member(card: Card.id(1), user: other.store.user, change: .becomes(role)))
    try await sync()
  }
}

/// Syncs all devices in turns, three times, so that nothing is left to do.
func settle(_ devices: TestDevice...) async throws {
  for _ in 0..<3 {
    for device in devices { try await device.sync() }
  }
}

extension ModelStore {
  /// The number of operations in the outbox.
  var pending: Int { pendingOperations.count }
  var reasons: [StoreError.Code] { failedOperations.map(\.reason.code) }

  /// The reason why an operation failed; nil if it does not.
  func reason(of operation: OperationHandle) -> StoreError.Code? {
    failedOperations.first { $0.id == operation.id }?.reason.code
  }
}

extension ModelStore {
  /// Its user, by its app.
  var asker: Asker { Asker(user, schema: schema.name) }
}
