// The place of a queue in a salvaged store: at its beginning, because no confirmed rows are taken over.

import WireFormat

extension QueuePlace {
  init(salvaging row: StoredRow) {
    self.init()
    let known = (try? row.integer("load")).flatMap(Load.init(rawValue:)) ?? .unread
    if known.isGone { load = known }
  }
}
