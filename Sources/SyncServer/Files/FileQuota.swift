// How many bytes of files a queue may hold, and a user may have brought.

import SyncProtocol
import WireFormat

/// Bounds of whole files together, in bytes; nil where there is none. Uploads on their way count once they have ended.
public struct FileQuota: Hashable, Sendable {
  /// Bytes that a queue may hold, of all users together.
  public var queueBytes: Int64?
  /// Bytes that a user may have brought into all queues together.
  public var userBytes: Int64?

  public static let none = Self()

  public init(queueBytes: Int64? = nil, userBytes: Int64? = nil) {
    self.queueBytes = queueBytes
    self.userBytes = userBytes
  }

  func room(in queue: UUIDValue, for user: UUIDValue, _ snapshot: any QueueSnapshot) throws -> FileRoom {
    var room = FileRoom()
    if let queueBytes { room.queue = queueBytes - (try snapshot.fileBytes(in: queue)) }
    if let userBytes { room.user = userBytes - (try snapshot.fileBytes(broughtBy: user)) }
    return room
  }
}

/// Bytes that are left of a quota; negative where it was lowered.
struct FileRoom: Hashable, Sendable {
  var queue: Int64 = .max
  var user: Int64 = .max

  /// Throws `quotaExceeded` where a file of this size does not fit.
  func check(_ size: Int64) throws(RequestError) {
    guard size <= queue else { throw RequestError(.quotaExceeded, "This queue has no room for a file of this size.") }
    guard size <= user else { throw RequestError(.quotaExceeded, "You have no room left for a file of this size.") }
  }
}
