// Whether pages are fetched before the ones in front of them are stored, and commits come between.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension Device {
  /// Takes the answer to a delta: the device may let go of operations by it, though it shows them until it reads the page,
  /// which may have been fetched ahead.
  func hear(ofPage heard: Heard, _ hear: (Heard) -> Void) {
    let before = record.gone
    hear(heard)
    goneByPages[heard.queue] = record.gone.subtracting(before)
  }

  /// They are let go of whenever the client comes to read it; until it asks again.
  func letGoOfWhatPagesEnd() {
    for ids in goneByPages.values { record.letGo(Array(ids)) }
  }

  /// A request begins.
  func noteAhead(_ exchange: Exchange) {
    guard let store else { return }
    let deltas = exchange.deltas
    if deltas.count > 1 { world.count("deltas of several queues") }
    for delta in deltas {
      let place = store.place(of: QueueID(delta.queue))
      let isAhead = (delta.cursor, delta.scan) != (place.position, place.scan)
      if isAhead { world.count("pages fetched ahead") }
      pagesAhead[delta.queue] = isAhead ? delta : nil
      goneByPages[delta.queue] = nil
    }
    let commits = exchange.commitQueues
    if commits.count > 1 { world.count("commits of several queues") }
    for queue in commits {
      goneByPages[queue] = nil
      guard let ahead = pagesAhead.removeValue(forKey: queue) else { continue }
      let place = store.place(of: QueueID(queue))
      if (ahead.cursor, ahead.scan) == (place.position, place.scan) { world.count("commits before a page ahead") }
    }
  }
}
