// The network of the victim: sends pending operations and brings pages, without pause.

import ModelSupport
import StoreTestSupport
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
    let sent = try await store.send(in: server.queue, limit: 1 + Int(random.below(30)))
    guard !sent.isEmpty else { return }
    VictimLine.sent(sent.map(\.operation.operationNumber)).write()
    let outcomes = try server.commit(sent) { _ in random.chance(6) }
    // Otherwise the answer is lost, and the next delta brings the outcomes.
    if random.chance(60) { try await store.receive(outcomes: outcomes, in: server.queue) }
  }

  /// Receives a delta in pages, some of them small. Now and then loads the queue again.
  private mutating func pull() async throws {
    if random.chance(3) { try await store.receiveReset(of: server.queue) }
    while true {
      let arrived = server.pages.next(
        for: store, in: server.queue, atMost: random.chance(30) ? 1 + Int(random.below(5)) : .max)
      let (from, page) = (arrived.question.place, arrived.page)
      if from.load == .loaded, from.cursor == page.cursor, page.end?.outcomes.isEmpty == true { return }
      try await store.receive(arrived)
      guard page.end != nil else { continue }
      if from.cursor < page.cursor { VictimLine.revealed(page.cursor).write() }
      return
    }
  }
}
