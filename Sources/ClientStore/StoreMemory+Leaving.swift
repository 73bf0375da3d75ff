// The only way in which operations leave the outbox.

import WireFormat

/// The facts about leaving operations that are not on disk yet, and are to be saved.
enum Unsaved {
  /// None: the transaction by which they leave has written everything.
  case nothing
  /// Their reports. The operations were never on disk.
  case reports
  /// Their reports, and the removal of their rows.
  case reportsAndRemovals
}

extension StoreMemory {
  /// Takes operations out, and resumes their waiters.
  mutating func leave(
    _ numbers: some Collection<Int64>, as state: (OutboxEntry) -> OperationState, saving unsaved: Unsaved
  ) {
    for number in numbers {
      guard let record = records.removeValue(forKey: number), let operation = outbox.operations[number] else {
        continue
      }
      record.enter(state(operation), &effects)
      assert(!record.isAwaited, "all waiters are resumed")
    }
    switch unsaved {
    case .nothing: break
    case .reports: saves.forget(numbers)
    case .reportsAndRemovals: saves.remove(numbers)
    }
    outbox.remove(numbers)
  }

  /// Takes out operations that did not happen, and reports each with its reason.
  mutating func fail(_ items: [FailedOperation], saving unsaved: Unsaved) {
    report(items, saving: unsaved)
    let failed = items.compactMap { item in outbox.number(of: item.id).map { (number: $0, reason: item.reason) } }
    let reasons = Dictionary(failed.map { ($0.number, $0.reason) }) { first, _ in first }
    leave(
      failed.map(\.number), as: { reasons[$0.number].map(OperationState.failed) ?? $0.state }, saving: unsaved)
  }
}
