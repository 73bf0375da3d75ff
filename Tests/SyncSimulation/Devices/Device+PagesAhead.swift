// Notes which pages the client fetches before the ones in front of them are stored, and which commits come between.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension Device {
  /// Notes an answer to a delta. It may allow the device to let go of operations, but the device still shows them until
  /// the client stores the page, which may have been fetched ahead.
  func hear(ofPage heard: Heard, _ hear: (Heard) -> Void) {
    let before = record.gone
    hear(heard)
    goneByPages[heard.queue] = record.gone.subtracting(before)
  }

  /// Lets go of these operations again: the client may store a page at any time until it next asks for that queue.
  func letGoOfWhatPagesEnd() {
    for ids in goneByPages.values { record.letGo(Array(ids)) }
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
      goneByPages[delta.queue] = nil
      refusedDeltas.remove(delta.queue)
    }
    let commits = exchange.commitQueues
    if commits.count > 1 { world.count("commits of several queues") }
    for queue in commits {
      goneByPages[queue] = nil
      guard let ahead = pagesAhead.removeValue(forKey: queue) else { continue }
      let place = store.place(of: queue)
      if (ahead.cursor, ahead.scan) == (place.position, place.scan) { world.count("commits before a page ahead") }
    }
  }
}
