// The network of the victim: sends what is pending and brings back what became of it, without pause.

import ModelRuntime
import TestSupport

struct VictimSync {
  private let store: ModelStore
  private var server: VictimServer
  private var random: SeededRandom

  init(store: ModelStore, server: VictimServer, seed: UInt64) {
    (self.store, self.server) = (store, server)
    random = SeededRandom(seed: seed)
  }

  mutating func run() async throws {
    while !Task.isCancelled {
      try await commit()
      try await pull()
      await Task.yield()
    }
  }

  private mutating func commit() async throws {
    let ids = store.outgoing(in: server.queue, limit: 1 + Int(random.below(30))).map(\.id)
    guard !ids.isEmpty else { return }
    try await store.markSent(ids)
    VictimLine.sent(ids.map(\.operationNumber)).write()
    // Not what was taken back meanwhile.
    let sent = Set(store.awaited)
    let requests = store.outgoing(in: server.queue).filter { ids.contains($0.id) && sent.contains($0.id) }
    let outcomes = try server.commit(requests) { _ in random.chance(6) }
    // Else the answer is lost, and the next delta brings it.
    if random.chance(60) { try await store.take(outcomes, in: server.queue) }
  }

  private func pull() async throws {
    let cursor = try await store.cursor(of: server.queue)
    let delta = server.delta(after: cursor, awaiting: store.awaited)
    guard delta.cursor > cursor || !delta.outcomes.isEmpty else { return }
    try await store.reveal(delta)
    VictimLine.revealed(delta.cursor).write()
  }
}

extension ModelStore {
  /// What was sent and has no outcome yet.
  fileprivate var awaited: [UUIDValue] {
    outbox.compactMap { item in
      guard case .sent = item.state, item.outcome == nil else { return nil }
      return item.id
    }
  }
}
