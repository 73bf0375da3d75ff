// The effect of a delta and of outcomes on the outbox, decided before anything is written. Pure.

import ModelTypes
import SyncProtocol
import WireFormat

/// One step of confirmed state, and which operations leave the outbox by it.
struct Settlement: Sendable {
  /// The objects of the delta.
  var arrived = ArrivedObjects([])
  /// Outcomes that are new, by operation number.
  var outcomes: [(number: Int64, outcome: OperationOutcome)] = []
  /// Numbers of the operations that leave.
  var leaving: [Int64] = []
  /// Those of them that are not on disk: somebody may be about to write them.
  var leavingUnsaved: [Int64] = []
  /// Those of them that did not happen.
  var attention: [AttentionItem] = []
}

extension Settlement {
  var outcomesByNumber: [Int64: OperationOutcome] {
    Dictionary(outcomes.map { ($0.number, $0.outcome) }) { first, _ in first }
  }
}

/// Objects in the order in which they came. Of an id that came twice the last one counts.
struct ArrivedObjects: Sendable {
  private let objects: [ObjectState]
  /// Where each of them is, once somebody may look for one: of a large delta mostly nobody does.
  private var places: [UUIDValue: Int32]?

  init(_ objects: [ObjectState]) {
    self.objects = objects
  }

  /// Looking for one without it walks along them all.
  mutating func index() {
    guard places == nil else { return }
    var places: [UUIDValue: Int32] = [:]
    places.reserveCapacity(objects.count)
    for place in objects.indices { places[objects[place].id] = Int32(place) }
    self.places = places
  }

  var count: Int { objects.count }
  var ids: some Sequence<UUIDValue> { objects.lazy.map(\.id) }
  /// In their order; of an id that came twice the last one comes last.
  var all: some Sequence<ObjectState> { objects }

  func contains(_ id: UUIDValue) -> Bool { self[id] != nil }

  /// A tombstone does not say of what type it is.
  var mayChangeMembers: Bool { objects.contains { $0.live.map { $0.type == QueueMember.type } ?? true } }

  subscript(id: UUIDValue) -> ObjectState? {
    guard let places else { return objects.last { $0.id == id } }
    return places[id].map { objects[Int($0)] }
  }
}

extension Outbox {
  /// Decides what leaves: an operation whose outcome is known and whose cursor has been reached, whichever comes first.
  ///
  /// `cursor` is how far the queue has been read with this step; nil where a load of it is not complete: then nothing
  /// leaves. Sweeping takes out every object of the queue that has not arrived. Of those that are `doubted`, the outcome
  /// that is held does not count.
  func decide(
    _ settlement: inout Settlement, in queue: QueueID, outcomes: [OperationOutcome], cursor: Int64?,
    isSweeping: Bool = false, doubted: Set<Int64> = []
  ) {
    var known: [Int64: OperationOutcome] = [:]
    for number in queues[queue]?.settled ?? [] where !doubted.contains(number) {
      known[number] = operations[number]?.outcome
    }
    for outcome in outcomes {
      guard let number = number(of: outcome.operation), known[number] == nil, operations[number]?.queue == queue else {
        continue
      }
      known[number] = outcome
      settlement.outcomes.append((number, outcome))
    }
    guard let cursor else { return }
    let isConfirmed = { [arrived = settlement.arrived] (id: UUIDValue) in
      if let state = arrived[id] { return state.live != nil }
      guard let confirmed = objects[id]?.confirmed else { return false }
      return !isSweeping || confirmed.queue != queue
    }
    let decided = known.filter { $0.value.at <= cursor }
    var lost: [Int64: StoreError] = [:]
    let withoutEffect = Set(decided.keys.filter { decided[$0]?.isFailure == false })
    for (number, outcome) in decided {
      lost[number] = outcome.failure ?? loss(number, outcome, isConfirmed)
    }
    // Of those that have an outcome, that says what became of them.
    let dependents = dependents(of: Set(lost.keys), withoutEffect: withoutEffect, isConfirmed: isConfirmed)
    for (dependent, cause) in dependents where decided[dependent] == nil {
      let name = operations[cause]?.name ?? ""
      lost[dependent] = .notBuilt(on: name)
    }
    for (number, reason) in lost.sorted(by: { $0.key < $1.key }) { settlement.attention += item(number, reason) }
    settlement.leaving = Set(decided.keys).union(lost.keys).sorted()
    settlement.leavingUnsaved = settlement.leaving.filter { operations[$0]?.isSaved == false }
  }

  /// Why an operation without effect has to be told: what it made or changed is not there. One that found its work
  /// done, a second delete or the same photo once more, has lost nothing.
  private func loss(
    _ number: Int64, _ outcome: OperationOutcome, _ isConfirmed: (UUIDValue) -> Bool
  ) -> StoreError? {
    let changes = operations[number]?.changes.objects ?? []
    guard outcome.status == .noEffect, changes.contains(where: { !$0.isDelete && !isConfirmed($0.object) }) else {
      return nil
    }
    return StoreError(.noEffect, "It changed nothing: what it is about was deleted meanwhile.")
  }

  /// The operations that leave with a membership or with the queue itself: its own, and those of others built on them.
  func decideDeparture(
    _ settlement: inout Settlement, in queue: QueueID, outcomes: [UUIDValue: OperationOutcome], retention: Timestamp,
    _ reason: StoreError
  ) {
    // An end is retired once it is on disk: until then it stays, and the next refusal takes it.
    let own = numbers.filter { number in
      guard let operation = operations[number], operation.queue == queue else { return false }
      return operation.isSaved || !operation.isEnd || reason.code != .ended
    }
    var lost: [Int64] = []
    for number in own {
      guard let operation = operations[number] else { continue }
      let outcome = outcomes[operation.id] ?? operation.outcome
      if let outcome { settlement.outcomes.append((number, outcome)) }
      if let outcome, outcome.failure == nil { continue }
      if reason.code == .ended, operation.hasReachedEnd(outcome) { continue }
      let isForgotten = operation.firstSent.map { $0 < retention } ?? false
      settlement.attention += item(number, outcome?.failure ?? (isForgotten ? .unknownOutcome : reason))
      lost.append(number)
    }
    let dependents = dependents(of: Set(lost)) { objects[$0]?.confirmed != nil }.keys
      .filter { operations[$0]?.queue != queue }.sorted()
    for number in dependents {
      settlement.attention += item(
        number, StoreError(.dependency, "It was built on an operation that did not happen."))
    }
    settlement.leaving = (own + dependents).sorted()
    settlement.leavingUnsaved = settlement.leaving.filter { operations[$0]?.isSaved == false }
  }

  func hasOperations(in queue: QueueID) -> Bool { queues[queue] != nil }

  private func item(_ number: Int64, _ reason: StoreError) -> [AttentionItem] {
    guard let operation = operations[number] else { return [] }
    return [AttentionItem(operation, reason)]
  }
}

extension PendingOperation {
  /// Whether it was to end the queue that has ended now: whoever was first, its aim is reached. Not so where the server
  /// refused it, and where the user took it back.
  fileprivate func hasReachedEnd(_ outcome: OperationOutcome?) -> Bool {
    isEnd && !isVoided && (outcome == nil || outcome?.status == .unknown)
  }
}

extension AttentionItem {
  init(_ operation: PendingOperation, _ reason: StoreError) {
    self.init(
      id: operation.id, name: operation.name, parameters: operation.parameters, changes: operation.changes,
      queue: operation.queue, performedAt: operation.performedAt, reason: reason)
  }
}

extension OperationOutcome {
  /// Why it did not happen, nil where it did. Unknown counts too: what it was to make may not be there.
  var failure: StoreError? {
    switch status {
    case .applied, .noEffect: nil
    case .rejected(RejectionCode.forbidden): .forbidden
    case .rejected(RejectionCode.lastOwner): .lastOwner
    case .rejected(let code): StoreError(.rejected, "The server refused it: \(code).")
    case .voided: StoreError(.cancelled, "It was taken back in time.")
    case .unknown: .unknownOutcome
    }
  }
}

extension StoreError {
  static let unknownOutcome = StoreError(.unknownOutcome, "Whether the server applied it is not known any more.")
  static let forbidden = StoreError(.forbidden, "You are not allowed to do this: the server refused it.")
  static let lastOwner = StoreError(.lastOwner, "Somebody has to own it: make another member the owner first.")
  static func notBuilt(on name: String) -> Self {
    Self(.dependency, "It was built on \(name), which did not happen.")
  }

  static let revoked = StoreError(.revoked, "Its queue is not followed any more.")
}
