// A stand-in for the real client, until there is one: enough to see that the world turns. To be thrown away.

import ClientStore
import ClientSync
import Determinism
import ModelTypes
import SyncProtocol
import WireFormat

actor HandDrivenClient {
  let store: ModelStore
  let transport: any Transport
  let environment = RuntimeEnvironment.current
  var time: Timestamp?

  init(store: ModelStore, transport: any Transport) { (self.store, self.transport) = (store, transport) }

  func pause() {}
  func resume() {}

  func run() async throws {
    let home = SyncID.homeQueue(ofUser: store.user.rawValue)
    let queues = [home, UUIDValue(high: 0xF070, low: 1), UUIDValue(high: 0x1B0, low: 1)]
    while !Task.isCancelled {
      for queue in queues { do { try await sync(queue) } catch let error as StoreError { throw error } catch {} }
      try await environment.sleep(milliseconds: 2_000)
    }
  }

  private func sync(_ queue: UUIDValue) async throws {
    if let time {
      let ids = store.outgoing(in: QueueID(queue)).map(\.id)
      if !ids.isEmpty {
        let sent = try await store.markSent(ids)
        let mutations = sent.map {
          CommitRequest.Mutation(operation: $0.id, firstSent: time, changes: $0.changes, isVoid: $0.isVoided)
        }
        let answer = try await post(.commit, CommitRequest(queue: queue, mutations: mutations))
        if case .decided(let decided) = answer.result { try await store.take(decided.outcomes, in: QueueID(queue)) }
      }
    }
    var cursor = try await store.cursor(of: QueueID(queue))
    var objects: [ObjectState] = []
    while true {
      let awaiting = store.outbox.filter { $0.queue?.rawValue == queue }.map(\.id)
      let request = DeltaRequest(queues: [.init(queue: queue, cursor: cursor, awaiting: awaiting)])
      guard let answer = try await post(.delta, request).first else { return }
      time = answer.time
      guard case .page(let page) = answer.result else { return }
      objects += page.objects
      cursor = page.cursor
      guard let end = page.end else { continue }
      try await store.reveal(
        QueueDelta(queue: queue, objects: objects, cursor: page.head, outcomes: end.outcomes))
      return
    }
  }

  private func post<Request, Answer>(_ call: SyncCall<Request, Answer>, _ request: Request) async throws -> Answer {
    try call.answer(try await transport.post(call.body(request), timeoutMilliseconds: 20_000).body)
  }
}
