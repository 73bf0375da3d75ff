// Holds each transaction of the server against the model: what it must do, and what it did.

import SyncProtocol
import SyncServer
import WireFormat

extension Referee {
  /// Asked at the end of each transaction, before SQLite commits it, alone or with others. Reports where it differs
  /// from the model, and returns what the model does once it is committed.
  func judge(_ record: TransactionRecord, on queue: QueueID, in transaction: any QueueSnapshot) throws -> PlainEffects {
    showTaken()
    let effects = effects(of: record, on: PlainID(queue))
    let duties = record.newDuties.map(PlainDuty.init)
    if duties != effects.newDuties { report("it owes home queues \(duties), not \(effects.newDuties)") }
    if let difference = try difference(of: effects, record, in: transaction) {
      report("in a transaction \(difference)")
    }
    return effects
  }

  private func effects(of record: TransactionRecord, on queue: PlainID) -> PlainEffects {
    let choices = record.choices
    if let duty = record.doneDuty {
      return model.effects(of: PlainDuty(duty), at: record.time, choices)
    }
    var transaction = PlainTransaction(queue, in: model, at: record.time, choices)
    let served = ServedRequest.current
    switch served?.call {
    case .request(.commits(let commits))?:
      guard served?.decided.contains(queue) == false, let commit = commits.first(where: { $0.place.queue == queue })
      else { break }
      let decision = decide(commit, at: record.time, choices)
      served?.decisions[queue] = decision.answer
      return decision.effects
    case .request(.delta)?:
      // A delta writes only where its user's home queue is born.
      return model.effects(ofAskingFor: queue, by: served?.asker ?? .nobody, at: record.time, choices)
    case .forgetTombstones(queue, let revision)?: transaction.forgetTombstones(upTo: revision)
    case .forgetOutcomes(queue, let time)?: transaction.forgetOutcomes(before: time)
    case .file?: takeFiles(record, for: served, &transaction)
    case .upkeep(let rules)?: transaction.forget(record.forgetting, rules)
    default: break
    }
    return transaction.effects
  }

  private func decide(_ commit: PlainCommit, at time: Int64, _ choices: PlainChoices) -> PlainDecision {
    var choices = choices
    if world.plan.isCrowded { choices.mutations = 2 }
    return commit.decide(by: ServedRequest.current?.asker ?? .nobody, in: model, at: time, choices)
  }

  /// Describes where the database differs from what the model makes of it, among everything that either has touched.
  func difference(
    of effects: PlainEffects, _ record: TransactionRecord, in snapshot: any QueueSnapshot
  ) throws -> String? {
    let (id, before) = (QueueID(effects.queue), model.queues[effects.queue])
    var (objects, outcomes, members) = (
      Set(effects.objects.keys),
      Set(effects.outcomes.keys).union(effects.outcomesGone + record.outcomesGone.map { PlainID($0) }),
      Set(effects.members.keys)
    )
    for put in record.puts {
      switch put {
      case .object(let object, id): objects.insert(PlainID(object.id))
      case .outcome(let outcome, id): outcomes.insert(PlainID(outcome.operation))
      case .membership(_, let user, id): members.insert(PlainID(user))
      case .queue(_, id), .tombstonesGone(id, _), .outcomesGone(id, _), .membersGone(id): break
      default: return "something is put into another queue: \(put)"
      }
    }
    // Objects of a queue that has ended are served to nobody, and go later.
    if effects.endsQueue { objects = [] }
    for object in objects {
      let found = try snapshot.object(UUIDValue(object), in: id).map(PlainObject.init)
      let expected = effects.objects[object] ?? before?.objects[object]
      if found != expected { return "\(id.short) has \(object): \(words(found)), not \(words(expected))" }
    }
    for user in members {
      let found = try snapshot.membership(of: UserID(user), in: id).map(PlainMember.init)
      let expected = effects.members[user] ?? before?.members[user]
      if found != expected { return "\(id.short) has member \(user): \(words(found)), not \(words(expected))" }
    }
    if record.mark != nil || record.marksGone != nil {
      var expected = before
      if let mark = effects.mark { expected?.marks.append(mark) }
      if let time = effects.marksGone { expected?.forgetMarks(upTo: time) }
      let found = try snapshot.marks(of: id).map(PlainMark.init)
      if found.reversed() != expected?.marks ?? [] {
        return "\(id.short) has marks \(found), not \(words(expected?.marks))"
      }
    }
    if record.notedTime?.millisecondsSince1970 != effects.notedTime {
      return "the time \(words(record.notedTime)) is noted, not \(words(effects.notedTime))"
    }
    let stored = outcomes.isEmpty ? [] : try snapshot.outcomes(of: outcomes.map { OperationID($0) }, in: id)
    let found = Dictionary(stored.map { (PlainID($0.operation), PlainOutcome($0)) }) { first, _ in first }
    for operation in outcomes {
      let isGone = effects.outcomesGone.contains(operation)
      let expected = effects.outcomes[operation] ?? (isGone ? nil : before?.outcomes[operation])
      if found[operation] != expected {
        return "\(id.short) says of \(operation): \(words(found[operation])), not \(words(expected))"
      }
    }
    let files = Set((record.files.map(\.hash) + record.named).map(\.bytes)).union(
      before?.files.touched(by: effects.files) ?? [])
    if !files.isEmpty, !effects.endsQueue {
      var expected = before?.files
      for step in effects.files { expected?.take(step) }
      if let difference = try difference(ofFiles: files, expected, in: id, snapshot) { return difference }
    }
    // The row comes last: it sums up the rest, so a difference in it says less.
    let row = try snapshot.queue(id).map(PlainRow.init)
    if row != effects.row { return "\(id.short) is \(words(row)), not \(words(effects.row))" }
    return nil
  }

  func words<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nothing" }
}

extension TransactionRecord {
  /// The grants, which the server has drawn at random.
  fileprivate var choices: PlainChoices {
    var choices = PlainChoices()
    for case .membership(let membership?, let user, _) in puts {
      choices.grants[PlainID(user)] = PlainID(membership.grant)
    }
    return choices
  }
}
