// Asked where it happens: at every outcome that the server writes.

import ClientStore
import ModelTypes
import SyncProtocol
import SyncServer
import WireFormat

extension Oracles {
  /// An operation is decided; `puts` is what it made of objects, `history` what was before.
  func check(_ outcome: OperationOutcome, _ puts: [ObjectState], in queue: UUIDValue, _ history: ServerHistory) {
    guard let operation = world.operations[outcome.operation] else { return }
    world.count("outcome \(outcome.status.name)")
    world.trace("\(operation.name) \(outcome.status.name) at \(outcome.at)")
    checkSentAfterSaved(operation)
    if case .rejected("conditionFailed") = outcome.status { conditionFailsByOthers(operation, queue, history) }
    for object in puts {
      let before = history.state.queues[queue]?.objects[object.id]
      createDestroysNothing(operation, before, object)
      appliedAtMostOnce(operation, object.id, queue, history)
      conditionHolds(operation, before, object.id)
    }
    if !puts.isEmpty { shownPhotoExists(operation, history) }
  }

  /// What a crash took, because it was not saved, has never been sent.
  private func checkSentAfterSaved(_ operation: Performed) {
    guard let device = world.devices.first(where: { $0.name == operation.author }) else { return }
    if device.record.lost.contains(operation.id), !world.clonedAuthors.contains(device.name) {
      report("sent before it was saved: \(operation.name)")
    }
  }

  /// A create of a present object takes nothing from it; no object lives without its required field.
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

  /// No operation changes an object twice.
  private func appliedAtMostOnce(
    _ operation: Performed, _ object: UUIDValue, _ queue: UUIDValue, _ history: ServerHistory
  ) {
    if world.isSilent || world.hasForgotten && world.clonedAuthors.contains(operation.author) { return }
    let isAgain = history.applied(to: object, in: queue).contains {
      $0.operation == operation.id && $0.effect == .changed
    }
    if isAgain { report("applied twice: \(operation.name)") }
  }

  /// A condition fails only if somebody else changed the object.
  private func conditionFailsByOthers(_ operation: Performed, _ queue: UUIDValue, _ history: ServerHistory) {
    guard !isExcused(operation), let conditions = history.conditions[operation.id] else { return }
    let others = conditions.contains { object, condition in
      // 0: it was not there at all when the condition was filled in.
      guard case .revision(let revision) = condition, revision > 0 else { return true }
      return history.applied(to: object, in: queue).contains {
        $0.effect == .changed && $0.revision > Int64(revision)
          && world.operations[$0.operation]?.author != operation.author
      }
    }
    if !others { report("a condition failed though nobody else changed the object: \(operation.name)") }
  }

  /// A conditional edit is applied only to the content that its author had confirmed when he sent it.
  private func conditionHolds(_ operation: Performed, _ before: ObjectState?, _ object: UUIDValue) {
    guard operation.isConditional, !isExcused(operation), let seen = operation.seen[object] else { return }
    if before?.live?.content != seen { report("a conditional edit was applied to other content: \(operation.name)") }
  }

  /// What a message shows was made before the message.
  private func shownPhotoExists(_ operation: Performed, _ history: ServerHistory) {
    guard let photo = operation.photo, world.restores == 0 else { return }
    if !history.state.queues.values.contains(where: { $0.wereLive.contains(photo) }) {
      report("a message came before the photo that it shows: \(operation.name)")
    }
  }

  /// Conditions are filled in when an operation is first sent in a history: what its author had confirmed then.
  func noteSent(_ body: [UInt8], by device: Device) {
    guard world.operations.hasConditions, let life = device.life else { return }
    let sent = life.store.outbox.filter { item in
      guard let operation = world.operations[item.id] else { return false }
      return operation.isConditional && operation.seen.isEmpty
    }
    guard !sent.isEmpty, body.mutations > 0, let rows = try? life.rows.read() else { return }
    let text = String(decoding: body, as: UTF8.self)
    for item in sent where text.contains(item.id.description) {
      guard let operation = world.operations[item.id],
        let epoch = world.server.history.state.queues[operation.queue]?.row?.epoch, text.contains(epoch.description)
      else { continue }
      for edit in operation.edits {
        world.operations.noteSeen(rows[operation.queue]?.rows[edit.object]?.content, of: edit.object, by: item.id)
      }
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

  /// What comes later on the same objects may follow.
  var isDone: Bool { self == .applied || self == .noEffect }
}
