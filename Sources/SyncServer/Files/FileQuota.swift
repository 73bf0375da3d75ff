// How many bytes of files a queue may hold, and how many a user may have uploaded.

import SyncProtocol
import WireFormat

/// Limits of the files of a server, in bytes; nil means no limit. An upload counts from its end, where it is checked again.
public struct FileQuota: Hashable, Sendable {
  /// For the files of a queue, whoever uploaded them.
  public var queueBytes: Int64?
  /// For the files that a user has uploaded to all queues together.
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

/// The bytes that are left of a quota: `.max` without a limit, negative where the limit was lowered below what is used.
struct FileRoom: Hashable, Sendable {
  var queue: Int64 = .max
  var user: Int64 = .max

  /// Throws `quotaExceeded` where a file of this size does not fit.
  func check(_ size: Int64) throws(RequestError) {
    guard size <= queue else { throw RequestError(.quotaExceeded, "This queue has no room for a file of this size.") }
    guard size <= user else { throw RequestError(.quotaExceeded, "You have no room left for a file of this size.") }
  }
}
