// Compares a state of the oracle with the content of a disk.

import ModelSupport

extension StoreState {
  /// Describes a difference between this state and a disk; nil if the disk holds this state.
  func difference(from image: StoreImage, _ queue: QueueID) -> (() -> String)? {
    if let difference = outboxDifference(image.operations) { return difference }
    let cursor = image.cursors[queue] ?? 0
    if cursor != self.cursor { return { "the cursor is \(cursor), not \(self.cursor)" } }
    if image.failedOperations.count != Set(image.failedOperations).count { return { "an operation is reported twice" } }
    if Set(image.failedOperations) != reported {
      return { "\(image.failedOperations.map(\.short)) are reported, not \(reported.map(\.short))" }
    }
    let tombstones = Dictionary(uniqueKeysWithValues: tombstones.map { ($0.key.rawValue, $0.value) })
    if image.tombstones != tombstones {
      return { "the deletes that are kept are \(image.tombstones), not \(tombstones)" }
    }
    return rowDifference(image.objects)
  }

  private func outboxDifference(_ operations: [StoreImage.Operation]) -> (() -> String)? {
    if operations.map(\.id) != pending.map(\.id) {
      return { "the outbox is \(operations.map(\.id.short)), not \(pending.map(\.id.short))" }
    }
    for (found, expected) in zip(operations, pending) {
      let outcome = expected.outcome.map { ($0.status.name, $0.at) }
      guard found.isSent == expected.isSent, found.isVoided == expected.isVoided, found.outcome == outcome?.0,
        found.outcomeAt == outcome?.1
      else { return { "of an operation the disk has \(found), not \(expected)" } }
    }
    return nil
  }

  private func rowDifference(_ rows: [UUIDValue: StoreImage.Object]) -> (() -> String)? {
    if rows.count != confirmed.count + drafts.count {
      return { "there are \(rows.count) rows, not \(confirmed.count + drafts.count)" }
    }
    for (id, row) in rows {
      if row.type == Draft.modelName {
        let text = (try? Draft(id: ObjectID(id), blob: row.content))?.text
        if text == nil || text != drafts[ObjectID(id)] { return { "the draft \(id) is \(text ?? "unreadable")" } }
      } else {
        let value = (try? Note(id: ObjectID(id), blob: row.content)).map(NoteValue.init)
        if value == nil || value != confirmed[ObjectID(id)] {
          return { "the row \(id) is \(value as Any), not \(confirmed[ObjectID(id)] as Any)" }
        }
      }
    }
    return nil
  }
}

extension OperationID {
  /// Enough characters to tell the operations of a run apart.
  var short: String { String(description.prefix(4)) }
}

extension OperationOutcome.Status {
  /// The name that the store writes (docs/formats/store-layout.md).
  fileprivate var name: String {
    switch self {
    case .applied: "applied"
    case .noEffect: "noEffect"
    case .rejected: "rejected"
    case .voided: "voided"
    case .unknown: "unknown"
    }
  }
}
