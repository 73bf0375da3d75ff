// A view of a live object sees the newest value whenever it reads, and is told once after a change of what it has read.

import ModelSupport
import MomentsModels
import Observation
import StoreTestSupport
import Testing

@testable import ClientStore

@MainActor
@Suite struct LiveObjectTests {
  let temporary: TemporaryStore
  let server = HandServer()
  let moment = Moment(title: "Hut to hut")
  var store: ModelStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
  }

  /// Reads as a view does, makes a change, and returns when something that was read has changed.
  private func changed<Value>(_ read: @autoclosure () -> Value, after change: () async throws -> Void) async rethrows {
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
    withObservationTracking {
      _ = read()
    } onChange: {
      continuation.yield()
    }
    try await change()
    var iterator = changes.makeAsyncIterator()
    await iterator.next()
  }

  @Test func aChangeIsThereInTheNextLine() throws {
    let live = store.live(moment.id)
    #expect(live.value == nil)
    store.create(moment)
    #expect(live.value?.title == "Hut to hut")
    #expect(store.isPending(live.value!.id))
    for number in 1...3 {
      store.update(moment.id) { $0.title = "Day \(number)" }
      #expect(live.value?.title == "Day \(number)")
    }
  }

  @Test func observersAreToldOfEveryKindOfChange() async throws {
    let live = store.live(moment.id)
    await changed(live.value) { store.create(moment) }
    #expect(live.value == moment)
    await changed(live.value) { store.update(moment.id) { $0.title = "Loop" } }
    #expect(live.value?.title == "Loop")
    // A change by others, which arrives in a task outside the main actor.
    let queue = moment.id.queueID
    try await store.waitUntilSaved()
    let sent = try await store.send(in: queue)
    var theirs = moment
    theirs.title = "Theirs"
    let page = server.page(
      [try store.state(of: theirs, revision: 3)], upTo: 3,
      outcomes: sent.map { OperationOutcome(operation: $0.operation, status: .applied, at: 2) }, for: store, in: queue)
    try await changed(live.value) { try await store.receive(page) }
    #expect(!store.isPending(live.value!.id))
    #expect(live.value?.title == "Theirs")
    await changed(live.value) { store.delete(moment.id) }
    #expect(live.value == nil)
  }

  @Test func observersOfFailuresAreToldOfThem() async throws {
    let live = store.liveFailedOperations()
    #expect(live.value.isEmpty)
    await changed(live.value) { store.update(moment.id) { $0.title = "Nothing is there" } }
    let failed = try #require(live.value.first)
    try await changed(live.value) { try await store.dismiss(failed) }
    #expect(live.value.isEmpty)
  }

  @Test func damagedObjectSetsError() async throws {
    let state = ObjectState(
      id: moment.id.rawValue, revision: 1,
      live: .init(type: "moment", content: [0xFF], system: SystemFields(createdBy: .zero, at: .zero)))
    let live = store.live(moment.id)
    try await changed(live.error == nil) {
      try await server.reveal([state], upTo: 1, to: store, in: moment.id.queueID)
    }
    #expect(live.error?.code == .damaged)
    #expect(live.value == nil)
  }

  @Test func observationEndsWithLiveObject() {
    var live: LiveValue? = store.live(moment.id)
    weak let gone = live
    #expect(live?.value == nil)
    live = nil
    #expect(gone == nil)
    store.create(moment)
    #expect(store.memory.withLock { $0.observers.isEmpty })
  }
}
