// The result of a pull, by which sync decides how to go on. Pure.

/// The effect of a delta's answer on a queue.
package struct PullResult: Hashable, Sendable {
  package var before: QueuePlace
  package var after: QueuePlace
  /// Operations have left the outbox.
  package var hasSettled: Bool
  /// The server has lost an outcome that it had told, so the operation is sent again.
  package var hasLost: Bool
  /// The server does not have the queue.
  package var isUnknown: Bool

  package init(
    before: QueuePlace, after: QueuePlace, hasSettled: Bool = false, hasLost: Bool = false, isUnknown: Bool = false
  ) {
    (self.before, self.after) = (before, after)
    (self.hasSettled, self.hasLost, self.isUnknown) = (hasSettled, hasLost, isUnknown)
  }

  /// The queue has to be loaded from its beginning once more, or an operation to be sent once more.
  package var isAgain: Bool { hasLost || !isUnknown && after.load == .reloading && after.position == nil }
  package var isFruitless: Bool { after == before && !hasSettled }
}
