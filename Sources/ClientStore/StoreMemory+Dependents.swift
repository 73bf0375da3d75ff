// What hangs on operations that do not happen leaves as well, and is told: beside what a settlement decides.

import ModelTypes
import SyncProtocol
import WireFormat

extension StoreMemory {
  /// While a settlement is written the user goes on, and may build on what does not happen.
  mutating func failWhatWasBuiltMeanwhile(
    on settlement: Settlement, _ failures: [UUIDValue: StoreError], _ arrived: ArrivedObjects
  ) -> Set<UUIDValue> {
    guard !failures.isEmpty else { return [] }
    let reasons = settlement.leaving.compactMap { number in
      outbox.operations[number].flatMap { failures[$0.id] }.map { (number, $0.code) }
    }
    return failDependents(
      of: Set(reasons.map(\.0)), withoutEffect: Set(reasons.filter { $0.1 == .noEffect }.map(\.0)),
      except: Set(settlement.leaving)
    ) { [outbox] id in arrived[id].map { $0.live != nil } ?? (outbox.objects[id]?.confirmed != nil) }
  }

  /// Takes out what hangs on operations that do not happen, and tells of it; returns the objects. Still to be saved.
  mutating func failDependents(
    of failed: Set<Int64>, withoutEffect: Set<Int64> = [], except leaving: Set<Int64> = [],
    isConfirmed: (UUIDValue) -> Bool
  ) -> Set<UUIDValue> {
    let dependents = outbox.dependents(of: failed, withoutEffect: withoutEffect, isConfirmed: isConfirmed)
    return fail(dependents.filter { !leaving.contains($0.key) }.mapValues { outbox.operations[$0]?.name ?? "" })
  }

  /// Operations whose dependency did not happen, and is not waited for any more: a crash has kept that from being told, or
  /// it was in the tail and is reported now.
  @discardableResult
  mutating func failWhatWasLeftBehind() -> Set<UUIDValue> {
    let failed = Dictionary(attention.map { ($0.id, $0.name) }) { first, _ in first }
    guard !failed.isEmpty else { return [] }
    var causes: [Int64: String] = [:]
    for (number, operation) in outbox.operations where !operation.isSent {
      if let cause = operation.dependencies.lazy.compactMap({ failed[$0] }).first { causes[number] = cause }
    }
    let others = outbox.dependents(of: Set(causes.keys)) { [outbox] in outbox.objects[$0]?.confirmed != nil }
    causes.merge(others.mapValues { outbox.operations[$0]?.name ?? "" }) { first, _ in first }
    return fail(causes)
  }

  /// `causes`: the names of what they hang on.
  private mutating func fail(_ causes: [Int64: String]) -> Set<UUIDValue> {
    guard !causes.isEmpty else { return [] }
    // What never leaves the device happens once it is being saved: too late.
    let numbers = causes.keys.filter { outbox.operations[$0]?.queue != nil || saves.operations.contains($0) }.sorted()
    for number in numbers {
      guard let operation = outbox.operations[number] else { continue }
      let item = AttentionItem(operation, .notBuilt(on: causes[number] ?? ""))
      operation.record.enter(.failed(item.reason))
      attention.append(item)
      saves.report([item])
    }
    saves.remove(numbers)
    return outbox.remove(numbers)
  }
}
