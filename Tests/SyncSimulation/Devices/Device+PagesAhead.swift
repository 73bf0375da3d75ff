// Whether pages are fetched before the ones in front of them are stored, and commits come between.

import ClientStore
import ModelTypes
import SyncProtocol
import WireFormat

extension Device {
  /// A request begins.
  func noteAhead(_ exchange: Exchange) {
    guard let store else { return }
    if let delta = exchange.delta {
      let place = store.place(of: QueueID(delta.queue))
      let isAhead = (delta.cursor, delta.scan) != (place.position, place.scan)
      if isAhead { world.count("pages fetched ahead") }
      pagesAhead[delta.queue] = isAhead ? delta : nil
    } else if let queue = exchange.commitQueue, let ahead = pagesAhead.removeValue(forKey: queue) {
      let place = store.place(of: QueueID(queue))
      if (ahead.cursor, ahead.scan) == (place.position, place.scan) { world.count("commits before a page ahead") }
    }
  }
}
