// The one way out of the outbox.

import ModelTypes
import WireFormat

/// Notes of operations that leave the outbox, which the disk does not have yet.
enum Unsaved {
  /// The transaction by which they leave has said everything.
  case nothing
  /// They were never on disk, and did not happen.
  case reports
  /// Their rows are to go as well.
  case reportsAndRemovals
}

extension StoreMemory {
  /// Takes operations out, and resumes those who wait for them. Returns the objects that they touched: the caller tells
  /// observers, once for the whole step.
  mutating func leave(
    _ numbers: some Collection<Int64>, as state: (PendingOperation) -> OperationState, saving unsaved: Unsaved
  ) -> Set<UUIDValue> {
    for number in numbers {
      guard let operation = outbox.operations[number] else { continue }
      operation.record.enter(state(operation))
    }
    switch unsaved {
    case .nothing: break
    case .reports: saves.forget(numbers)
    case .reportsAndRemovals: saves.remove(numbers)
    }
    return outbox.remove(numbers)
  }

  /// The same of operations that did not happen: each is reported, with its reason.
  mutating func fail(_ items: [AttentionItem], saving unsaved: Unsaved) -> Set<UUIDValue> {
    report(items, saving: unsaved)
    let failed = items.compactMap { item in outbox.number(of: item.id).map { (number: $0, reason: item.reason) } }
    let reasons = Dictionary(failed.map { ($0.number, $0.reason) }) { first, _ in first }
    return leave(
      failed.map(\.number), as: { reasons[$0.number].map(OperationState.failed) ?? $0.record.state }, saving: unsaved)
  }
}
