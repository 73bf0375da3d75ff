// Decides a commit, mutation by mutation. Sections "Commit" to "Who may do what" of sync-server.md.

import Crypto

/// A decided commit: what it changes, and what its answer must be.
struct PlainDecision {
  var effects: PlainEffects
  var answer: PlainJSON
}

extension PlainCommit {
  func decide(by asker: PlainAsker, in server: PlainServer, at time: Int64, _ choices: PlainChoices) -> PlainDecision {
    let user = asker.user
    var transaction = PlainTransaction(place.queue, in: server, at: time, choices)
    if var refusal = transaction.refusal(of: self, by: asker) {
      let operations = mutations.map(\.operation)
      let known = operations.compactMap { id in transaction.outcome(id).map { (id, $0) } }
      let was = transaction.object(.member(user, in: place.queue)) != nil
      refusal.conceal(place.queue, fromFormer: was || !known.isEmpty)
      let answer = refusal.json(Dictionary(known) { first, _ in first }, retention: transaction.row?.retention)
      return PlainDecision(effects: transaction.effects, answer: ["decided": .null, "refusal": answer])
    }
    let sender = transaction.member(user)
    /// The sender's role, as of the last mutation that left the sender a member.
    var role = sender?.role
    var outcomes: [PlainJSON] = []
    var waiting: [PlainJSON] = []
    /// Objects of mutations that were not done. Later mutations of these objects are skipped.
    var blocked: Set<PlainID> = []
    for mutation in mutations.prefix(choices.mutations) {
      let changes = mutation.changes
      // All members and links count as one object, with the id zero, which no object has.
      let objects = (changes?.objects.map(\.object) ?? []) + (changes?.isAboutMembers == true ? [.zero] : [])
      var outcome = transaction.outcome(mutation.operation).flatMap { $0.settles(mutation) ? $0 : nil }
      if outcome == nil, transaction.member(user) != nil, blocked.isDisjoint(with: objects) {
        switch transaction.verdict(on: mutation, by: user) {
        case .waits(let files):
          waiting.append(["operation": .id(mutation.operation), "files": .array(files.map { .words($0.hex) })])
        case .decided(let status):
          outcome = transaction.decide(mutation, status)
          if let now = transaction.member(user) { role = now.role }
        }
      }
      if let outcome { outcomes.append(outcome.json(of: mutation.operation)) }
      if outcome?.isDone != true { blocked.formUnion(objects) }
    }
    let decided: PlainJSON = [
      "grant": .id(sender?.grant), "role": role.map { .words($0.name) } ?? .null, "outcomes": .array(outcomes),
      "waiting": .array(waiting),
    ]
    return PlainDecision(effects: transaction.effects, answer: ["decided": decided, "refusal": .null])
  }
}

extension PlainOutcome {
  /// Whether the mutation has its outcome: one that has changed nothing counts for its attempt and those before it, all
  /// else for ever.
  func settles(_ mutation: PlainMutation) -> Bool {
    switch status {
    case .rejected, .noEffect: mutation.attempt <= attempt
    default: true
    }
  }
}

private enum PlainVerdict {
  case decided(PlainOutcome.Status)
  case waits([[UInt8]])
}

/// The rejection of a mutation, which leaves nothing behind.
private struct PlainRejection: Error { var code: String }

extension PlainTransaction {
  fileprivate mutating func verdict(on mutation: PlainMutation, by user: PlainID) -> PlainVerdict {
    guard let row, mutation.firstSent >= row.retention else { return .decided(.unknown) }
    if mutation.isVoid { return .decided(.voided) }
    guard let changes = mutation.changes else { return .decided(.rejected("invalid")) }
    let before = self
    do throws(PlainRejection) {
      if changes.hasTooManyFiles { throw PlainRejection(code: "tooLarge") }
      if !changes.files.isEmpty, let role = member(user)?.role, !access.letsBringFiles(role) {
        throw PlainRejection(code: "forbidden")
      }
      // An owner's delete of the root ends the queue, whether a root is there or not.
      let ends =
        member(user)?.role == .owner && !effects.queue.isReservedForHome
        && changes.objects.contains { $0.object == effects.queue && $0.isDelete }
      let root = object(effects.queue)?.live
      let isFounder = member(user)?.by == user
      let found = try apply(changes.objects, by: user)
      if ends {
        let missing = changes.files.filter { !hasFile($0) }
        if !changes.members.isEmpty { throw PlainRejection(code: "invalid") }
        self = before
        if !missing.isEmpty { return .waits(missing) }
        end()
        return .decided(.applied)
      }
      let hasMembers = try applyMembers(of: changes, by: user, root)
      let hasLinks = try applyLinks(of: changes, by: user, isFounder: isFounder, root)
      for object in found where self.object(object)?.live != nil {
        for file in changes.files { note(.named(file, by: PlainNaming(object: object, tag: 0))) }
      }
      let missing = changes.files.filter { !hasFile($0) }
      if !missing.isEmpty {
        self = before
        return .waits(missing)
      }
      // A member has joined already.
      let isDone = !found.isEmpty || hasMembers || hasLinks || changes.join != nil
      return .decided(isDone ? .applied : .noEffect)
    } catch {
      self = before
      return .decided(.rejected(error.code))
    }
  }

  /// Applies changes, all of which see the state before them. Returns the objects of those that found what they needed.
  private mutating func apply(_ changes: [PlainChange], by user: PlainID) throws(PlainRejection) -> [PlainID] {
    let before = changes.map { object($0.object) }
    var found: [PlainID] = []
    guard let role = member(user)?.role else { return [] }
    for (change, before) in zip(changes, before) {
      let allowed = access.allowed(
        change, on: before?.live, by: user, as: role, in: effects.queue, of: row?.schema ?? "")
      guard let change = allowed, !change.isReserved(before) else { throw PlainRejection(code: "forbidden") }
      try change.check(before, in: effects.queue)
      switch change.action {
      case .delete where before?.live != nil:
        found.append(change.object)
        put(nil, as: change.object)
      case .delete: break
      case .patch(let patch):
        guard var live = before?.live else { continue }
        found.append(change.object)
        live.content = try patch.result(on: live.content)
        live.newestBy = change.newestBy ?? live.newestBy
        if live != before?.live { put(live, as: change.object) }
        name(change.files, by: change.object, adding: false)
      case .create(let type, let patch, let revival):
        if let before, before.live == nil, !isPut(over: before, revival) { continue }
        found.append(change.object)
        var live = before?.live ?? PlainLive(type: type, content: [], newestBy: nil, createdBy: user)
        live.content = try patch.result(on: live.content)
        live.newestBy = live.newestBy ?? change.newestBy
        if live != before?.live { put(live, as: change.object) }
        name(change.files, by: change.object, adding: before?.live != nil)
      }
    }
    return found
  }

  /// Whether a create replaces a tombstone.
  private func isPut(over tombstone: PlainObject, _ revival: PlainRevival) -> Bool {
    if revival.isReviving { return true }
    guard let seen = revival.seen else { return false }
    return seen.history != history || tombstone.revision <= seen.cursor
  }

  /// Applies changes of members. Returns whether a member came, went, or got another role. `root` is that of the queue
  /// before the mutation.
  private mutating func applyMembers(
    of changes: PlainChanges, by user: PlainID, _ root: PlainLive?
  ) throws(PlainRejection) -> Bool {
    let before = members
    var after = before
    let founders = Set(before.filter { $0.value.by == $0.key }.keys)
    for change in changes.members {
      guard access.allows(change, by: user, after, founders, root) else {
        throw PlainRejection(code: "forbidden")
      }
      let hadOwner = after.values.contains { $0.role == .owner }
      switch change.action {
      case .follow(let role) where after[change.user] == nil:
        // A member who is taken out and in again by one operation has not left.
        after[change.user] =
          before[change.user] ?? PlainMember(role: role, grant: newGrant(of: change.user), by: user, since: time)
        after[change.user]?.role = role
      case .follow: break
      case .role(let role): after[change.user]?.role = role
      case .unfollow: after[change.user] = nil
      }
      let hasOwner = after.values.contains { $0.role == .owner }
      if hadOwner, !hasOwner, !after.isEmpty { throw PlainRejection(code: "lastOwner") }
    }
    var changed: [PlainID] = []
    for member in changes.members.map(\.user) where after[member] != before[member] && !changed.contains(member) {
      changed.append(member)
    }
    guard !changed.isEmpty else { return false }
    if effects.queue.isReservedForHome { throw PlainRejection(code: "forbidden") }
    for member in changed { put(after[member], as: member) }
    return true
  }

  /// Applies changes of links, by the role that the sender has after the changes of members. Returns whether a link came
  /// or went. `root` is that of the queue before the mutation.
  private mutating func applyLinks(
    of changes: PlainChanges, by user: PlainID, isFounder: Bool, _ root: PlainLive?
  ) throws(PlainRejection) -> Bool {
    if changes.links.isEmpty { return false }
    guard let role = member(user)?.role, effects.queue.isVersion4 else {
      throw PlainRejection(code: "forbidden")
    }
    let sender = PlainSender(user: user, role: role, isCreator: isFounder)
    var hasEffect = false
    for change in changes.links {
      guard access.allowsLink(to: change.opened?.role, by: sender, root) else {
        throw PlainRejection(code: "forbidden")
      }
      let id = PlainID.link(change.hash, in: effects.queue)
      switch (change.opened, object(id)?.live) {
      case (let link?, nil):
        put(PlainLive(type: PlainLink.type, content: link.content, newestBy: nil, createdBy: user), as: id)
      // Another object may have the id that a hash gives. It is no link, and nobody closes it.
      case (nil, let live?) where live.type == PlainLink.type: put(nil, as: id)
      default: continue
      }
      hasEffect = true
    }
    return hasEffect
  }
}

extension PlainChanges {
  /// Whether an operation names more files than it may, or makes the server note more than it may.
  fileprivate var hasTooManyFiles: Bool {
    let named = objects.flatMap(\.files).map(\.hashes.count).reduce(0, +)
    return files.count + named > 10_000 || files.count * objects.count + named > 100_000
  }
}

extension PlainChange {
  fileprivate var isDelete: Bool { if case .delete = action { true } else { false } }

  /// Whether a change is one of a type that belongs to the server alone.
  fileprivate func isReserved(_ before: PlainObject?) -> Bool {
    if before?.live?.type.hasPrefix("sync.") == true { return true }
    guard case .create(let type, _, _) = action else { return false }
    return type.hasPrefix("sync.")
  }

  fileprivate func check(_ before: PlainObject?, in queue: PlainID) throws(PlainRejection) {
    if let content, before?.live.map({ Array(SHA256.hash(data: $0.content)) }) != content {
      throw PlainRejection(code: "conditionFailed")
    }
    if mustBeAbsent, before?.live != nil { throw PlainRejection(code: "conditionFailed") }
    guard case .create(let type, _, _) = action else { return }
    if !type.isTypeName || before?.live.map({ $0.type != type }) == true { throw PlainRejection(code: "invalid") }
    // The root has the queue's id; a home queue has no root. The id of every other object must be bound to the queue.
    let isRoot = object == queue && !queue.isReservedForHome
    if !isRoot && !object.isBound(to: queue) { throw PlainRejection(code: "invalid") }
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

extension [UInt8] {
  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
