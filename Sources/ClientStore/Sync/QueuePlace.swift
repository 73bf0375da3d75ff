// How far this device has come with a queue.

package import SyncProtocol
package import WireFormat

/// Where a queue stands on this device: what is shown of it, and where its next page begins.
package struct QueuePlace: Hashable, Sendable {
  package var load = Load.unread
  /// Nil before the first answer.
  package var epoch: UUIDValue?
  package var grant: UUIDValue?
  /// Every change up to here is shown.
  package var cursor: Int64 = 0
  /// The epoch of the rows that are shown, which is another one than `epoch` while the queue is loaded again.
  package var shownEpoch: UUIDValue?
  /// Every change up to here is shown or staged; nil where the scan has to begin.
  package var position: Int64?
  /// While a scan has more.
  package var scan: ScanPlace?
  /// The server's history in which the device last heard that the user is a member.
  package var history: UUIDValue?
  /// The server's time since which the device waits for a membership that a restore has taken.
  package var waitingSince: Timestamp?

  package init() {}

  /// The raw values stand in stored rows.
  package enum Load: Int64, Sendable {
    /// Nothing of it has come yet.
    case unread = 0
    /// The first load is under way; what has come is shown where no operation touches it.
    case loading = 1
    case loaded = 2
    /// It is loaded again: what is shown is from before, and stays until the load is complete.
    case reloading = 3
    /// The user is no member any more: nothing of it is here.
    case revoked = 4
    /// A restored server does not know the user as a member, or has no such queue: nothing of it is shown, and what the
    /// user did is kept until the membership is back, for as long as operations stay retired.
    case awaitingMembership = 5
    /// It has ended, for everybody: nothing of it is here, and nobody gives birth to it again.
    case ended = 6

    /// Whether nothing of the queue is here, and only a membership can bring it back.
    package var isGone: Bool { self == .revoked || self == .awaitingMembership || self == .ended }
  }

  /// Whether operations may go. While a queue is loaded again they wait, since what the server has lost goes first. A
  /// queue that was never read is born by its first operation: only by its owner, or by whoever makes its root. All others
  /// read it first.
  package func mayBeSentTo(by role: QueueRole?, isMaker: @autoclosure () -> Bool) -> Bool {
    switch load {
    case .loading, .loaded: true
    case .unread: role == .owner || role == nil && isMaker()
    case .awaitingMembership: role == nil && isUnheardOf && isMaker()
    case .reloading, .revoked, .ended: false
    }
  }

  /// Whether no answer has ever told of it: there is no such queue, or not yet.
  package var isUnheardOf: Bool { epoch == nil && history == nil && (load == .unread || load == .awaitingMembership) }

  /// Whether the device has read the queue, or was told that it is loaded again.
  var isRead: Bool { epoch != nil || load == .reloading || load == .awaitingMembership }

  /// Whether a refusal under a history of the server counts: under another one than the membership's it is no verdict
  /// yet, for as long as operations stay retired.
  func isVerdict(under history: UUIDValue?, at time: Timestamp) -> Bool {
    // Awaited though never read: it is known from the home queue, whatever the history was.
    if load == .awaitingMembership, self.history == nil { return isOverdue(at: time) }
    guard let known = self.history, let history, known != history else { return true }
    return isOverdue(at: time)
  }

  /// Whether the wait for a membership is over; also where the server's clock was set back since by more than it may
  /// take, since nobody can tell then how long it was.
  package func isOverdue(at time: Timestamp) -> Bool {
    guard let waitingSince else { return false }
    return waitingSince < time.oldestRetired || time < waitingSince.oldestRetired
  }

  /// Whether what has come last is not shown yet.
  package var isStaging: Bool { load == .reloading || load == .loaded && position != cursor }

  /// The state of the queue that is on the screen; nil where nothing of it is.
  var shown: SeenPlace? {
    guard let shownEpoch, cursor > 0 else { return nil }
    return SeenPlace(epoch: shownEpoch, cursor: cursor)
  }

  /// The cursor that operations leave by; nil while a load is not complete.
  package var settling: Int64? { load == .loaded ? cursor : nil }
}

extension QueuePlace {
  /// Everything is loaded again.
  func beginningAgain(epoch: UUIDValue?, grant: UUIDValue?) -> Self {
    var place = self
    place.load = .reloading
    place.waitingSince = nil
    place.epoch = epoch
    place.grant = grant
    place.position = nil
    place.scan = nil
    return place
  }

  /// Where a page leads to that is not the last one, as far as it tells itself; its objects do not matter. Nil for the
  /// last one.
  package func next(_ page: DeltaPage, in history: UUIDValue?) -> Self? {
    page.scan == nil && page.cursor == page.head ? nil : after(page, isWhole: false, in: history)
  }

  /// Where a page leads to.
  func after(_ page: DeltaPage, isWhole: Bool, in history: UUIDValue?) -> Self {
    var place = self
    switch load {
    case .unread, .revoked: place.load = .loading
    // Retired operations are asked for before anything is shown or sent.
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
  /// What was decided before is not retired any more at this time of the server.
  var oldestRetired: Self {
    // A server may say anything.
    let (time, isTooEarly) = millisecondsSince1970.subtractingReportingOverflow(QueueStep.retiredMilliseconds)
    return Self(millisecondsSince1970: isTooEarly ? .min : time)
  }
}
