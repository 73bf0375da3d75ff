// What a store must show, and what its disk may hold: the events that are known to be on disk, and those since.

import ModelRuntime

/// Something that must never be.
struct Violation: Error, CustomStringConvertible {
  var description: String
}

/// What was done with a store, in order. What the user did reaches the disk later, but in its order: so the disk holds
/// everything known to be on it and some prefix of the rest. What sync did is on the disk when its call has returned.
struct Oracle {
  /// What shows now.
  private(set) var memory = StoreState()
  /// What is on disk for sure.
  private(set) var known = StoreState()
  /// What happened since.
  private(set) var log: [StoreEvent] = []
  /// Steps of sync whose call threw: until the next write, nobody knows whether they are on disk.
  private var doubtful: [StoreEvent] = []
  /// Operations that were on disk once.
  private(set) var saved: Set<UUIDValue> = []
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

  /// The store says that these events are on disk: so is everything before them. Looks no further than the first of
  /// the operations that failed.
  mutating func noteSaved(before failed: Set<UUIDValue> = [], _ isSaved: (StoreEvent) -> Bool) {
    let before = log.prefix { event in !(event.operation.map(failed.contains) ?? false) }
    guard !isClosed, let last = before.lastIndex(where: isSaved) else { return }
    advance(through: last)
  }

  mutating func noteAllSaved() {
    if !log.isEmpty { doubtful = [] }
    advance(through: log.count - 1)
  }

  /// Moves events to what is known, and those behind them that were on disk at once.
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

// What a disk that fails makes of it.
extension Oracle {
  /// The disk was full: a batch, which is what was performed first, is reported instead of saved, with what was built on
  /// it meanwhile.
  mutating func noteDiskFull(_ failed: Set<UUIDValue>) throws {
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

  private func builtOn(_ failed: Set<UUIDValue>) -> Set<UUIDValue> {
    var others = memory.dependents(of: failed)
    var drafts: Set<DraftID> = []
    for case .drafted(let id, let draft, _, let isNew) in log {
      if failed.contains(id), isNew { drafts.insert(draft) }
      if !failed.contains(id), drafts.contains(draft) { others.insert(id) }
    }
    return others
  }

  /// An error of the disk: the store takes nothing more, and what it had not saved has failed.
  mutating func noteClosed() {
    isClosed = true
    let events = reporting(Set(unsaved))
    memory = known
    for event in events { memory.apply(event) }
  }

  /// Operations that are in the outbox, or on drafts, and not known to be on disk.
  private var unsaved: [UUIDValue] {
    log.compactMap { event in
      switch event {
      case .performed(let operation): memory.pending.contains { $0.id == operation.id } ? operation.id : nil
      case .drafted(let id, _, _, _): id
      default: nil
      }
    }
  }

  private func reporting(_ failed: Set<UUIDValue>) -> [StoreEvent] {
    log.map { event in
      if let id = event.operation, failed.contains(id) { .reported(id) } else { event }
    }
  }
}

// What a disk may hold.
extension Oracle {
  /// The state that a disk holds; throws a `Violation` where it can be none.
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

  /// The disk with the first so many of the events whose saving is not known.
  private func held(_ count: Int, _ extra: StoreEvent?) -> StoreState {
    var state = known
    for (index, event) in log.enumerated() where index < count || event.isOnDiskAtOnce { state.apply(event) }
    if let extra { state.apply(extra) }
    return state
  }

  /// The store was opened again and holds this. Returns whether something of what the user did is gone.
  mutating func startAgain(with state: StoreState) -> Bool {
    let isLess = state.pending.count < memory.pending.count || state.drafts != memory.drafts
    (known, memory, log, doubtful, isClosed) = (state, state, [], [], false)
    saved.formUnion(state.pending.map(\.id))
    return isLess
  }
}
