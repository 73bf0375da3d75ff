// The user of the victim: performs without pause, and waits for the disk only sometimes.

import ModelSupport
import TestSupport

/// Used by one task.
final class VictimUser {
  private let store: ModelStore
  private let numbers: OperationNumbers
  private var random: SeededRandom
  /// The handles of operations that can be cancelled.
  private var handles: [OperationID: OperationHandle] = [:]

  init(store: ModelStore, numbers: OperationNumbers, seed: UInt64) {
    (self.store, self.numbers) = (store, numbers)
    random = SeededRandom(seed: seed)
  }

  func run() async throws {
    while !Task.isCancelled {
      for item in store.failedOperations.dropLast(10) {
        VictimLine.dismissing(item.id.operationNumber).write()
        try await store.dismiss(item)
      }
      for _ in 0...random.below(20) { try act() }
      if random.below(3) == 0 { try await store.waitUntilSaved() }
    }
  }

  private func act() throws {
    let pages = try store.objects(Page.self).map(\.id)
    let scraps = try store.objects(Scrap.self).map(\.id)
    switch random.below(100) {
    case 0..<15 where pages.count < 30: create(Page.self, .createPage)
    case 0..<20 where !pages.isEmpty: delete(pick(pages), .deletePage)
    case 0..<45 where !pages.isEmpty: mark(pick(pages), .markPages)
    case 45..<60 where pages.count > 3: markSeveral(pages)
    case 60..<66: createSeveral()
    case 66..<72: cancel()
    case 72..<75: refuse()
    case 75..<82 where scraps.count < 10: create(Scrap.self, .createScrap)
    case 75..<85 where !scraps.isEmpty: delete(pick(scraps), .deleteScrap)
    case 85... where !scraps.isEmpty: mark(pick(scraps), .markScrap)
    default: create(Scrap.self, .createScrap)
    }
  }
}

extension VictimUser {
  private func create<Object: Marked>(_: Object.Type, _ action: VictimLine.Action) {
    let number = begin(action) { [$0] }
    store.create(Object(number))
    report(number) { [store] in try await store.waitUntilSaved() }
  }

  private func mark<Object: Marked>(_ id: ObjectID<Object>, _ action: VictimLine.Action) {
    let number = begin(action) { _ in [id.number] }
    report(number, store.update(id) { $0.mark(number) })
  }

  private func delete<Object: Marked>(_ id: ObjectID<Object>, _ action: VictimLine.Action) {
    let number = begin(action) { _ in [id.number] }
    report(number, store.delete(id))
  }

  /// Performs two to four operations that are saved together. Each one marks one or more objects.
  private func markSeveral(_ pages: [Page.ID]) {
    var begun: [Int64] = []
    let operations = (0..<(2 + random.below(3))).lazy.map { _ in
      let chosen = pages.filter { _ in self.random.below(8) == 0 } + [self.pick(pages)]
      let some = Array(Set(chosen)).sorted { $0.number < $1.number }
      let number = self.begin(.markPages) { _ in some.map(\.number) }
      begun.append(number)
      return MarkPages(pages: some, number: number)
    }
    let handles = store.perform(contentsOf: operations)
    for (number, handle) in zip(begun, handles) { report(number, handle) }
  }

  private func createSeveral() {
    var begun: [Int64] = []
    store.create(
      contentsOf: (0...random.below(3)).lazy.map { _ in
        let number = self.begin(.createPage) { [$0] }
        begun.append(number)
        return Page(number)
      })
    for number in begun { report(number) { [store] in try await store.waitUntilSaved() } }
  }

  private func refuse() {
    let number = begin(.refused) { _ in [] }
    store.update(Page.id(number)) { $0.mark(number) }
    report(number) { [store] in try await store.waitUntilSaved() }
  }

  /// Cancels an operation. Later operations on its objects leave with it, so all of them are printed before.
  private func cancel() {
    let pending = store.pendingOperations.filter { $0.queue != nil }
    let ids = Set(pending.map(\.id))
    handles = handles.filter { ids.contains($0.key) }
    let own = pending.indices.filter { handles[pending[$0].id] != nil }
    guard !own.isEmpty else { return }
    let chosen = pick(own)
    var objects: Set<UUIDValue> = []
    var leaving: [OperationID] = []
    for item in pending[chosen...] {
      let touched = item.changes.objects.map(\.object)
      guard item.id == pending[chosen].id || !objects.isDisjoint(with: touched) else { continue }
      objects.formUnion(touched)
      leaving.append(item.id)
    }
    for start in stride(from: 0, to: leaving.count, by: 20) {
      VictimLine.cancelling(leaving[start...].prefix(20).map(\.operationNumber)).write()
    }
    handles[pending[chosen].id]?.cancel()
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(random.below(UInt64(elements.count)))]
  }

  private func begin(_ action: VictimLine.Action, _ objects: (Int64) -> [Int64]) -> Int64 {
    let number = numbers.next()
    VictimLine.performing(number, action, objects: objects(number)).write()
    return number
  }

  private func report(_ number: Int64, _ handle: OperationHandle) {
    handles[handle.id] = handle
    report(number) { try await handle.waitUntilSaved() }
  }

  private func report(_ number: Int64, _ saved: @escaping @Sendable () async throws -> Void) {
    let start = VictimLine.nowNanoseconds
    VictimLine.performed(number, atNanoseconds: start).write()
    Task {
      // The wait for a cancelled operation throws.
      guard (try? await saved()) != nil else { return }
      VictimLine.saved(number, afterNanoseconds: VictimLine.nowNanoseconds - start).write()
    }
  }
}
