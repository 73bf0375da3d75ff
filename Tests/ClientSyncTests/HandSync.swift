// Sync by hand: each message is made, served and taken when a test says so.

import Foundation
import ModelSupport
import StoreTestSupport
import SyncServer

/// A commit that a device has sent.
struct SentCommit {
  var device: TestDevice
  var from: QueuePlace
  var request: CommitRequest

  /// Lets the server decide the commit, for the first time or again.
  @discardableResult
  func serve() async throws -> CommitAnswer {
    try await device.server.service.commit(request, by: device.store.asker)
  }

  func take(_ answer: CommitAnswer) async throws {
    if case .decided(let decided) = answer.result {
      try await device.store.receive(
        decided, from: from, in: request.queue, history: device.server.history)
    }
  }
}

/// A request for a page that a device has sent.
struct SentDelta {
  var device: TestDevice
  var from: QueuePlace
  var request: DeltaRequest

  func serve() async throws -> DeltaAnswer {
    try await device.server.service.delta(request, by: device.store.asker)[0]
  }

  func take(_ answer: DeltaAnswer) async throws {
    let queue = answer.queue
    switch answer.result {
    case .page(let page):
      let asked = request.queues[0].awaiting
      let history = device.server.history
      let arrived = ArrivedPage(page, at: answer.time, from: from, asked: asked, history: history)
      try await device.store.receive(arrived, in: queue)
    case .refused(let refusal):
      let arrived = ArrivedRefusal(refusal, at: answer.time, from: from, history: device.server.history)
      try await device.store.receive(arrived, in: queue)
    }
  }
}

extension TestDevice {
  func commit(_ queue: QueueID = .box) async throws -> SentCommit {
    try await store.waitUntilSaved()
    let place = store.place(of: queue)
    let operations = try await store.send(
      in: queue, limit: 500, bytes: 1 << 20, at: Timestamp(millisecondsSince1970: 1_700_000_000_000))
    let mutations = operations.map { operation in
      CommitRequest.Mutation(
        operation: operation.id, firstSent: operation.firstSent ?? .zero, changes: operation.changes,
        isVoid: operation.isVoided)
    }
    let cursor = place.load == .loaded ? place.cursor : nil
    let request = CommitRequest(
      queue: queue, epoch: place.epoch, grant: place.grant, cursor: cursor, mutations: mutations)
    return SentCommit(device: self, from: place, request: request)
  }

  func delta(_ queue: QueueID = .box, limit: Int? = nil) -> SentDelta {
    let place = store.place(of: queue)
    let asked = DeltaRequest.Queue(
      queue: queue, epoch: place.epoch, grant: place.grant, cursor: place.position, scan: place.scan,
      awaiting: store.awaited(in: queue, limit: 100))
    return SentDelta(device: self, from: place, request: DeltaRequest(queues: [asked], limit: limit))
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

extension TestServer {
  /// Restores a backup, and forgets the outcomes of a queue's operations. `device` has heard of the new history.
  func restoreWithoutOutcomes(_ backup: URL, of queue: QueueID = .box, heardBy device: TestDevice) async throws {
    try restore(backup)
    _ = device.store.adopt(history, asked: device.store.history)
    let later = Timestamp(millisecondsSince1970: 1_800_000_000_000)
    try await service.forgetOutcomes(in: queue, before: later)
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
