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

  mutating func isPollOutdated(_ state: SyncNews, at now: Timestamp) -> Bool {
    learn(state)
    return isPollOutdated(at: now)
  }

  mutating func didPoll(_ changed: [QueueID], _ state: SyncNews, at now: Timestamp, chance: UInt64) {
    learn(state)
    didPoll(changed, at: now, chance: chance)
  }

  mutating func didPoll(_ answer: ChangedAllAnswer, _ state: SyncNews, at now: Timestamp, chance: UInt64) {
    learn(state)
    didPoll(answer, at: now, chance: chance)
  }
}

extension SyncMachine.Question {
  /// The places that a poll names; empty for a poll over all queues.
  var places: [QueueID: QueuePlace] {
    switch self {
    case .named(let places), .window(let places): places
    case .all: [:]
    }
  }

  /// The queues that a poll over all leaves out; nil for other polls.
  var except: [QueueID]? { if case .all(_, let except) = self { except } else { nil } }
  var sums: PlaceSums? { if case .all(let sums, _) = self { sums } else { nil } }
  var isWindow: Bool { if case .window = self { true } else { false } }
}
