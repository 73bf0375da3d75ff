// Operations that depend on failed ones fail too, and are reported: beside those that a settlement decides.

import ModelTypes
import SyncProtocol
import WireFormat

extension StoreMemory {
  /// While a settlement is written the user goes on, and may build on what does not happen.
  func builtMeanwhile(
    on settlement: Settlement, _ failures: [UUIDValue: StoreError], _ arrived: ArrivedObjects
  ) -> [Int64: String] {
    guard !failures.isEmpty else { return [:] }
    let reasons = settlement.leaving.compactMap { number in
      outbox.operations[number].flatMap { failures[$0.id] }.map { (number, $0.code) }
    }
    let causes = causes(
      of: Set(reasons.map(\.0)), withoutEffect: Set(reasons.filter { $0.1 == .noEffect }.map(\.0))
    ) { id in arrived[id].map { $0.live != nil } ?? (outbox.objects[id]?.confirmed != nil) }
    let leaving = Set(settlement.leaving)
    return causes.filter { !leaving.contains($0.key) }
  }

  /// Operations that depend on some that do not happen, each with the name of the one to blame; asked while these are in the
  /// outbox.
  func causes(
    of failed: Set<Int64>, withoutEffect: Set<Int64> = [], isConfirmed: (UUIDValue) -> Bool
  ) -> [Int64: String] {
    outbox.dependents(
      of: failed, withoutEffect: withoutEffect, isUnderWay: sync.isUnderWay, isConfirmed: isConfirmed
    )
    .mapValues { outbox.operations[$0]?.name ?? "" }
  }

  /// Operations whose dependency did not happen, and is not waited for any more: a crash has kept that from being told, or
  /// it was retired and is reported now.
  @discardableResult
  mutating func failWhatWasLeftBehind() -> Set<UUIDValue> {
    let failed = Dictionary(attention.map { ($0.id, $0) }) { first, _ in first }
    guard !failed.isEmpty else { return [] }
    var causes: [Int64: String] = [:]
    for (number, operation) in outbox.operations where operation.outcome == nil {
      let isUnderWay = sync.isUnderWay(operation)
      // A history that has it has what it was sent after, too: it did not happen either, and is not to be sent again.
      let isLost = sync.wasSentInALostHistory(operation) && !operation.isVoided
      let cause = operation.dependencies.lazy.compactMap { failed[$0] }
        .first { !isUnderWay || isLost && $0.hasCertainlyFailed }
      if let cause { causes[number] = cause.name }
    }
    let others = self.causes(of: Set(causes.keys)) { outbox.objects[$0]?.confirmed != nil }
    causes.merge(others) { first, _ in first }
    return fail(causes)
  }

  /// Takes out what depends on operations that do not happen, and reports it; returns the objects.
  mutating func fail(_ causes: [Int64: String]) -> Set<UUIDValue> {
    guard !causes.isEmpty else { return [] }
    // An operation that never leaves the device happens once it is being saved: too late.
    let numbers = causes.keys.filter { outbox.operations[$0]?.queue != nil || saves.operations.contains($0) }.sorted()
    let items = numbers.compactMap { number in
      outbox.operations[number].map { AttentionItem($0, .notBuilt(on: causes[number] ?? "")) }
    }
    return fail(items, saving: .reportsAndRemovals)
  }
}

extension AttentionItem {
  /// The server's present history does not have it.
  fileprivate var hasCertainlyFailed: Bool { reason.code != .unknownOutcome && reason.code != .damaged }
}
