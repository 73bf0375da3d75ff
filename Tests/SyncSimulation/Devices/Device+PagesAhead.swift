// Whether pages are fetched before the ones in front of them are stored, and commits come between.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension Device {
  /// Takes a page that was fetched ahead: the device may let go of operations by it, though it shows them until it is read.
  func hear(ahead heard: Heard, _ hear: (Heard) -> Void) {
    let before = record.gone
    hear(heard)
    goneAhead[heard.queue] = record.gone.subtracting(before)
  }

  /// The operations of such pages are let go of whenever the client comes to read them.
  func letGoOfWhatIsAhead() {
    for ids in goneAhead.values { record.letGo(Array(ids)) }
  }

  /// A request begins.
  func noteAhead(_ exchange: Exchange) {
    guard let store else { return }
    if let delta = exchange.delta {
      let place = store.place(of: QueueID(delta.queue))
      let isAhead = (delta.cursor, delta.scan) != (place.position, place.scan)
      if isAhead { world.count("pages fetched ahead") }
      pagesAhead[delta.queue] = isAhead ? delta : nil
      goneAhead[delta.queue] = nil
      exchange.isAhead = isAhead
    } else if let queue = exchange.commitQueue {
      goneAhead[queue] = nil
      guard let ahead = pagesAhead.removeValue(forKey: queue) else { return }
      let place = store.place(of: QueueID(queue))
      if (ahead.cursor, ahead.scan) == (place.position, place.scan) { world.count("commits before a page ahead") }
    }
  }
}
