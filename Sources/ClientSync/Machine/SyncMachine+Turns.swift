// Decides which queues have their turn: commits go first, first loads and previews last. Pure.

import ClientStore
import SyncProtocol
import WireFormat

extension SyncMachine {
  /// The order of turns where not all can begin at once.
  private enum Rank: Int {
    case push
    /// The home queue, which says what other queues there are.
    case home
    /// News of a loaded queue, or outcomes that it waits for.
    case pull
    case load
    /// The first page of an invitation without an answer.
    case preview
  }

  /// A queue that could have a turn now.
  private struct Due {
    var queue: QueueID
    var kind = Turn.Kind.load
    var rank: Rank
    /// The number of the queue's last turn; 0 before its first.
    var last: Int
    /// Whether it may share a request with others of its rank.
    var mayShare = false

    /// By rank, then by the oldest last turn, so that queues of a rank take turns, page by page.
    static func < (first: Self, second: Self) -> Bool {
      if first.rank != second.rank { return first.rank.rawValue < second.rank.rawValue }
      return (first.last, first.queue) < (second.last, second.queue)
    }
  }

  /// Returns the requests of queues to begin now, and marks them as under way.
  mutating func beginTurns(at now: Timestamp) -> [Turn] {
    defer { precondition(underWay.count <= bounds.requests, "Too many requests are under way.") }
    return requestsDue(at: now).map { queues in
      turns += 1
      let turn = Turn(queues: queues.map(\.queue), kind: queues[0].kind, number: turns)
      precondition(Set(turn.queues).count == turn.queues.count, "A turn has a queue twice.")
      underWay[turn.number] = turn
      for queue in turn.queues {
        let grant = memberships[queue]
        change(queue) { $0.begin(turn, grant: grant) }
      }
      return turn
    }
  }

  /// Whether something could be sent now if fewer requests were under way.
  func isPushWaiting(at now: Timestamp) -> Bool {
    underWay.count >= bounds.requests
      && index[.hasWork].contains { (pumps[$0] ?? QueuePump()).turn(facts(of: $0), at: now) == .push }
  }

  /// The queues of each request to begin now.
  private func requestsDue(at now: Timestamp) -> [[Due]] {
    let limit = bounds.requests - underWay.count
    // Loads leave one request free, so that an edit does not wait for them.
    var loadsLeft = bounds.requests - 1 - underWay.values.count { $0.kind == .load && $0.queues[0] != home }
    let previewing = underWay.values.lazy.flatMap(\.queues).filter(facts.isInvited).count
    var previewsLeft = bounds.previews - index[.isPreviewed].count - previewing
    var requests: [[Due]] = []
    /// For each rank, the index of its request that has room for more queues.
    var shared: [Rank: Int] = [:]
    var candidates = [(Rank.push, index[.hasWork])]
    if loadsLeft > 0 { candidates.append((.load, index[.loads])) }
    if loadsLeft > 0, previewsLeft > 0 { candidates.append((.preview, index[.wantsPreview])) }
    for due in firstDue(of: candidates, at: now, limit: limit * ProtocolLimits.deltaQueues) {
      if due.rank == .preview {
        guard previewsLeft > 0 else { continue }
        previewsLeft -= 1
      }
      if due.rank == .push, requests.count == limit, due.mayShare {
        join(due, &requests)
        continue
      }
      if due.mayShare, let index = shared[due.rank] {
        requests[index].append(due)
        if requests[index].count == ProtocolLimits.deltaQueues { shared[due.rank] = nil }
        continue
      }
      // Loads and previews come last in the order.
      let isLoad = due.rank.rawValue >= Rank.load.rawValue
      guard requests.count < limit, !isLoad || loadsLeft > 0 else { continue }
      if isLoad { loadsLeft -= 1 }
      if due.mayShare, due.rank != .push { shared[due.rank] = requests.count }
      requests.append([due])
    }
    return requests
  }

  /// Adds a push to the request of pushes with the fewest queues, once no request is free for it alone.
  private func join(_ due: Due, _ requests: inout [[Due]]) {
    let open = requests.indices.filter { index in
      requests[index][0].rank == .push && requests[index][0].mayShare
        && requests[index].count < ProtocolLimits.commitQueues
    }
    if let index = open.min(by: { requests[$0].count < requests[$1].count }) { requests[index].append(due) }
  }

  /// The first due queues in order, at most `limit`. `candidates`: queues, and the best rank that they can have. Only
  /// the result is sorted, because thousands may wait for their first load.
  private func firstDue(of candidates: [(Rank, Set<QueueID>)], at now: Timestamp, limit: Int) -> [Due] {
    var first: [Due] = []
    guard limit > 0 else { return first }
    for (least, queues) in candidates {
      for queue in queues {
        let pump = pumps[queue] ?? QueuePump()
        var due = Due(queue: queue, rank: least, last: pump.order.lastTurn)
        if first.count == limit, let last = first.last, !(due < last) { continue }
        let facts = facts(of: queue)
        guard let kind = pump.turn(facts, at: now) else { continue }
        (due.kind, due.rank) = (kind, rank(of: kind, queue, facts))
        due.mayShare = due.rank == .push ? pump.maySendTogether : due.rank != .home && pump.mayShare(facts)
        if first.count == limit, let last = first.last, !(due < last) { continue }
        first.insert(due, sortedBy: <)
        if first.count > limit { first.removeLast() }
      }
    }
    return first
  }

  private func rank(of kind: Turn.Kind, _ queue: QueueID, _ facts: QueueFacts) -> Rank {
    guard kind != .push else { return .push }
    if queue == home { return .home }
    // An invitation whose membership has gone is asked about at once. Only a new preview needs room.
    if facts.isNewPreview { return .preview }
    return kind == .load ? .load : .pull
  }

  /// Ends a turn for each of its queues.
  mutating func end(_ turn: Turn, _ results: Turn.Results, at now: Timestamp, chance: UInt64) {
    let ended = underWay.removeValue(forKey: turn.number)
    precondition(ended == turn, "This turn is not under way.")
    precondition(results.keys.allSatisfy(turn.queues.contains), "A turn has results of other queues.")
    for queue in turn.queues {
      let result = results[queue] ?? .unanswered
      let asked = pumps[queue]?.request?.grant
      change(queue) { $0.end(turn, result, at: now, chance: chance) }
      switch result {
      case .pushed(_, _, let lacksFiles):
        waitForFiles(in: queue, areMissing: lacksFiles, at: now, chance: chance)
        didPush(queue)
      case .pushedInVain: didPush(queue)
      case .pulled(let pull): didPull(queue, pull, asked: asked)
      case .unanswered: reached()
      case .steppedAside(let failure):
        reached()
        asides[queue, default: Backoff()].fail(
          at: now, failure.error, chance: chance, atLeast: Self.shortestAside)
      case .refusedTogether(let failure), .refusedCommit(let failure, _), .failed(let failure):
        backOff(failure, at: now, chance: chance)
      case .nothing: break
      }
    }
  }

  private mutating func didPush(_ queue: QueueID) {
    reached()
    // The operation that had stepped aside went first, and alone.
    if asides[queue]?.retryAt == nil { asides[queue] = nil }
    poll.isOvertaken = true
  }

  /// `asked`: the grant of the membership that the client knew when the request left.
  private mutating func didPull(_ queue: QueueID, _ pull: PullResult, asked: GrantID?) {
    reached()
    // The membership has gone while the page was under way. Nothing else would tell that the queue has to go.
    if [.loaded, .loading].contains(pull.after.load), asked != nil, memberships[queue] == nil {
      change(queue) { $0.ask(.question) }
    }
    // The server has just told this place, even if a poll told another one. If that was right, a poll tells it again.
    if let shown = pull.after.shown, !pull.after.isStaging { hear(shown, of: queue) }
  }
}

extension Array {
  /// Inserts into a sorted array, behind equal elements.
  fileprivate mutating func insert(_ element: Element, sortedBy isLess: (Element, Element) -> Bool) {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isLess(element, self[middle]) { high = middle } else { low = middle + 1 }
    }
    insert(element, at: low)
  }
}
