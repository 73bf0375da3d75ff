// Copies a file from one queue to another on the server, so that it is not uploaded again.

package import SyncProtocol
package import WireFormat

extension FileService {
  /// Copies a file from another queue, for a user who may read that queue and write this one; returns its size in
  /// bytes.
  ///
  /// Does nothing if the file is there already. Throws `forbidden` if the user may not upload to this queue or not read
  /// the other one, `notFound` if the other queue has no such file, `quotaExceeded` if this queue or the user has no
  /// room for it, and `unavailable` if the members or the file change meanwhile.
  package func copy(_ place: FileKey, from queue: QueueID, by user: UserID) async throws -> Int64 {
    let origin = FileKey(queue: queue, hash: place.hash)
    // Registered before the memberships are read, so that no change of them is missed.
    let writing = service.transfers.register(place.queue, of: user, isWriting: true)
    let reading = service.transfers.register(queue, of: user, isWriting: false)
    let tables = service.served.now
    let (target, found) = try await service.storage.read { snapshot in
      let target = try look(for: place, by: user, writing: true, tables, snapshot)
      let isThere = target.file != nil
      return (target, isThere ? nil : try look(for: origin, by: user, writing: false, tables, snapshot))
    }
    if let file = target.file, try await isThere(place, file) { return file.size }
    // This queue may have the row of a file whose bytes are lost.
    let source = if let found { found } else { try await find(origin, by: user, writing: false) }
    guard let file = source.file else { throw Self.nothingToCopy }
    try target.room.check(file.size)
    try writing.begin(under: target.membership)
    try reading.begin(under: source.membership)
    let isCopied = try await workers.run { [files] in
      try writing.check()
      try reading.check()
      return try files.copy(from: origin, to: place)
    }
    // Upkeep may have removed the file meanwhile.
    guard isCopied else { throw Self.nothingToCopy }
    try await store(place, file.size, for: [writing, reading])
    return file.size
  }

  private static let nothingToCopy = RequestError(.notFound, "There is no such file in the queue to copy from.")
}
