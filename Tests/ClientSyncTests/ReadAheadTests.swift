// A queue of several pages: the next one is asked for while one is stored, and nothing else is kept waiting.

import ClientStore
import ModelRuntime
import TestSupport
import Testing

@testable import ClientSync

@Suite struct ReadAheadTests {
  /// Two of them do not fit into one page.
  private static let title = String(repeating: "x", count: 600_000)

  @Test func theNextPageIsOnItsWayWhileOneIsStored() async throws {
    let server = try TestServer()
    let anna = try server.device(1)
    for number in 1...2 as ClosedRange<UInt64> { anna.store.create(Card(number, title: Self.title)) }
    try await anna.sync()
    var ahead = 0
    // The order of what happens at once is drawn from a seed: the request leaves before or after the disk is done.
    for seed in 1...8 as ClosedRange<UInt64> {
      let executor = SeededExecutor(seed: seed)
      let twin = try server.device(1, seed: 10 + seed)
      let places = Places()
      twin.transport.goes { [store = twin.store] message, send in
        if message.call == "Delta", message.isAbout(.box) { places.seen.append(store.place(of: .box).position) }
        return await send()
      }
      try executor.run { try await twin.sync() }
      #expect(try twin.card(1)?.title == Self.title && twin.card(2)?.title == Self.title, "seed \(seed)")
      #expect(places.seen.count == 2 && places.seen[0] == nil, "seed \(seed)")
      if places.seen.last == .some(nil) { ahead += 1 }
    }
    #expect(ahead > 0 && ahead < 8, "of 8 seeds")
  }

  @Test func nothingIsReadAheadOfWhatWaits() {
    var machine = SyncMachine(home: .box)
    var facts = SyncFacts(places: [:], needs: [:])
    #expect(machine.mayReadAhead(.other, facts))
    facts.needs[.other, default: QueueNeeds()].canSend = true
    #expect(!machine.mayReadAhead(.other, facts), "something to send")
    #expect(machine.mayReadAhead(.box, facts))
    machine.isPaused = true
    #expect(!machine.mayReadAhead(.box, facts), "a pause")
    machine.isPaused = false
    for number in 1...4 as ClosedRange<UInt64> {
      var place = QueuePlace()
      place.load = .loading
      facts.places[QueueID(UUIDValue(high: 7, low: number))] = place
    }
    #expect(!machine.begin(facts, at: .zero).isEmpty)
    #expect(!machine.mayReadAhead(.box, facts), "other queues that wait for a request to end")
    machine.didFail(SyncFailure(TestTransport.Lost()), .pull, .box, at: .zero, chance: .max)
    #expect(!machine.mayReadAhead(.box, facts), "a server that is not reached")
  }
}

/// Where the store stood when each request left. `@unchecked Sendable`: reached on the one thread that runs the jobs.
private final class Places: @unchecked Sendable {
  var seen: [Int64?] = []
}

extension TestTransport.Message {
  fileprivate func isAbout(_ queue: QueueID) -> Bool {
    String(decoding: body, as: UTF8.self).contains(queue.rawValue.description)
  }
}
