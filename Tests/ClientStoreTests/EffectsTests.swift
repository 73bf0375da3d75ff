// Waiters are resumed and observers are woken while the store's lock is free.

import Foundation
import ModelSupport
import MomentsModels
import Testing

@testable import ClientStore

@Suite struct EffectsTests {
  private let temporary: TemporaryStore
  private let moment = Moment(title: "Hut to hut")
  private var store: ModelStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  private func observe(_ wake: @escaping Effects.Wake) {
    _ = store.memory.withLock { $0.observers.add(.object(moment.id.rawValue), wake) }
  }

  @Test func sleeperIsWokenOnce() {
    let wakes = Locked<[String]>([])
    var effects = Effects()
    for (sleeper, name) in [(Effects.Sleeper.observer(1), "a"), (.list(1), "b"), (.observer(1), "c")] {
      effects.wake(sleeper) { wakes.withLock { $0.append(name) } }
    }
    let taken = effects.takeAll()
    #expect(effects.isEmpty && !taken.isEmpty)
    taken.perform()
    #expect(wakes.withLock { $0 } == ["a", "b"])
  }

  @Test func wakeMayCallTheStore() throws {
    let titles = Locked<[String?]>([])
    observe { [store, moment] in
      let title = try? store.object(moment.id)?.title
      titles.withLock { $0.append(title) }
      if title == "Hut to hut" { store.update(moment.id) { $0.title = "Summit" } }
    }
    store.create(moment)
    #expect(titles.withLock { $0 } == ["Hut to hut", "Summit"])
    #expect(try store.object(moment.id)?.title == "Summit")
  }

  @Test func wakeComesOnceTheLockIsFree() {
    let reads = Locked<[Bool]>([])
    observe { [store, moment] in
      let isRead = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? store.object(moment.id)
        isRead.signal()
      }
      let isInTime = isRead.wait(timeout: .now() + 60) == .success
      reads.withLock { $0.append(isInTime) }
    }
    store.create(moment)
    #expect(reads.withLock { $0 } == [true])
    store.create(contentsOf: [moment, Moment(title: "Hut"), moment])
    #expect(reads.withLock { $0 } == [true, true], "one section of the lock wakes an observer once")
  }

  @Test func wakeOfSyncMayCallTheStore() async throws {
    let counts = Locked<[Int]>([])
    try await store.takeSync { [store] in
      let count = store.pendingOperations.count
      counts.withLock { $0.append(count) }
    }
    store.create(moment)
    try await store.waitUntilSaved()
    #expect(counts.withLock { $0.last } == 1)
  }

  @Test func errorLosesNoWake() {
    let count = Locked(0)
    store.create(moment)
    observe { count.withLock { $0 += 1 } }
    #expect(throws: CancellationError.self) {
      try store.memory.withLock { memory in
        memory.outbox.update(memory.outbox.numbers) { $0.isVoided = true }
        #expect(count.withLock { $0 } == 0)
        throw CancellationError()
      }
    }
    #expect(count.withLock { $0 } == 1)
  }

  @Test @MainActor func liveValueIsNewBeforeItsWake() {
    let live = store.live(moment.id)
    #expect(live.value == nil)
    store.memory.holding {
      store.create(moment)
      #expect(live.value == moment)
    }
  }

  @Test(.hangGuard) func cancellingEndsAWaitAtOnce() async {
    let handle = store.create(moment)
    let waiting = Task { try await handle.waitUntilConfirmed() }
    while !store.memory.withLock({ _ in handle.record.isAwaited }) { await Task.yield() }
    waiting.cancel()
    #expect(!store.memory.withLock { _ in handle.record.isAwaited })
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
