// The oracle knows what a store must show, and which states its disk may hold.

import ModelSupport

/// A broken invariant.
struct Violation: Error, CustomStringConvertible {
  var description: String
}

/// The events of a store, in order. Events of the user reach the disk later and in order, so the disk holds all known
/// events and some first ones of the log. Events of sync are on disk when their call returns.
struct Oracle {
  /// The state that the store must show now.
  private(set) var memory = StoreState()
  /// The state that is certainly on disk.
  private(set) var known = StoreState()
  /// The events after `known`.
  private(set) var log: [StoreEvent] = []
  /// Steps of sync whose call threw. Until the next write it is not known whether they are on disk.
  private var doubtful: [StoreEvent] = []
  /// Operations that were on disk once.
  private(set) var saved: Set<OperationID> = []
  private(set) var isClosed = false

  mutating func note(_ event: StoreEvent) {
    memory.apply(event)
    guard !isClosed else { return }
    log.append(event)
    if event.isOnDiskAtOnce { doubtful = [] }
    advance(through: -1)
  }

  mutating func doubt(_ event: StoreEvent) { doubtful.append(event) }

  var doubts: Int { doubtful.count }

  /// Notes that the store reports these events as saved. Everything before them is saved too. Looks only at events
  /// before the first operation that failed.
  mutating func noteSaved(before failed: Set<OperationID> = [], _ isSaved: (StoreEvent) -> Bool) {
    let before = log.prefix { event in !(event.operation.map(failed.contains) ?? false) }
    guard !isClosed, let last = before.lastIndex(where: isSaved) else { return }
    advance(through: last)
  }

  mutating func noteAllSaved() {
    if !log.isEmpty { doubtful = [] }
    advance(through: log.count - 1)
  }

  /// Moves the events up to `last` from the log into `known`, and the events of sync that follow directly.
  private mutating func advance(through last: Int) {
    var count = last + 1
    while count < log.count, log[count].isOnDiskAtOnce { count += 1 }
    guard count > 0 else { return }
    for event in log.prefix(count) {
      known.apply(event)
      if case .performed(let operation) = event { saved.insert(operation.id) }
    }
    log.removeFirst(count)
  }
}

// A failing disk.
extension Oracle {
  /// Notes that the disk was full. A batch, which holds the first operations of the log, is reported instead of saved,
  /// with all operations that depend on it. Throws a `Violation` if other operations failed.
  mutating func noteDiskFull(_ failed: Set<OperationID>) throws {
    let others = builtOn(failed)
    let first = unsaved.filter { !others.contains($0) }.prefix(failed.count)
    guard Set(first) == failed else {
      throw Violation(
        description: "the disk was full for \(failed.map(\.short)), but not for the first ones, \(first.map(\.short))")
    }
    log = reporting(failed.union(others))
    memory = known
    for event in log { memory.apply(event) }
  }

  private func builtOn(_ failed: Set<OperationID>) -> Set<OperationID> {
    var others = memory.dependents(of: failed)
    var drafts: Set<DraftID> = []
    for case .drafted(let id, let draft, _, let isNew) in log {
      if failed.contains(id), isNew { drafts.insert(draft) }
      if !failed.contains(id), drafts.contains(draft) { others.insert(id) }
    }
    return others
  }

  /// Notes an error of the disk. The store accepts nothing more, and everything that was not saved has failed.
  mutating func noteClosed() {
    isClosed = true
    let events = reporting(Set(unsaved))
    memory = known
    for event in events { memory.apply(event) }
  }

  /// Operations in the outbox, or on drafts, that are not known to be on disk.
  private var unsaved: [OperationID] {
    log.compactMap { event in
      switch event {
      case .performed(let operation): memory.pending.contains { $0.id == operation.id } ? operation.id : nil
      case .drafted(let id, _, _, _): id
      default: nil
      }
    }
  }

  private func reporting(_ failed: Set<OperationID>) -> [StoreEvent] {
    log.map { event in
      if let id = event.operation, failed.contains(id) { .reported(id) } else { event }
    }
  }
}

// The states that a disk may hold.
extension Oracle {
  /// Finds the state that a disk holds. Throws a `Violation` if it is none that the disk may hold.
  func explain(_ image: StoreImage, _ queue: QueueID) throws -> StoreState {
    var differences: [() -> String] = []
    for count in stride(from: log.count, through: 0, by: -1) {
      for extra in [nil] + doubtful {
        let state = held(count, extra)
        guard let difference = state.difference(from: image, queue) else { return state }
        differences.append {
          "with \(count) of \(log.count) unsaved events\(extra == nil ? "" : " and one that failed"), \(difference())"
        }
      }
    }
    let details = differences.map { $0() }.joined(separator: "; ")
    throw Violation(description: "invariant 3: the disk holds no state that the store was in: \(details)")
  }

  /// The state after the first `count` events of the log, all later events of sync in it, and a doubtful step.
  private func held(_ count: Int, _ extra: StoreEvent?) -> StoreState {
    var state = known
    for (index, event) in log.enumerated() where index < count || event.isOnDiskAtOnce { state.apply(event) }
    if let extra { state.apply(extra) }
    return state
  }

  /// Goes on from the state of a store that was opened again. Returns whether something that the user did is lost.
  mutating func startAgain(with state: StoreState) -> Bool {
    let isLess = state.pending.count < memory.pending.count || state.drafts != memory.drafts
    (known, memory, log, doubtful, isClosed) = (state, state, [], [], false)
    saved.formUnion(state.pending.map(\.id))
    return isLess
  }
}
