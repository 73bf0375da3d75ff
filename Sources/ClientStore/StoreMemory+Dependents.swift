// Operations that depend on failed ones fail too, and are reported. `Settlement` decides most; these come in addition.

import SyncProtocol
import WireFormat

extension StoreMemory {
  /// Operations that the user performed while a settlement was being written, and that depend on its failed ones; each
  /// with the name of the operation to blame.
  func builtMeanwhile(
    on settlement: Settlement, _ failures: [OperationID: StoreError], _ arrived: ArrivedObjects
  ) -> [Int64: String] {
    guard !failures.isEmpty else { return [:] }
    let reasons = settlement.leaving.compactMap { number in
      outbox.operations[number].flatMap { failures[$0.id] }.map { (number, $0.code) }
    }
    let causes = causes(
      of: Set(reasons.map(\.0)), withoutEffect: Set(reasons.filter { $0.1 == .noEffect }.map(\.0))
    ) { id in arrived[id].map { $0.live != nil } ?? outbox.isConfirmed(id) }
    let leaving = Set(settlement.leaving)
    return causes.filter { !leaving.contains($0.key) }
  }

  /// Operations that depend on `failed` ones, each with the name of the operation to blame. To be called while the
  /// failed ones are in the outbox.
  func causes(
    of failed: Set<Int64>, withoutEffect: Set<Int64> = [], isConfirmed: (UUIDValue) -> Bool
  ) -> [Int64: String] {
    outbox.dependents(of: failed, withoutEffect: withoutEffect, isConfirmed: isConfirmed)
      .mapValues { outbox.operations[$0]?.name ?? "" }
  }

  /// Fails unsent operations that were declared to come after a reported one. They are left from before a crash, or were
  /// performed while the report was written.
  mutating func failWhatWasLeftBehind() {
    let failed = Dictionary(failedOperations.map { ($0.id, $0.name) }) { first, _ in first }
    guard !failed.isEmpty else { return }
    var causes: [Int64: String] = [:]
    for (number, operation) in outbox.operations where !operation.isSent {
      causes[number] = operation.dependencies.lazy.compactMap { failed[$0] }.first
    }
    let others = self.causes(of: Set(causes.keys)) { outbox.isConfirmed($0) }
    causes.merge(others) { first, _ in first }
    fail(causes)
  }

  /// Takes the operations in `causes` out of the outbox, and reports them.
  mutating func fail(_ causes: [Int64: String]) {
    guard !causes.isEmpty else { return }
    let numbers = causes.keys.filter(mayLeave).sorted()
    let items = numbers.compactMap { number in
      outbox.operations[number].map { FailedOperation($0, .notBuilt(on: causes[number] ?? "")) }
    }
    fail(items, saving: .reportsAndRemovals)
  }

  /// False for an operation that never leaves the device and is being saved: once saved, it is confirmed.
  func mayLeave(_ number: Int64) -> Bool {
    outbox.operations[number]?.queue != nil || saves.operations.contains(number)
  }
}
