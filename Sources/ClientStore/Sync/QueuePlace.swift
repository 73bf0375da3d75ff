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
  /// Every change up to here is shown or staged; nil where the scan has to begin.
  package var position: Int64?
  /// While a scan has more.
  package var scan: ScanPlace?

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
  }

  /// Whether operations may go. While a queue is loaded again they wait, since what the server has lost goes first.
  package var mayBeSentTo: Bool { load != .revoked && load != .reloading }

  /// The cursor that operations leave by; nil while a load is not complete.
  package var settling: Int64? { load == .loaded ? cursor : nil }
}

extension QueuePlace {
  /// Everything is loaded again.
  func beginningAgain(epoch: UUIDValue?, grant: UUIDValue?) -> Self {
    var place = self
    place.load = .reloading
    place.epoch = epoch
    place.grant = grant
    place.position = nil
    place.scan = nil
    return place
  }

  /// Where a page leads to.
  func after(_ page: DeltaPage, isWhole: Bool) -> Self {
    var place = self
    if load == .unread || load == .revoked { place.load = .loading }
    place.epoch = page.epoch
    place.grant = page.grant
    place.position = page.cursor
    place.scan = page.scan
    if isWhole {
      place.load = .loaded
      place.cursor = page.cursor
    }
    return place
  }
}
