// Helpers for tests of `SyncMachine`: each event comes with the whole state of a store.

import ModelSupport
import Testing

@testable import ClientSync

extension SyncMachine {
  /// A machine that compares its index with a look at all queues.
  static func tested(home: QueueID, failures: [QueueID: QueueFailure] = [:], isOnce: Bool = false) -> Self {
    var bounds = SyncBounds()
    bounds.checksIndex = true
    return Self(home: home, failures: failures, isOnce: isOnce, bounds: bounds)
  }

  /// Tells an event that has no actions.
  mutating func tell(_ event: Event, _ state: SyncNews, at now: Timestamp = .zero, chance: UInt64 = 0) {
    #expect(handle(event, state, at: now, chance: chance).isEmpty, "only `woken` has actions")
  }

  mutating func begin(_ state: SyncNews, at now: Timestamp) -> [Action] {
    handle(.woken, state, at: now, chance: 0)
  }

  /// The queues that have something to fetch, because the server is at another place.
  var behind: Set<QueueID> { Set(facts.places.keys.filter { facts(of: $0).isBehind }) }
}

extension SyncMachine.Action {
  /// A poll that asks for the server's time only.
  static let timeOnly = Self.poll(ChangedRequest(sums: nil, waitSeconds: 0))
}

extension SyncMachine.Event {
  /// The answer to the poll has no news.
  static let nothingNew = Self.polled(ChangedAnswer(time: .zero, ranges: [], places: []), .zero)
}
