// A queue of several pages: the next one is asked for while one is stored, and nothing else is kept waiting.

import ClientStore
import Foundation
import ModelRuntime
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
    // The request leaves before the disk is done, unless this machine has put its thread aside for that long: in one of
    // eight loads it will not. Without reading ahead it never leaves before.
    for twin in try (1...8 as ClosedRange<UInt64>).map({ try server.device(1, seed: 10 + $0) }) {
      let places = Places()
      twin.transport.goes { [store = twin.store] message, send in
        if message.call == "Delta", message.isAbout(.box) { places.note(store.place(of: .box).position) }
        return await send()
      }
      try await twin.sync()
      #expect(try twin.card(1)?.title == Self.title && twin.card(2)?.title == Self.title)
      #expect(places.seen.count == 2 && places.seen[0] == nil)
      if places.seen.last == .some(nil) { return }
    }
    Issue.record("no page was asked for before the one in front of it was stored")
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

/// Where the store stood when each request left. `@unchecked Sendable`: behind a lock.
private final class Places: @unchecked Sendable {
  private let lock = NSLock()
  private var positions: [Int64?] = []

  var seen: [Int64?] { lock.withLock { positions } }

  func note(_ position: Int64?) { lock.withLock { positions.append(position) } }
}

extension TestTransport.Message {
  fileprivate func isAbout(_ queue: QueueID) -> Bool {
    String(decoding: body, as: UTF8.self).contains(queue.rawValue.description)
  }
}
