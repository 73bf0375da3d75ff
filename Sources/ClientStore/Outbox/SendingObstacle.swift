// The reason why an operation may not be sent now. Sync sends operations without one; `modelinspect why` shows it.

package import WireFormat

/// A reason not to send an operation although its queue may be sent to. The numbers are those of other operations.
package enum SendingObstacle: Hashable, Sendable {
  /// Its outcome is known, so nothing is left to send.
  case decided
  /// It is not on disk.
  case unsaved
  /// The server lacks files of it.
  case files
  /// It did not get through alone several times, and is tried again behind the others.
  case aside
  /// An earlier operation on the same object has to go first, or has failed and is still in the outbox.
  case earlier(Int64, object: UUIDValue)
  /// The operation that creates the root of the queue has to go first.
  case root(Int64)
  /// A dependency that has to be applied before is not applied yet.
  case dependency(Int64)
  /// As many operations are under way as a delta can ask for (`Outbox.maximumUnderWay`).
  case room
}
