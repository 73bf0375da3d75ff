// Finds operations that depend on others, and creates of objects that the user has deleted before. Pure.

import SyncProtocol
import WireFormat

extension Outbox {
  /// Marks creates of objects that a pending operation deletes: they put the object back, although a delete wins over
  /// the creates of others. Also if that delete was taken back, because the server may have applied it.
  func reviving(_ changes: OperationChanges) -> OperationChanges {
    var changes = changes
    for (index, change) in changes.objects.enumerated() {
      guard case .create(let type, let patch, var revival) = change.action,
        overlay[change.object]?.changes.contains(where: \.change.isDelete) == true
      else { continue }
      revival.isReviving = true
      changes.objects[index].action = .create(type: type, patch, revival)
    }
    return changes
  }

  /// The operations that leave together with one that is taken back: later ones on its objects or declared to come
  /// after it, and those that depend on these in turn. All later ones of its queue, if it creates the root.
  func later(than number: Int64) -> [Int64] {
    guard let first = operations[number] else { return [] }
    var taken: Set<Int64> = [number]
    var names: Set<OperationID> = [first.id]
    var ids = Set(first.changes.orderedObjects)
    let isRoot = first.queue.map { createdOnly(by: number, isConfirmed).contains($0.root) } ?? false
    for other in numbers where other > number {
      guard let operation = operations[other] else { continue }
      let touched = operation.changes.orderedObjects
      if isRoot && operation.queue == first.queue || touched.contains(where: ids.contains)
        || operation.dependencies.contains(where: names.contains)
      {
        taken.insert(other)
        names.insert(operation.id)
        ids.formUnion(touched)
      }
    }
    return taken.subtracting([number]).sorted()
  }

  /// The unsent operations that depend on `leaving` ones, each with the one of `leaving` to blame. They were declared
  /// to come after it, or change an object that only it would have created. Every operation of a queue depends on the
  /// create of the queue's root.
  ///
  /// Only declared dependents of `withoutEffect` ones are included, because somebody may have put their objects there
  /// again. `isConfirmed` says whether an object is part of confirmed state by now. Walks over the outbox once, however
  /// many leave, because the main thread waits meanwhile.
  func dependents(
    of leaving: Set<Int64>, withoutEffect: Set<Int64> = [], isConfirmed: (UUIDValue) -> Bool
  ) -> [Int64: Int64] {
    guard let first = leaving.min() else { return [:] }
    var taken: [Int64: Int64] = [:]
    // Operations that do not happen, and objects that nobody creates, each with the one of `leaving` to blame.
    var names: [OperationID: Int64] = [:]
    var missing: [UUIDValue: Int64] = [:]
    for number in numbers.drop(while: { $0 < first }) {
      guard let operation = operations[number] else { continue }
      if leaving.contains(number) { names[operation.id] = number }
      if leaving.contains(number), !withoutEffect.contains(number) {
        for id in createdOnly(by: number, isConfirmed) { missing[id] = number }
        continue
      }
      let created = operation.changes.objects.filter { $0.isCreate && !isConfirmed($0.object) }.map(\.object)
      if !operation.isSent, let cause = cause(of: operation, missing, creating: created, names) {
        taken[number] = cause
        names[operation.id] = cause
        for id in created { missing[id] = cause }
      } else {
        // This operation stays, and creates them.
        for id in created { missing[id] = nil }
      }
    }
    return taken
  }

  private func cause(
    of operation: OutboxEntry, _ missing: [UUIDValue: Int64], creating created: [UUIDValue],
    _ names: [OperationID: Int64]
  ) -> Int64? {
    let root = operation.queue.map { [$0.root] } ?? []
    for id in operation.changes.objects.map(\.object) + root {
      if let cause = missing[id], !created.contains(id) { return cause }
    }
    return operation.dependencies.lazy.compactMap { names[$0] }.first
  }

  func createdOnly(by number: Int64, _ isConfirmed: (UUIDValue) -> Bool) -> Set<UUIDValue> {
    var ids: Set<UUIDValue> = []
    for change in operations[number]?.changes.objects ?? [] where change.isCreate && !isConfirmed(change.object) {
      let isCreatedBefore = (overlay[change.object]?.changes ?? []).contains {
        $0.operation < number && $0.isShown && $0.change.isCreate
      }
      if !isCreatedBefore { ids.insert(change.object) }
    }
    return ids
  }

  func isConfirmed(_ id: UUIDValue) -> Bool { overlay[id]?.confirmed != nil }

  /// The last pending operation that creates an object, even if it was taken back since.
  func creation(of id: UUIDValue) -> OutboxEntry? {
    (overlay[id]?.changes.last { $0.change.isCreate }).flatMap { operations[$0.operation] }
  }

  /// Whether a pending operation creates the unconfirmed root of the queue, even if a later one ends the queue; or lets
  /// the user in.
  func isMade(_ queue: QueueID) -> Bool {
    !isConfirmed(queue.root) && creation(of: queue.root) != nil || pendingDoor(of: queue) != nil
  }
}

// Operations that let the user in.
extension Outbox {
  /// The first operation without an outcome that lets the user into a queue: by a link, or as the create of the root of
  /// a queue with an identity.
  func pendingDoor(of queue: QueueID) -> OutboxEntry? { doors(of: queue).first { $0.outcome == nil } }

  /// Whether an operation lets the user into a queue of which the server has just told these outcomes, and no others.
  func hasDoor(of queue: QueueID, besides outcomes: [OperationOutcome]) -> Bool {
    doors(of: queue).contains { door in
      !outcomes.contains { $0.operation == door.id && $0.isFinal(forAttempt: door.attempt) }
    }
  }

  private func doors(of queue: QueueID) -> [OutboxEntry] {
    (queues[queue]?.doors ?? []).sorted().compactMap { operations[$0] }
  }
}

extension OperationChanges {
  /// The change that creates the root of the queue; nil if there is none.
  func creation(of queue: QueueID) -> ObjectChange? { objects.first { $0.object == queue.root && $0.isCreate } }

  /// Whether they let their user into the queue.
  func letUserIn(to queue: QueueID) -> Bool { join != nil || queue.isDerived && creation(of: queue) != nil }
}

extension ObjectChange {
  var isCreate: Bool {
    if case .create = action { true } else { false }
  }

  var isDelete: Bool {
    if case .delete = action { true } else { false }
  }
}
