// How much a client does at the same time. Tests set less.

package struct SyncBounds: Hashable, Sendable {
  /// Requests at the same time, the long poll aside.
  package var requests = 4
  /// Queues that are waited for by their names. A poll for more of them names none, and so usually stays below 4 kB.
  package var namedQueues = 20
  /// Queues that are read, a page each, before the user has accepted them. Others may take a user into as many as they like.
  package var previews = 20

  /// For tests: what a turn looks at is compared with a look at all queues.
  package var checksIndex = false

  package init() {}
}
