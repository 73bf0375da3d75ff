// Why an operation may not be sent now, as a value: sync sends what has no obstacle, and `modelinspect` tells which.

package import WireFormat

/// A reason why an operation is not sent though its queue may be sent to. Others are named by their numbers.
package enum SendingObstacle: Hashable, Sendable {
  /// Its outcome is known: nothing is left to send.
  case decided
  /// It is not on disk.
  case unsaved
  /// The server lacks files of it.
  case files
  /// An earlier operation on the same object has to go first, or has failed and takes this one along.
  case earlier(Int64, object: UUIDValue)
  /// An operation that has to be applied before is not.
  case dependency(Int64)
  /// An operation that was applied before: a restored server may have lost it, and then it goes first.
  case uncertainDependency(UUIDValue)
  /// As many are under way as a delta can ask for.
  case room
}
