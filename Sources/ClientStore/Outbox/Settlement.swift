// The effect of a delta and of outcomes on the outbox, decided before anything is written. Pure.

import SyncProtocol
import WireFormat

/// The objects and outcomes of one step, and the operations that leave the outbox by it.
struct Settlement: Sendable {
  /// The objects of the delta.
  var arrived = ArrivedObjects([])
  /// Outcomes that are new, by operation number; nil if the server has lost the outcome that was known.
  var outcomes: [(number: Int64, outcome: OperationOutcome?)] = []
  /// Operations that were sent again after a loss, and of which the server has told now whether it has them.
  var revealed: [Int64] = []
  /// Operations that waited for files, and are sent again.
  var awoken: Set<Int64> = []
  /// Numbers of the operations that leave.
  var leaving: [Int64] = []
  /// The numbers in `leaving` that are not on disk. The writer must skip them in a batch that it has not written yet.
  var leavingUnsaved: [Int64] = []
  /// Reports of the leaving operations that did not happen.
  var failedOperations: [FailedOperation] = []
}

extension Settlement {
  var outcomesByNumber: [Int64: OperationOutcome?] {
    Dictionary(outcomes.map { ($0.number, $0.outcome) }) { first, _ in first }
  }
}

/// The objects of a delta, in order. If an id came twice, the last one counts.
struct ArrivedObjects: Sendable {
  private let objects: [ObjectState]
  /// The index of each object by its id; nil until `index()`, since for a large delta mostly nobody looks one up.
  private var places: [UUIDValue: Int32]?

  init(_ objects: [ObjectState]) {
    self.objects = objects
  }

  /// Makes looking up by id fast. Without it each look-up walks over all objects.
  mutating func index() {
    guard places == nil else { return }
    var places: [UUIDValue: Int32] = [:]
    places.reserveCapacity(objects.count)
    for place in objects.indices { places[objects[place].id] = Int32(place) }
    self.places = places
  }

  var count: Int { objects.count }
  var ids: some Sequence<UUIDValue> { objects.lazy.map(\.id) }
  /// All objects in order; if an id came twice, both are here, the one that counts last.
  var all: some Sequence<ObjectState> { objects }

  func contains(_ id: UUIDValue) -> Bool { self[id] != nil }

  /// The ids that `others` has too. Walks over the smaller of the two, because the store is locked meanwhile.
  func ids(among others: some Collection<UUIDValue>) -> [UUIDValue] {
    count < others.count ? ids.filter(others.contains) : others.filter(contains)
  }

  /// Whether a member may be among the objects. A tombstone may be one, since it does not say its type.
  var mayChangeMembers: Bool { objects.contains { $0.live.map { $0.type == MemberRecord.type } ?? true } }

  subscript(id: UUIDValue) -> ObjectState? {
    guard let places else { return objects.last { $0.id == id } }
    return places[id].map { objects[Int($0)] }
  }
}

extension Outbox {
  /// Decides which operations leave: those whose outcome is known and has been reached by the cursor, whichever came
  /// first, and those that depend on failed ones.
  ///
  /// `cursor` is how far the queue has been read with this step; nil while a load is not complete, when nothing leaves.
  /// With `isSweeping`, objects of the queue that have not arrived count as deleted. New outcomes replace those that are
  /// held here, and those of `forgetting` operations are dropped.
  func decide(
    _ settlement: inout Settlement, in queue: QueueID, outcomes: [OperationOutcome], forgetting: Set<Int64> = [],
    cursor: Int64?, isSweeping: Bool = false
  ) {
    var known: [Int64: OperationOutcome] = [:]
    for number in queues[queue]?.settled ?? [] where !forgetting.contains(number) {
      known[number] = operations[number]?.outcome
    }
    settlement.outcomes += forgetting.sorted().map { ($0, nil) }
    for outcome in outcomes {
      guard let number = own(outcome, in: queue), known[number] != outcome else { continue }
      known[number] = outcome
      settlement.outcomes.append((number, outcome))
    }
    guard let cursor else { return }
    let isConfirmed = { [arrived = settlement.arrived] (id: UUIDValue) in
      if let state = arrived[id] { return state.live != nil }
      guard let confirmed = overlay[id]?.confirmed else { return false }
      return !isSweeping || confirmed.queue != queue
    }
    // An operation leaves only when the rows that show its effect are shown, which come with the cursor. If it left
    // earlier, the user would see the effect go and come back.
    let decided = known.filter { $0.value.at <= cursor }
    var lost: [Int64: StoreError] = [:]
    let withoutEffect = Set(decided.keys.filter { decided[$0]?.isFailure == false })
    for (number, outcome) in decided {
      lost[number] = outcome.failure ?? loss(number, outcome, isConfirmed)
    }
    // A dependent that is decided itself keeps its own outcome.
    let dependents = dependents(of: Set(lost.keys), withoutEffect: withoutEffect, isConfirmed: isConfirmed)
    for (dependent, cause) in dependents where decided[dependent] == nil {
      let name = operations[cause]?.name ?? ""
      lost[dependent] = .notBuilt(on: name)
    }
    for (number, reason) in lost.sorted(by: { $0.key < $1.key }) { settlement.failedOperations += item(number, reason) }
    settlement.leaving = Set(decided.keys).union(lost.keys).sorted()
    settlement.leavingUnsaved = settlement.leaving.filter { operations[$0]?.isSaved == false }
  }

  /// The reason to report an operation without effect: an object that it creates or changes is not there. Nil if it has
  /// lost nothing, as with a second delete, or a create of the same photo.
  private func loss(
    _ number: Int64, _ outcome: OperationOutcome, _ isConfirmed: (UUIDValue) -> Bool
  ) -> StoreError? {
    let changes = operations[number]?.changes.objects ?? []
    guard outcome.status == .noEffect, changes.contains(where: { !$0.isDelete && !isConfirmed($0.object) }) else {
      return nil
    }
    return StoreError(.noEffect, "It changed nothing: its object no longer exists.")
  }

  /// Decides which operations leave when the membership or the queue has ended: those of the queue, and those of other
  /// queues that depend on them.
  func decideDeparture(
    _ settlement: inout Settlement, in queue: QueueID, outcomes: [OperationID: OperationOutcome], retention: Timestamp,
    _ reason: StoreError
  ) {
    // Only an end that is on disk can be retired. Until it is saved it stays, and the next refusal takes it out.
    let own = numbers.filter { number in
      guard let operation = operations[number], operation.queue == queue else { return false }
      return operation.isSaved || !operation.isEnd || reason.code != .ended
    }
    var lost: [Int64] = []
    for number in own {
      guard let operation = operations[number] else { continue }
      let outcome = outcomes[operation.id].flatMap { self.own($0, in: queue) == nil ? nil : $0 } ?? operation.outcome
      if let outcome { settlement.outcomes.append((number, outcome)) }
      if let outcome, outcome.failure == nil { continue }
      if reason.code == .ended, operation.hasReachedEnd(outcome) { continue }
      let isForgotten = operation.firstSent.map { $0 < retention } ?? false
      settlement.failedOperations += item(number, outcome?.failure ?? (isForgotten ? .unknownOutcome : reason))
      lost.append(number)
    }
    let dependents = dependents(of: Set(lost), isConfirmed: isConfirmed).keys
      .filter { operations[$0]?.queue != queue }.sorted()
    for number in dependents {
      settlement.failedOperations += item(
        number, StoreError(.dependency, "It was built on an operation that did not happen."))
    }
    settlement.leaving = (own + dependents).sorted()
    settlement.leavingUnsaved = settlement.leaving.filter { operations[$0]?.isSaved == false }
  }

  /// The operation of an outcome; nil if it has left. One that is only for an earlier attempt does not count.
  func own(_ outcome: OperationOutcome, in queue: QueueID) -> Int64? {
    guard let number = number(of: outcome.operation), let operation = operations[number], operation.queue == queue,
      outcome.isFinal(forAttempt: operation.attempt)
    else { return nil }
    return number
  }

  func hasOperations(in queue: QueueID) -> Bool { queues[queue] != nil }

  private func item(_ number: Int64, _ reason: StoreError) -> [FailedOperation] {
    guard let operation = operations[number] else { return [] }
    return [FailedOperation(operation, reason)]
  }
}

extension OutboxEntry {
  /// Whether it was meant to end the queue, which has ended now, no matter by whom. False if the server has rejected
  /// it, or the user has taken it back: nobody wants it sent again after a loss.
  fileprivate func hasReachedEnd(_ outcome: OperationOutcome?) -> Bool {
    isEnd && !isVoided && (outcome == nil || outcome?.status == .unknown)
  }
}

extension FailedOperation {
  init(_ operation: OutboxEntry, _ reason: StoreError) {
    self.init(
      id: operation.id, name: operation.name, parameters: operation.parameters, changes: operation.changes,
      queue: operation.queue, performedAt: operation.performedAt, dependencies: operation.dependencies,
      firstSent: operation.firstSent, attempt: operation.attempt, reason: reason)
  }
}
