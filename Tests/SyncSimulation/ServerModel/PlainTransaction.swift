// One transaction on one queue: the state before it, and its effects.

/// The effects of a transaction: worked out first, applied once the server has committed it.
struct PlainEffects {
  let queue: PlainID
  let time: Int64
  /// Nil if the queue is there neither before nor after.
  var row: PlainRow?
  var objects: [PlainID: PlainObject] = [:]
  var outcomes: [PlainID: PlainOutcome] = [:]
  var members: [PlainID: PlainMember?] = [:]
  var newDuties: [PlainDuty] = []
  var doneDuty: PlainDuty?
  var tombstonesGone: Int64?
  var outcomesGone: [PlainID] = []
  var notedTime: Int64?
  var mark: PlainMark?
  /// Marks up to this time are forgotten.
  var marksGone: Int64?
  /// In the order in which they happen.
  var files: [PlainFiles.Step] = []
  var endsQueue = false
  /// The members when the queue ended, including those whom the same transaction has taken in.
  var former: Set<PlainID> = []

  init(queue: PlainID, at time: Int64) { (self.queue, self.time) = (queue, time) }
}

/// The server's random choices. The model can only take them over.
struct PlainChoices {
  /// By user.
  var grants: [PlainID: PlainID] = [:]
  /// How many mutations of a commit are looked at; the others are skipped.
  var mutations = Int.max
}

struct PlainTransaction {
  let before: PlainQueue?
  let time: Int64
  private let choices: PlainChoices
  /// The server's history.
  let history: PlainID?
  /// The table of the queue's schema. A queue that is born by this transaction has its asker's.
  private(set) var access: PlainAccess
  private let tables: [String: PlainAccess]
  var effects: PlainEffects

  init(_ queue: PlainID, in server: PlainServer, at time: Int64, _ choices: PlainChoices) {
    before = server.queues[queue]
    (self.time, self.choices) = (time, choices)
    access = server.access(to: queue)
    (tables, history) = (server.access, server.history)
    effects = PlainEffects(queue: queue, at: time)
    effects.row = before?.row
  }

  var row: PlainRow? {
    get { effects.row }
    set { effects.row = newValue }
  }

  func object(_ id: PlainID) -> PlainObject? { effects.objects[id] ?? before?.objects[id] }
  func outcome(_ id: PlainID) -> PlainOutcome? { effects.outcomes[id] ?? before?.outcomes[id] }

  func member(_ user: PlainID) -> PlainMember? {
    if let changed = effects.members[user] { return changed }
    return before?.members[user]
  }

  var members: [PlainID: PlainMember] {
    var members = before?.members ?? [:]
    for (user, member) in effects.members { members[user] = member }
    return members
  }

  /// The rights to objects of a type in the app of an asker; nil if its table does not have the type.
  func rights(of type: String, for asker: PlainAsker) -> PlainRights? { tables[asker.schema]?.types[type] }

  /// Puts an object, or a tombstone for nil, with the next revision of the queue.
  mutating func put(_ live: PlainLive?, as id: PlainID) {
    guard var row else { return }
    row.head += 1
    var live = live
    if live != nil {
      row.newest = max(time, row.newest + 1)
      live?.createdAt = object(id)?.live?.createdAt ?? row.newest
      live?.updatedAt = row.newest
    }
    let after = PlainObject(revision: row.head, live: live)
    row.digest.remove(id, object(id))
    row.digest.add(id, after)
    effects.objects[id] = after
    if live == nil { note(.deleted(id)) }
    self.row = row
  }

  /// Puts an object that the server itself writes, unless it says the same already.
  mutating func putOwn(_ live: PlainLive?, as id: PlainID) {
    let before = object(id)?.live
    if live.map({ !$0.says(before) }) ?? (before != nil) { put(live, as: id) }
  }

  /// Puts a membership, with its duty and its member's object. `isHome`: a home queue has neither for its own member.
  mutating func put(_ member: PlainMember?, as user: PlainID, isHome: Bool = false) {
    effects.members[user] = .some(member)
    if isHome { return }
    // Members are objects of the queue too.
    let object = PlainID.member(user, in: effects.queue)
    let live = member.map { member in
      PlainLive(
        type: "sync.member", content: member.content(of: user), newestBy: nil, createdBy: member.by)
    }
    putOwn(live, as: object)
    owe(user)
  }

  /// Adds a duty to show a changed membership in the home queue of its user.
  private mutating func owe(_ user: PlainID) {
    effects.newDuties.append(PlainDuty(user: user, queue: effects.queue, head: row?.head ?? 0))
  }

  /// Stores the outcome of a mutation.
  @discardableResult
  mutating func decide(_ mutation: PlainMutation, _ status: PlainOutcome.Status) -> PlainOutcome {
    // 400 days at most, as the protocol says.
    let dated = max(time, min(mutation.firstSent, time + 400 * 86_400_000))
    let outcome = PlainOutcome(status: status, at: row?.head ?? 0, time: dated, attempt: mutation.attempt)
    effects.outcomes[mutation.operation] = outcome
    return outcome
  }

  mutating func beBorn(of asker: PlainAsker) {
    let user = asker.user
    row = PlainRow(schema: asker.schema)
    access = tables[asker.schema] ?? PlainAccess()
    put(
      PlainMember(role: .owner, grant: newGrant(of: user), by: user, since: time), as: user,
      isHome: effects.queue == asker.home)
  }

  /// Zero, which is no grant, if the server has not drawn another one.
  func newGrant(of user: PlainID) -> PlainID {
    choices.grants[user].flatMap { $0 == before?.members[user]?.grant ? nil : $0 } ?? .zero
  }

  /// Ends the queue, because its root is deleted.
  mutating func end() {
    let last = members.keys.sorted()
    effects.endsQueue = true
    effects.former = Set(members.keys)
    (effects.objects, effects.files) = ([:], [])
    // Members whom the same transaction has taken out are noted already.
    for user in members.keys { effects.members[user] = .some(nil) }
    row?.head += 1
    for user in last { owe(user) }
    row?.digest = PlainDigest()
    row?.isEnded = true
  }

  // Upkeep.
  mutating func forgetTombstones(upTo revision: Int64) {
    guard let row, revision > row.floor, revision <= row.head else { return }
    self.row?.floor = revision
    effects.tombstonesGone = revision
  }

  mutating func forgetOutcomes(before time: Int64) {
    guard let row, time > row.retention else { return }
    self.row?.retention = time
    effects.notedTime = max(time, self.time)
    effects.outcomesGone = before?.outcomes.filter { $0.value.time < time }.map(\.key) ?? []
  }

  /// Forgets outcomes from before `time` among these. Operations first sent before it are not applied any more.
  mutating func forgetOutcomes(_ operations: [PlainID], before time: Int64) {
    guard !operations.isEmpty, let row else { return }
    self.row?.retention = max(row.retention, time)
    effects.outcomesGone = operations.filter { id in outcome(id).map { $0.time < time } ?? false }
  }

  mutating func note(_ step: PlainFiles.Step) { effects.files.append(step) }
}

extension PlainServer {
  mutating func apply(_ effects: PlainEffects) {
    if let duty = effects.doneDuty { duties.remove(duty) }
    duties.formUnion(effects.newDuties)
    if let time = effects.notedTime { notedTime = max(notedTime, time) }
    guard let row = effects.row else { return }
    if queues[effects.queue] == nil { queues[effects.queue] = PlainQueue(row: row) }
    queues[effects.queue]?.apply(effects, row)
  }
}

extension PlainQueue {
  fileprivate mutating func apply(_ effects: PlainEffects, _ row: PlainRow) {
    self.row = row
    if effects.endsQueue { end(with: effects.former) }
    for (id, object) in effects.objects.sorted(by: { $0.value.revision < $1.value.revision }) {
      put(object, as: id, at: effects.time)
    }
    outcomes.merge(effects.outcomes) { _, new in new }
    for (user, member) in effects.members { members[user] = member }
    if let revision = effects.tombstonesGone { forgetTombstones(upTo: revision) }
    for id in effects.outcomesGone { outcomes[id] = nil }
    if let mark = effects.mark { marks.append(mark) }
    if let time = effects.marksGone { forgetMarks(upTo: time) }
    for step in effects.files { files.take(step) }
  }
}
