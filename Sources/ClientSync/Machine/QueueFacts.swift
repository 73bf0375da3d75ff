// What is known of one queue when its next request is decided. Pure.

import ClientStore
import WireFormat

/// The facts by which a pump decides.
struct QueueFacts: Hashable, Sendable {
  var place: QueuePlace
  var needs: QueueNeeds
  /// Whether it is the home queue, or the user is a member.
  var isFollowed: Bool
  /// The grant of the membership.
  var grant: GrantID?
  /// Another user has added this user, who has neither answered nor changed anything in the queue.
  var isInvited = false
  /// The server is known to be at another place than the rows that are shown, or has another history.
  var isBehind = false
  /// Whether the server takes changes of this app, and its time is known: an operation carries the time of its first
  /// sending.
  var maySend: Bool

  /// Whether the next page is a preview: the first page of an invitation without an answer.
  var isNewPreview: Bool { isInvited && isFollowed && isUnseen }
  /// Whether the next page belongs to a load, as its first or a later one.
  var isToBeLoaded: Bool { [.unread, .loading, .reloading].contains(place.load) }
  /// Whether nothing of the queue is on this device.
  var isUnseen: Bool { place.load == .unread || place.load.isGone }
}
