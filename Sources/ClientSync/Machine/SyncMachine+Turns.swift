// Which queues have their turn: what the user does goes first, and first loads last. Pure.

import ModelTypes
import WireFormat

extension SyncMachine {
  /// What goes first where not everything can go at once.
  private enum Rank: Int {
    case push
    /// It says which other queues there are.
    case home
    /// News of a loaded queue, or outcomes that it waits for.
    case pull
    case load
  }

  /// A turn that could begin now.
  private struct DueTurn {
    var queue: QueueID
    var kind: Turn.Kind
    var rank: Rank
    /// The number of the queue's last turn; 0 before its first.
    var last: Int

    /// By rank, then the queue whose last turn was longest ago: so queues of a rank take turns, page by page.
    static func < (first: Self, second: Self) -> Bool {
      if first.rank != second.rank { return first.rank.rawValue < second.rank.rawValue }
      return (first.last, first.queue.rawValue) < (second.last, second.queue.rawValue)
    }
  }

  mutating func beginTurns(_ facts: SyncFacts, at now: Timestamp) -> [Turn] {
    var begun: [Turn] = []
    for due in dueTurns(facts, at: now, limit: Self.maximumRequests - requests) {
      // First loads are the last of the order.
      if due.rank == .load && loads == Self.maximumLoads { break }
      turns += 1
      let turn = Turn(queue: due.queue, kind: due.kind, number: turns)
      pumps[due.queue, default: QueuePump()].begin(turn, grant: memberships[due.queue])
      begun.append(turn)
    }
    return begun
  }

  /// The first ones. Not all are sorted: thousands of queues may wait for their first load.
  private func dueTurns(_ facts: SyncFacts, at now: Timestamp, limit: Int) -> [DueTurn] {
    var first: [DueTurn] = []
    guard limit > 0 else { return first }
    for queue in queues(facts) {
      let pump = pumps[queue] ?? QueuePump()
      guard let kind = pump.turn(self.facts(of: queue, facts), at: now) else { continue }
      let due = DueTurn(queue: queue, kind: kind, rank: rank(of: kind, queue), last: pump.last?.number ?? 0)
      let index = first.firstIndex { due < $0 } ?? first.count
      guard index < limit else { continue }
      first.insert(due, at: index)
      if first.count > limit { first.removeLast() }
    }
    return first
  }

  private func rank(of kind: Turn.Kind, _ queue: QueueID) -> Rank {
    switch kind {
    case .push: .push
    case .pull: queue == home ? .home : .pull
    case .load: queue == home ? .home : .load
    }
  }

  var underWay: [Turn] { pumps.values.compactMap(\.underWay) }
  /// Under way, the long poll aside.
  var requests: Int { pumps.values.count(where: \.isBusy) }
  private var loads: Int { underWay.count { rank(of: $0.kind, $0.queue) == .load } }

  /// The one end of a turn.
  mutating func end(_ turn: Turn, _ result: Turn.Result, at now: Timestamp, chance: UInt64) {
    pumps[turn.queue, default: QueuePump()].end(turn, result, at: now, chance: chance)
    switch result {
    case .pushed, .pushedInVain:
      reached()
      poll.isOvertaken = true
    case .pulled: reached()
    case .failed(let failure): note(failure, at: now, chance: chance)
    case .pushedTooEarly, .nothing: break
    }
  }
}
