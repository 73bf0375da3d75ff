// Limits on what a client does at the same time. Tests set lower ones.

package struct SyncBounds: Hashable, Sendable {
  /// The most requests at the same time, not counting the long poll.
  package var requests = 4
  /// The most queues of which a page is read before the user has accepted them. Others may add a user to any number of
  /// queues.
  package var previews = 20

  /// For tests: the index is compared with a look at all queues, and a difference traps.
  package var checksIndex = false

  package init() {}
}
