// What a commit does, mutation by mutation. Sections "What the server does" to "Who may do what" of sync-protocol.md.

import Crypto

/// A commit that was worked out: what it changes, and what its answer must be.
struct PlainDecision {
  var effects: PlainEffects
  var answer: PlainJSON
}

extension PlainCommit {
  /// `hasFile`: whether a file has arrived in the queue.
  func decide(
    by user: PlainID, in server: PlainServer, at time: Int64, _ choices: PlainChoices, hasFile: ([UInt8]) -> Bool
  ) -> PlainDecision {
    var transaction = PlainTransaction(place.queue, in: server, at: time, choices)
    if let refusal = transaction.refusal(of: self, by: user) {
      let operations = mutations.map(\.operation)
      let known = operations.compactMap { id in transaction.outcome(id).map { (id, $0) } }
      let answer = refusal.json(Dictionary(known) { first, _ in first }, retention: transaction.row?.retention)
      return PlainDecision(effects: transaction.effects, answer: ["decided": .null, "refusal": answer])
    }
    let (epoch, sender) = (transaction.row?.epoch, transaction.member(user))
    var outcomes: [PlainJSON] = []
    var waiting: [PlainJSON] = []
    /// Objects on which nothing later goes.
    var blocked: Set<PlainID> = []
    for mutation in mutations {
      let objects = mutation.changes?.objects.map(\.object) ?? []
      var outcome = transaction.outcome(mutation.operation)
      if outcome == nil, blocked.isDisjoint(with: objects) {
        switch transaction.verdict(on: mutation, by: user, hasFile) {
        case .waits(let files):
          waiting.append(["operation": .id(mutation.operation), "files": .array(files.map { .words($0.hex) })])
        case .decided(let status):
          let head = transaction.row?.head ?? 0
          let decided = PlainOutcome(status: status, at: head, time: max(time, mutation.firstSent))
          transaction.put(decided, of: mutation.operation)
          outcome = decided
        }
      }
      if let outcome { outcomes.append(outcome.json(of: mutation.operation)) }
      if outcome?.isDone != true { blocked.formUnion(objects) }
    }
    let decided: PlainJSON = [
      "epoch": .id(epoch), "grant": .id(sender?.grant), "role": sender.map { .words($0.role.name) } ?? .null,
      "outcomes": .array(outcomes), "waiting": .array(waiting),
    ]
    return PlainDecision(effects: transaction.effects, answer: ["decided": decided, "refusal": .null])
  }
}

private enum PlainVerdict {
  case decided(PlainOutcome.Status)
  case waits([[UInt8]])
}

/// Why a mutation leaves nothing behind.
private struct PlainRejection: Error { var code: String }

extension PlainTransaction {
  fileprivate mutating func verdict(
    on mutation: PlainMutation, by user: PlainID, _ hasFile: ([UInt8]) -> Bool
  ) -> PlainVerdict {
    guard let row, mutation.firstSent >= row.retention else { return .decided(.unknown) }
    if mutation.isVoid { return .decided(.voided) }
    guard let role = member(user)?.role, role.allows(mutation.changes, of: user) else {
      return .decided(.rejected("forbidden"))
    }
    guard let changes = mutation.changes else { return .decided(.rejected("invalid")) }
    let missing = changes.files.filter { !hasFile($0) }
    guard missing.isEmpty else { return .waits(missing) }
    let before = self
    do throws(PlainRejection) {
      let hasFound = try apply(changes.objects, by: user)
      let hasMembers = try applyMembers(of: changes, by: user)
      return .decided(hasFound || hasMembers ? .applied : .noEffect)
    } catch {
      self = before
      return .decided(.rejected(error.code))
    }
  }

  /// All of the changes see the state before them. Returns whether one found what it needed.
  private mutating func apply(_ changes: [PlainChange], by user: PlainID) throws(PlainRejection) -> Bool {
    let before = changes.map { object($0.object) }
    var hasFound = false
    for (change, before) in zip(changes, before) {
      try change.check(before)
      switch change.action {
      case .delete where before?.live != nil:
        hasFound = true
        put(nil, as: change.object)
      case .delete: break
      case .patch(let patch):
        guard var live = before?.live else { continue }
        hasFound = true
        live.content = try patch.result(on: live.content)
        live.newestBy = change.newestBy ?? live.newestBy
        if live != before?.live { put(live, as: change.object) }
      case .create(let type, let patch, let isReviving):
        if before != nil && before?.live == nil && !isReviving { continue }
        hasFound = true
        var live = before?.live ?? PlainLive(type: type, content: [], newestBy: nil, createdBy: user)
        live.content = try patch.result(on: live.content)
        live.newestBy = live.newestBy ?? change.newestBy
        if live != before?.live { put(live, as: change.object) }
      }
    }
    return hasFound
  }

  /// Returns whether a member came, went, or may do something else.
  private mutating func applyMembers(of changes: PlainChanges, by user: PlainID) throws(PlainRejection) -> Bool {
    let before = members
    var after = before
    for new in changes.follow where after[new] == nil {
      after[new] = PlainMember(role: .writer, grant: newGrant(of: new), by: user, since: time)
    }
    for gone in changes.unfollow { after[gone] = nil }
    for change in changes.roles { after[change.user]?.role = change.role }
    let named = changes.follow + changes.unfollow + changes.roles.map(\.user)
    var changed: [PlainID] = []
    for member in named where after[member] != before[member] && !changed.contains(member) { changed.append(member) }
    guard !changed.isEmpty else { return false }
    let hasOwner = after.isEmpty || after.values.contains { $0.role == .owner }
    guard hasOwner, effects.queue != .home(of: user) else { throw PlainRejection(code: "forbidden") }
    for member in changed { put(after[member], as: member) }
    return true
  }
}

extension PlainChange {
  fileprivate func check(_ before: PlainObject?) throws(PlainRejection) {
    if let content, before?.live.map({ Array(SHA256.hash(data: $0.content)) }) != content {
      throw PlainRejection(code: "conditionFailed")
    }
    if mustBeAbsent, before?.live != nil { throw PlainRejection(code: "conditionFailed") }
    // Types of the server's own are nobody's else.
    if before?.live?.type.hasPrefix("sync.") == true { throw PlainRejection(code: "forbidden") }
    guard case .create(let type, _, _) = action else { return }
    if type.hasPrefix("sync.") { throw PlainRejection(code: "forbidden") }
    if !type.isTypeName || before?.live.map({ $0.type != type }) == true { throw PlainRejection(code: "invalid") }
  }
}

extension PlainPatch {
  fileprivate func result(on content: [UInt8]) throws(PlainRejection) -> [UInt8] {
    let merged: [UInt8]
    do { merged = try self.merged(into: content) } catch { throw PlainRejection(code: "invalid") }
    if merged.count > 1 << 20 { throw PlainRejection(code: "tooLarge") }
    return merged
  }
}

extension String {
  fileprivate var isTypeName: Bool {
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-".utf8)
    return (1...100).contains(utf8.count) && utf8.allSatisfy(allowed.contains)
  }
}

extension PlainRole {
  /// Nil stands for bytes that are no changes.
  fileprivate func allows(_ changes: PlainChanges?, of user: PlainID) -> Bool {
    guard self != .owner else { return true }
    guard let changes else { return self == .writer }
    let takesOut = changes.unfollow.contains { $0 != user }
    if takesOut || !changes.roles.isEmpty { return false }
    return self == .writer || changes.objects.isEmpty && changes.follow.isEmpty && changes.files.isEmpty
  }
}

extension [UInt8] {
  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
