// Upkeep: what a server may forget, and when. "Upkeep" of sync-server.md, and the marks of server-storage.md.

/// For how many milliseconds things are kept at least.
struct PlainRules {
  var tombstones: Int64
  var outcomes: Int64
  var files: Int64
}

/// How far a queue had come at a time.
struct PlainMark: Equatable {
  var head: Int64
  var time: Int64
}

/// Everything that one step of upkeep forgets, as the server has chosen it.
struct PlainForgetting {
  var notesTime = false
  /// The head of a new mark.
  var mark: Int64?
  /// The tombstones up to this revision.
  var tombstones: Int64?
  var outcomes: [PlainID] = []
  /// The marks up to this time.
  var marks: Int64?
  /// Hashes of files.
  var files: [[UInt8]] = []
}

extension PlainTransaction {
  /// Forgets what is old enough. The rest stays, and then shows as a difference to the server.
  mutating func forget(_ step: PlainForgetting, _ rules: PlainRules) {
    if step.notesTime { effects.notedTime = time }
    forgetOutcomes(step.outcomes, before: time - rules.outcomes)
    forgetFiles(step.files, before: time - rules.files)
    let limit = time - rules.tombstones
    if let revision = step.tombstones, isOld(revision, limit) { forgetTombstones(upTo: revision) }
    if let head = step.mark, mayMark(head) { effects.mark = PlainMark(head: head, time: time) }
    if let time = step.marks, time <= limit { effects.marksGone = time }
  }

  /// Whether the queue had this revision at a time that is not after `limit`.
  private func isOld(_ revision: Int64, _ limit: Int64) -> Bool {
    guard let before else { return false }
    return before.log.contains { $0.revision >= revision && $0.time <= limit }
      || before.marks.contains { $0.head >= revision && $0.time <= limit }
  }

  /// Whether a mark with this head is due: once a day, for a head that the queue has reached, if that has grown.
  private func mayMark(_ head: Int64) -> Bool {
    guard let before, head <= before.row.head else { return false }
    return before.needsMark(at: time) && head > before.marks.last?.head ?? 0
  }
}

extension PlainQueue {
  fileprivate static let day: Int64 = 86_400_000

  func needsMark(at time: Int64) -> Bool {
    row.head > marks.last?.head ?? 0 && time - (marks.last?.time ?? 0) >= Self.day
  }
}

/// Everything that one whole round of upkeep must have done, worked out when it begins.
struct PlainRound {
  private var outcomes: [(queue: PlainID, operation: PlainID, outcome: PlainOutcome)] = []
  private var tombstones: [(queue: PlainID, object: PlainID, revision: Int64)] = []
  private var marks: [(queue: PlainID, head: Int64, isEnded: Bool)] = []
  private var files: [(queue: PlainID, hash: [UInt8], file: PlainFile, namings: Int)] = []
  /// Queues that had ended before. Nothing of their objects may be left.
  private(set) var ended: [PlainID] = []

  init(_ rules: PlainRules, of server: PlainServer, at time: Int64) {
    for (id, queue) in server.queues.sorted(by: { $0.key < $1.key }) {
      if queue.row.isEnded { ended.append(id) }
      for (operation, outcome) in queue.outcomes where outcome.time < time - rules.outcomes {
        outcomes.append((id, operation, outcome))
      }
      for (hash, file) in queue.files.rows where queue.files.isOld(hash, time - rules.files) {
        files.append((id, hash, file, queue.files.namings(of: hash)))
      }
      if queue.needsMark(at: time) { marks.append((id, queue.row.head, queue.row.isEnded)) }
      guard let mark = queue.marks.last(where: { $0.time <= time - rules.tombstones }) else { continue }
      for (object, state) in queue.objects where state.live == nil && state.revision <= mark.head {
        tombstones.append((id, object, state.revision))
      }
    }
  }

  /// Describes something that is left undone; nil if nothing is.
  func difference(from server: PlainServer) -> String? {
    // An operation whose outcome is forgotten may get the outcome `unknown` by a late copy of its request. That is
    // another one.
    if let left = outcomes.first(where: { server.queues[$0.queue]?.outcomes[$0.operation] == $0.outcome }) {
      return "the outcome of \(left.operation) is kept for ever"
    }
    if let left = tombstones.first(where: { server.queues[$0.queue]?.objects[$0.object]?.revision == $0.revision }) {
      return "the tombstone of \(left.object) is kept for ever"
    }
    // The round leaves a file that an operation has named meanwhile. Where the object is deleted before the round ends,
    // nothing names the file any more: the next round has to remove it.
    let isLeft = files.first { id, hash, file, namings in
      guard let files = server.queues[id]?.files else { return false }
      return files.rows[hash] == file && files.namings(of: hash) == namings
    }
    if let left = isLeft { return "the file \(left.hash.hex) is kept for ever" }
    // Marks of a queue go with its end.
    let isUnmarked = marks.first { id, head, wasEnded in
      server.queues[id]?.row.isEnded == wasEnded && head > server.queues[id]?.marks.last?.head ?? 0
    }
    return isUnmarked.map { "it does not note how far \($0.queue) has come" }
  }
}
