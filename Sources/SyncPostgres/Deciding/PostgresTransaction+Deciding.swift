// Decides several times in one transaction: the rows of all are loaded together.

import SyncProtocol
import SyncServer
import WireFormat

extension PostgresTransaction {
  /// Makes decisions about one queue, each on what those before it have written. One that throws has no part in it. What
  /// those of recent members read most likely is loaded at once, and so are all rows that are locked, since these have to
  /// be locked in one order.
  func decide(_ decisions: [QueuedDecision], on queue: QueueID, _ recent: RecentMembers) throws {
    var rows: [RowKey: RowValue] = [:]
    let isRecent = decisions.map { $0.user.map { recent.contains($0, of: queue) } ?? false }
    var left = decisions.map { $0.likely[...] }
    let locked = decisions.flatMap(\.likely).filter(\.isLocked)
    let first = Set(decisions.flatMap(\.first) + locked + left.takeFirst(UnitOfWork.rowsAtOnce) { isRecent[$0] })
    _ = try load(Array(first), of: queue, into: &rows, bytes: ProtocolLimits.touchedBytes)
    for (index, decision) in decisions.enumerated() {
      while true {
        do {
          if let work = try decision.work(on: queue, rows) {
            try write(work.writes, to: queue)
            rows = work.rowsAfterwards.boundedInMemory
          }
          break
        } catch let absent as UnitOfWork.NotLoaded {
          precondition(rows[absent.key] == nil, "a row is loaded once")
          let keys = [absent.key] + left.takeFirst(UnitOfWork.rowsAtOnce) { $0 >= index }
          _ = try load(keys, of: queue, into: &rows, bytes: ProtocolLimits.touchedBytes)
        }
      }
    }
    for user in Set(decisions.compactMap(\.user)) {
      guard case .membership(let membership)? = rows[.membership(of: user, in: queue)] else { continue }
      recent.note(user, of: queue, isMember: membership != nil)
    }
  }
}

extension RowKey {
  /// Whether a decision holds the row until it is written, though it is not of the queue.
  fileprivate var isLocked: Bool { if case .invitations = self { true } else { false } }
}

extension [ArraySlice<RowKey>] {
  /// Takes the first keys out, those of the first decisions first, of those that are `taken`.
  fileprivate mutating func takeFirst(_ count: Int, where isTaken: (Int) -> Bool) -> [RowKey] {
    var taken: [RowKey] = []
    for index in indices where taken.count < count && isTaken(index) {
      let part = self[index].prefix(count - taken.count)
      taken += part
      self[index] = self[index].dropFirst(part.count)
    }
    return taken
  }
}

extension [RowKey: RowValue] {
  /// The same without objects, if these take more memory than one commit may. They are loaded again then.
  fileprivate var boundedInMemory: Self {
    let bytes = values.reduce(0) { sum, value in
      if case .object(let object?) = value { sum + (object.live?.content.count ?? 0) } else { sum }
    }
    if bytes <= ProtocolLimits.touchedBytes { return self }
    return filter { if case .object = $0.key { false } else { true } }
  }
}
