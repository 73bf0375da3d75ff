// Steps of sync. Each one is whole or absent, whatever the disk and the user do meanwhile.

import ModelSupport
import Synchronization
import TestSupport

@testable import ClientStore

enum SyncStep {
  case send(Sending)
  /// No operation leaves if the queue is not loaded, or if the page is not the last one.
  case settle(StoreState.News?, [OperationOutcome], leaving: Bool)
  case dismiss(OperationID)

  /// The event that the step is for a store in this state.
  func event(in state: StoreState) -> StoreEvent {
    switch self {
    case .send(let sending): .sent(sending.ids)
    case .settle(let news, let outcomes, let isLeaving):
      .settled(state.settled(news, outcomes: outcomes, leaving: isLeaving))
    case .dismiss(let id): .dismissed(id)
    }
  }
}

/// The operations that a step of sending has sent. The user may cancel operations while it is under way.
final class Sending: Sendable {
  private let expected = Mutex<[OperationID]>([])
  private let sent = Mutex<[CommitRequest.Mutation]?>(nil)

  /// Notes the operations that are sent if nothing happens meanwhile; nothing more is known of a step that fails. To be
  /// called when the step begins, because operations are saved until then.
  func expect(_ operations: [OperationID]) { expected.withLock { $0 = operations } }

  func note(_ operations: [CommitRequest.Mutation]) { sent.withLock { $0 = operations } }

  var operations: [CommitRequest.Mutation] { sent.withLock { $0 ?? [] } }
  var ids: Set<OperationID> { Set(sent.withLock { $0?.map(\.operation) } ?? expected.withLock { $0 }) }
}

extension ModelStore {
  func sendable(in queue: QueueID, limit: Int) -> [OperationID] {
    memory.withLock { memory in
      guard memory.sync.place(of: queue).mayBeSentTo(isMaker: memory.outbox.isMade(queue)) else { return [] }
      return memory.outbox.sendable(in: queue, limit: limit).map(\.id)
    }
  }

  /// The deletes that the store keeps, with their revisions.
  var tombstones: [NoteID: Int64] {
    let kept = memory.withLock { $0.outbox.overlay.tombstones }
    return Dictionary(uniqueKeysWithValues: kept.map { (NoteID($0.key), $0.value.revision) })
  }
}

extension StoreSimulation {
  /// Runs a step and notes its event. A step that throws leaves everything as it was: its event is noted as doubtful,
  /// and false is returned.
  @discardableResult
  func attempt(_ step: SyncStep, _ work: @escaping @Sendable (ModelStore) async throws -> Void) throws -> Bool {
    if !isFaulty, userActsMeanwhile, random.chance(15) {
      try attemptWhileTheUserActs(step, work)
      return true
    }
    do {
      try executor.run { [store] in try await work(store) }
      oracle.note(step.event(in: oracle.memory))
      return true
    } catch is StoreError where isFaulty {
      oracle.doubt(step.event(in: oracle.memory))
      return false
    }
  }

  /// Runs a step while the user acts. That may come before the step has read the outbox, after the step is done, or
  /// between the two. Any of these orders is right.
  private func attemptWhileTheUserActs(
    _ step: SyncStep, _ work: @escaping @Sendable (ModelStore) async throws -> Void
  ) throws {
    let body: @Sendable () async throws -> Void = { [store] in try await work(store) }
    var act: StoreEvent?
    try executor.run(body, after: random.below(9)) { act = actMeanwhile(in: stateMeanwhile(step)) }
    count("the user acts meanwhile")
    guard let act else { return }
    var (before, between, after, meanwhile) = (oracle, oracle, oracle, oracle)
    before.note(act)
    before.note(step.event(in: before.memory))
    between.note(act)
    between.note(step.event(in: oracle.memory))
    after.note(step.event(in: oracle.memory))
    after.note(act)
    // The user's operation depends on one that the step was already removing. It is reported too, and saved like other
    // actions of the user.
    meanwhile.note(act)
    meanwhile.note(step.event(in: oracle.memory))
    if let id = act.operation { meanwhile.note(.reported(id)) }
    let pending = store.pendingOperations.filter { $0.queue != nil }.map(\.id)
    let reported = Set(store.failedOperations.map(\.id))
    let isUnsaved = store.memory.withLock { memory in
      memory.saves.reports.contains { $0.id == act.operation } || memory.saves.hasBatchUnderWay
    }
    let orders = isUnsaved ? [meanwhile, before, between, after] : [before, between, after]
    let tombstones = store.tombstones
    let agreeing = orders.first {
      $0.memory.pending.map(\.id) == pending && $0.memory.reported == reported && $0.memory.tombstones == tombstones
    }
    oracle = agreeing ?? after
  }

  /// The state before or after the step, depending on whether the store has done the step.
  private func stateMeanwhile(_ step: SyncStep) -> StoreState {
    var after = oracle.memory
    after.apply(step.event(in: after))
    let pending = store.pendingOperations.filter { $0.queue != nil }.map(\.id)
    let isDone = store.place(of: queue).cursor == after.cursor && pending == after.pending.map(\.id)
    return isDone ? after : oracle.memory
  }

  /// Performs an action whose effect does not depend on what the user sees at this moment. Returns its event.
  private func actMeanwhile(in state: StoreState) -> StoreEvent {
    // Often acts on a note whose create the server may be refusing just now.
    let unsure = oracle.memory.pending.filter(\.isSent).flatMap(\.effects).filter(\.effect.isCreate).map(\.note)
    let id = random.pick(unsure.isEmpty || random.chance(50) ? notes : unsure)
    if random.chance(30) {
      let value = NoteValue(title: "meanwhile", views: 3)
      let effect = NoteEffect.create(value, state.revival(of: id))
      store.create(Note(id, in: queue, value))
      return .performed(.init(id: store.pendingOperations.last!.id, effects: [.init(note: id, effect: effect)]))
    }
    let edits: [NoteEdit] = [.title("meanwhile"), .insert("\(random.below(100))")]
    let handle = store.perform(EditNotes(notes: [id], edits: edits))
    if case .failed = handle.state { return .reported(handle.id) }
    return .performed(.init(id: handle.id, effects: [.init(note: id, effect: .edit(edits))]))
  }
}
