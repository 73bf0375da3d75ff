// Oracles that are asked at every outcome which the server writes.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// Judges the outcome of an operation. `puts` are the objects as it left them, `history` is the state before it.
  func check(_ outcome: OperationOutcome, _ puts: [ObjectState], in queue: QueueID, _ history: ServerHistory) {
    guard let operation = world.operations[outcome.operation] else { return }
    world.count("outcome \(outcome.status.name)")
    world.trace("\(operation.name) \(outcome.status.name) at \(outcome.at)")
    if operation.isEnd { world.count("end of a queue: \(outcome.status.name)") }
    if let needs = operation.needs { world.count("\(needs): \(outcome.status.name)") }
    checkSentAfterSaved(operation)
    fileIsThere(operation, outcome, in: queue)
    if case .rejected("conditionFailed") = outcome.status { conditionFailsWithReason(operation, queue, history) }
    for object in puts {
      let before = history.state.queues[queue]?.objects[object.id]
      createDestroysNothing(operation, before, object)
      appliedAtMostOnce(operation, object.id, queue, history)
      conditionHolds(operation, before, object.id)
      bearsItsNumber(operation, before, object)
    }
    if outcome.status == .applied { dependenciesAreApplied(operation, history) }
    if !puts.isEmpty { shownPhotoExists(operation, history) }
  }

  /// Reports an operation that was sent although a crash took it before it was saved.
  private func checkSentAfterSaved(_ operation: Performed) {
    let owners = world.devices.filter { $0.record.performed.contains(operation.id) }
    if !owners.isEmpty, owners.allSatisfy({ $0.record.lost.contains(operation.id) }) {
      report("sent before it was saved: \(operation.name)")
    }
  }

  /// Reports a create that took something from a present object, and a live photo without its required field.
  private func createDestroysNothing(_ operation: Performed, _ before: ObjectState?, _ after: ObjectState) {
    guard let live = after.live, live.type == Photo.modelName,
      let new = try? Photo(id: ObjectID(after.id), blob: live.content)
    else { return }
    if new.owner == nil { report("a live photo without its owner: \(operation.name)") }
    guard let content = before?.live?.content, let old = try? Photo(id: ObjectID(after.id), blob: content) else {
      return
    }
    let isCreate = operation.edits.contains { $0.object == after.id && $0.kind == .create }
    if isCreate && (new.likes != old.likes || old.caption != nil && new.caption != old.caption) {
      report("a create destroyed what was there: \(operation.name)")
    }
  }

  /// Reports a photo whose `newestBy` is not its number, by which new devices load the newest photos first. The
  /// author's app sends the number along, and nobody takes it away. A photo that was forged without it has it from its
  /// first create on.
  private func bearsItsNumber(_ operation: Performed, _ before: ObjectState?, _ after: ObjectState) {
    guard let live = after.live, live.type == Photo.modelName else { return }
    let isCreate = operation.edits.contains { $0.object == after.id && $0.kind == .create }
    if let old = before?.live, !isCreate, old.newestBy == live.newestBy { return }
    let number = Photo(zeroWithID: ObjectID(after.id)).newestBy
    if live.newestBy != number {
      report("newestBy is not that of the photo: \(operation.name), \(live.newestBy.map { "\($0)" } ?? "none")")
    }
  }

  /// Reports an operation that changes an object twice, unless two devices have it and the server has forgotten an
  /// outcome.
  private func appliedAtMostOnce(
    _ operation: Performed, _ object: UUIDValue, _ queue: QueueID, _ history: ServerHistory
  ) {
    if world.hasForgotten && world.shared.contains(operation.id) { return }
    let isAgain = history.applied(to: object, in: queue).contains {
      $0.operation == operation.id && $0.effect == .changed
    }
    if isAgain { report("applied twice: \(operation.name)") }
  }

  /// Reports a condition that failed although the object is as its author saw it.
  private func conditionFailsWithReason(_ operation: Performed, _ queue: QueueID, _ history: ServerHistory) {
    let isAsSeen = operation.seen.allSatisfy { object, seen in
      history.state.queues[queue]?.objects[object]?.live?.content == seen
    }
    if isAsSeen { report("a condition failed though the object is as its author saw it: \(operation.name)") }
  }

  /// Reports a conditional edit that was applied to other content than its author saw. Compares photos as the screen
  /// shows them, because a forged one may lack fields.
  private func conditionHolds(_ operation: Performed, _ before: ObjectState?, _ object: UUIDValue) {
    guard operation.isConditional, let seen = operation.seen[object] else { return }
    let shown = before?.live.flatMap { try? Photo(id: ObjectID(object), blob: $0.content).encoded() }
    if shown != seen { report("a conditional edit was applied to other content: \(operation.name)") }
  }

  /// Reports an applied operation whose dependencies were never done. A user may try it again without them, and of what
  /// the server has lost each operation comes again by itself.
  private func dependenciesAreApplied(_ operation: Performed, _ history: ServerHistory) {
    for id in operation.after where !operation.isRetried && !history.wasDone(id) {
      guard let before = world.operations[id], !world.mayBeMissing(before) else { continue }
      report("a dependency was not kept: \(operation.name) is applied, and \(before.name) is not done")
    }
  }

  /// Reports a message that came before the photo which it shows.
  private func shownPhotoExists(_ operation: Performed, _ history: ServerHistory) {
    guard let photo = operation.photo, world.losses == 0, !operation.isRetried else { return }
    if !history.state.queues.values.contains(where: { $0.wereLive.contains(photo) }) {
      report("a message came before the photo that it shows: \(operation.name)")
    }
  }
}

extension OperationOutcome.Status {
  var name: String {
    switch self {
    case .applied: "applied"
    case .noEffect: "noEffect"
    case .rejected(let code): code
    case .voided: "voided"
    case .unknown: "unknown"
    }
  }

  /// Whether later operations on the same objects may follow.
  var isDone: Bool { self == .applied || self == .noEffect }
}
