// How many bytes of files a queue may hold, and how many a user may have brought. Unfinished uploads count too.

package import SyncProtocol
package import WireFormat

/// Limits of the files of a server, in bytes; nil means no limit. An upload counts from its first bytes on.
package struct FileQuota: Hashable, Sendable {
  /// For the files of a queue, whoever uploaded them.
  package var queueBytes: Int64?
  /// For the files that a user has uploaded to all queues together.
  package var userBytes: Int64?
  /// Unfinished uploads of a user, which take a block of the disk each, however short they are.
  package var userParts = 1_000

  package static let none = Self()

  package init(queueBytes: Int64? = nil, userBytes: Int64? = nil) {
    self.queueBytes = queueBytes
    self.userBytes = userBytes
  }

  /// The room that is left for one file. What its own upload has taken is left for it.
  func room(for place: FileKey, of user: UserID, _ snapshot: any QueueSnapshot) throws -> FileRoom {
    var room = FileRoom()
    let part = try snapshot.part(place.hash, in: place.queue)
    if let queueBytes { room.queue = queueBytes - (try snapshot.fileBytes(in: place.queue)) + (part?.bytes ?? 0) }
    if let userBytes {
      room.user = userBytes - (try snapshot.fileBytes(broughtBy: user)) + (part?.by == user ? part?.bytes ?? 0 : 0)
    }
    return room
  }

  /// Takes room for an upload that has come to `size` bytes, or throws `quotaExceeded`. Returns for how many bytes
  /// there is room now. The upload counts for this user from now on.
  ///
  /// Takes an eighth more, or 1 MiB, but of a room that is nearly used up only an eighth, so that few parts of an
  /// upload need a transaction and none keeps room from the others. Never more than `whole`, the size of the file.
  package func takeRoom(
    _ size: Int64, of whole: Int64?, for place: FileKey, by user: UserID, _ transaction: any QueueTransaction
  ) throws -> Int64 {
    let room = try room(for: place, of: user, transaction)
    try room.check(size)
    let before = try transaction.part(place.hash, in: place.queue)
    if before?.by != user, try transaction.partCount(of: user) >= userParts {
      throw RequestError(.quotaExceeded, "You have too many unfinished uploads.")
    }
    let more = min(max(size / 8, Self.step), (min(room.queue, room.user) - size) / 8)
    let taken = max(size, min(size + more, whole ?? .max))
    if taken != before?.bytes || user != before?.by {
      try transaction.put(part: StoredPart(bytes: taken, by: user), as: place.hash, in: place.queue)
    }
    return taken
  }

  private static let step: Int64 = 1 << 20
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
