// Helpers for tests of `SyncMachine`: each call first tells it the whole state of a store.

import ModelSupport

@testable import ClientSync

extension SyncMachine {
  /// A machine that compares its index with a look at all queues.
  static func tested(home: QueueID, failures: [QueueID: QueueFailure] = [:]) -> Self {
    var bounds = SyncBounds()
    bounds.checksIndex = true
    return Self(home: home, failures: failures, bounds: bounds)
  }

  mutating func begin(_ state: SyncNews, at now: Timestamp) -> [Action] {
    learn(state)
    return begin(at: now)
  }

  mutating func follow(_ memberships: [QueueID: GrantID], _ state: SyncNews) {
    learn(state)
    follow(memberships)
  }

  mutating func didPoll(_ answer: ChangedAnswer, _ state: SyncNews, at now: Timestamp, chance: UInt64) {
    learn(state)
    didPoll(answer, at: now, chance: chance)
  }

  /// The answer to its poll has no news.
  mutating func didPoll(_ state: SyncNews, at now: Timestamp, chance: UInt64) {
    didPoll(ChangedAnswer(time: .zero, ranges: [], places: []), state, at: now, chance: chance)
  }

  /// The queues that have something to fetch, because the server is at another place.
  var behind: Set<QueueID> { Set(facts.places.keys.filter { facts(of: $0).isBehind }) }
}
