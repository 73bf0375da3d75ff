// How far this device has read a queue.

package import SyncProtocol
package import WireFormat

/// Where a queue stands on this device: what is shown of it, and where its next page begins.
package struct QueuePlace: Hashable, Sendable {
  package var load = Load.unread
  /// The epoch of the queue; nil before the first answer.
  package var epoch: EpochID?
  package var grant: GrantID?
  /// Every change up to here is shown.
  package var cursor: Int64 = 0
  /// The epoch of the rows that are shown. It may differ from `epoch` while the queue is loaded again.
  package var shownEpoch: EpochID?
  /// Every change up to here is shown or staged; nil if the next page begins a scan.
  package var position: Int64?
  /// How far a scan has come; nil if none is under way.
  package var scan: ScanCursor?
  /// The server's history in which the device last heard that the user is a member.
  package var history: HistoryID?
  /// The server time since which the device waits for a membership that a restore has taken.
  package var waitingSince: Timestamp?

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
    /// A restored server has no such queue, or does not know the user as a member. Nothing of the queue is shown. The
    /// user's operations are kept until the membership is back, for 7 days of the server's time at most.
    case awaitingMembership = 5
    /// The queue has ended for everybody: nothing of it is on this device, and it cannot be created again.
    case ended = 6

    /// Whether nothing of the queue is here, and only a membership can bring it back.
    package var isGone: Bool { self == .revoked || self == .awaitingMembership || self == .ended }
  }

  /// Whether operations of the queue may be sent. While the queue is loaded again they wait, because those that the
  /// server has lost go first. The server creates a queue at its first operation. So only an owner, or the user whose
  /// operation creates the root, sends into a queue that was never read; all others read it first.
  package func mayBeSentTo(by role: QueueRole?, isMaker: @autoclosure () -> Bool) -> Bool {
    switch load {
    case .loading, .loaded: true
    case .unread: role == .owner || role == nil && isMaker()
    case .awaitingMembership: role == nil && isUnheardOf && isMaker()
    case .reloading, .revoked, .ended: false
    }
  }

  /// Whether no answer has ever told anything of the queue: the server does not have it, or not yet.
  package var isUnheardOf: Bool { epoch == nil && history == nil && (load == .unread || load == .awaitingMembership) }

  /// Whether the device has read the queue, loads it again, or waits for its membership.
  var isRead: Bool { epoch != nil || load == .reloading || load == .awaitingMembership }

  /// Whether a refusal under a history of the server is final. Under another history than the membership's it is not,
  /// until the wait for the membership is over.
  func isVerdict(under history: HistoryID?, at time: Timestamp) -> Bool {
    // The queue was awaited before it was ever read, so there is no history to compare. Only the wait counts.
    if load == .awaitingMembership, self.history == nil { return isOverdue(at: time) }
    guard let known = self.history, let history, known != history else { return true }
    return isOverdue(at: time)
  }

  /// Whether the wait for a membership is over. Also true if the server's clock was set back by more than such a wait
  /// may take, since nobody can tell then how long it was.
  package func isOverdue(at time: Timestamp) -> Bool {
    guard let waitingSince else { return false }
    return waitingSince < time.oldestRetired || time < waitingSince.oldestRetired
  }

  /// Whether the newest pages are staged, and not shown yet.
  package var isStaging: Bool { load == .reloading || load == .loaded && position != cursor }

  /// The epoch and cursor of the rows that are shown; nil if none are.
  var shown: SeenVersion? {
    guard let shownEpoch, cursor > 0 else { return nil }
    return SeenVersion(epoch: shownEpoch, cursor: cursor)
  }

  /// The cursor by which operations leave the outbox; nil while a load is not complete.
  package var settling: Int64? { load == .loaded ? cursor : nil }
}

extension QueuePlace {
  /// The place from which everything is loaded again.
  func beginningAgain(epoch: EpochID?, grant: GrantID?) -> Self {
    var place = self
    place.load = .reloading
    place.waitingSince = nil
    place.epoch = epoch
    place.grant = grant
    place.position = nil
    place.scan = nil
    return place
  }

  /// The place after a page; nil if it is the last page. Depends on the numbers in the page, not on its objects.
  package func next(_ page: DeltaPage, in history: HistoryID?) -> Self? {
    page.scan == nil && page.cursor == page.head ? nil : after(page, isWhole: false, in: history)
  }

  /// The place after a page. `isWhole`: the page completes a load or a catch-up.
  func after(_ page: DeltaPage, isWhole: Bool, in history: HistoryID?) -> Self {
    var place = self
    switch load {
    case .unread, .revoked: place.load = .loading
    // The server is asked for retired operations before anything is shown or sent.
    case .awaitingMembership, .ended: place.load = .reloading
    case .loading, .loaded, .reloading: break
    }
    place.waitingSince = nil
    place.epoch = page.epoch
    place.grant = page.grant
    place.history = history ?? place.history
    place.position = page.cursor
    place.scan = page.scan
    if isWhole {
      place.load = .loaded
      place.cursor = page.cursor
      place.shownEpoch = page.epoch
    }
    return place
  }
}

extension Timestamp {
  /// The time 7 days before this server time. Operations that were decided before it are not retired any more.
  var oldestRetired: Self {
    // A server may send any time, so this may overflow.
    let (time, isTooEarly) = millisecondsSince1970.subtractingReportingOverflow(QueueStep.retiredMilliseconds)
    return Self(millisecondsSince1970: isTooEarly ? .min : time)
  }
}
