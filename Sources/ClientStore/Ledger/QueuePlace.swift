// How far this device has read a queue.

package import SyncProtocol
package import WireFormat

/// Where a queue stands on this device: what is shown of it, and where its next page begins.
package struct QueuePlace: Hashable, Sendable {
  package var load = Load.unread
  /// The user's membership; nil before the first answer.
  package var grant: GrantID?
  /// Every change up to here is shown.
  package var cursor: Int64 = 0
  /// Every change up to here is shown or staged; nil if the next page begins a scan.
  package var position: Int64?
  /// How far a scan has come; nil if none is under way.
  package var scan: ScanCursor?
  /// The server's history of the rows that are shown, or of the answer by which they went; nil before. Where it is a
  /// former one, the server may have lost some of their changes.
  package var history: HistoryID?

  package init() {}

  /// The raw values are stored in rows.
  package enum Load: Int64, Sendable {
    /// No page of the queue has come yet.
    case unread = 0
    /// The first load is under way. Arrived objects are shown, unless an operation touches them.
    case loading = 1
    case loaded = 2
    /// The queue is loaded again. The rows from before stay visible until the load is complete.
    case reloading = 3
    /// The user is no member any more: nothing of the queue is on this device.
    case revoked = 4
    /// The queue has ended for everybody: nothing of it is on this device, and it cannot be created again.
    case ended = 5

    /// Whether nothing of the queue is here, and only a membership can bring it back.
    package var isGone: Bool { self == .revoked || self == .ended }
  }

  /// Whether operations of the queue may be sent. The user whose operation creates the root sends into a queue that was
  /// never read, and so gives birth to it; all others read it first.
  package func mayBeSentTo(isMaker: @autoclosure () -> Bool) -> Bool {
    switch load {
    case .loading, .loaded, .reloading: true
    case .unread: isMaker()
    case .revoked, .ended: false
    }
  }

  /// Whether the newest pages are staged, and not shown yet.
  package var isStaging: Bool { load == .reloading || load == .loaded && position != cursor }

  /// The history and cursor of the rows that are shown; nil if none are.
  var seen: SeenVersion? {
    guard let history, cursor > 0 else { return nil }
    return SeenVersion(history: history, cursor: cursor)
  }

  /// The cursor by which operations leave the outbox: that of rows that were revealed in the server's present history.
  /// Nil while a load is not complete.
  package func settling(in present: HistoryID?) -> Int64? { load == .loaded && history == present ? cursor : nil }
}

extension QueuePlace {
  /// The place from which everything is loaded again.
  func beginningAgain(grant: GrantID?) -> Self {
    var place = self
    place.load = .reloading
    place.grant = grant
    place.position = nil
    place.scan = nil
    return place
  }

  /// The place once the server has another history: pages of a load that is not complete are dropped.
  var droppingPages: Self {
    var place = self
    switch load {
    case .loading, .reloading: place = beginningAgain(grant: grant)
    case .loaded: place.position = cursor
    case .unread, .revoked, .ended: break
    }
    return place
  }

  /// The place after a page; nil if it is the last page. Depends on the numbers in the page, not on its objects.
  package func next(_ page: DeltaPage) -> Self? {
    page.scan == nil && page.cursor == page.head ? nil : after(page)
  }

  /// The place after a page that is staged.
  func after(_ page: DeltaPage) -> Self {
    var place = self
    switch load {
    case .unread, .revoked, .ended: place.load = .loading
    case .loading, .loaded, .reloading: break
    }
    place.grant = page.grant
    place.position = page.cursor
    place.scan = page.scan
    return place
  }

  /// The place after the page that completes a load or a catch-up, in the server's present history.
  func revealing(_ page: DeltaPage, in history: HistoryID?) -> Self {
    var place = after(page)
    place.load = .loaded
    place.cursor = page.cursor
    place.history = history
    return place
  }
}

extension Timestamp {
  /// The time 7 days before this server time. Operations that were decided before it are not retired any more: no
  /// backup of a server is expected to be older.
  var oldestRetired: Self {
    // A server may send any time, so this may overflow.
    let (time, isTooEarly) = millisecondsSince1970.subtractingReportingOverflow(7 * 24 * 3_600_000)
    return Self(millisecondsSince1970: isTooEarly ? .min : time)
  }
}
