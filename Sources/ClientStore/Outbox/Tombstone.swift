// A delete that is remembered, because a create that did not know of it must not bring the object back.

import WireFormat

/// A delete, in the queue of the object.
struct Tombstone: Hashable {
  var queue: QueueID
  var revision: Int64
  /// The server's history of the rows that are shown, to which the revision belongs.
  var history: HistoryID?
}
