// Notes which pages the client fetches before the ones in front of them are stored, which commits come between, and
// which pages the server refuses.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension Device {
  /// Notes that a delta of a queue is refused: the device may load the queue again.
  func hear(refusal reason: PlainJSON, of queue: QueueID) {
    record.mayReload.insert(queue)
    refusedDeltas.insert(queue)
    guard reason == .words("ENDED") else { return }
    world.count("ends heard")
    let pending = store?.pendingOperations.filter { $0.queue == queue } ?? []
    let isOwn = pending.contains { world.operations[$0.id]?.isEnd == true }
    if isOwn { world.count("ends heard with an own end under way") }
    if pending.count > (isOwn ? 1 : 0) { world.count("ends heard with other work under way") }
  }

  /// Notes what a request that begins fetches ahead, or commits.
  func noteAhead(_ exchange: Exchange) {
    guard let store else { return }
    let deltas = exchange.deltas
    if deltas.count > 1 { world.count("deltas of several queues") }
    for delta in deltas {
      let place = store.place(of: delta.queue)
      let isAhead = (delta.cursor, delta.scan) != (place.position, place.scan)
      if isAhead { world.count("pages fetched ahead") }
      pagesAhead[delta.queue] = isAhead ? delta : nil
      refusedDeltas.remove(delta.queue)
    }
    for queue in exchange.commits.map(\.queue) {
      guard let ahead = pagesAhead.removeValue(forKey: queue) else { continue }
      let place = store.place(of: queue)
      if (ahead.cursor, ahead.scan) == (place.position, place.scan) { world.count("commits before a page ahead") }
    }
  }
}
