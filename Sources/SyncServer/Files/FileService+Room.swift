// Takes room for the bytes of uploads before they are written, and gives it back.

import SyncProtocol
import WireFormat

extension FileService {
  /// Takes room for an upload that comes to `size` bytes; returns for how many there is room now.
  func takeRoom(_ size: Int64, for part: FilePart) async throws -> Int64 {
    let (quota, place, whole, transfer) = (quota, part.place, part.whole, part.transfer)
    return try await service.storage.write(to: place.queue) { transaction in
      try transfer.check()
      return try quota.takeRoom(size, of: whole, for: place, by: transfer.user, transaction)
    }
  }

  /// Gives back the room of an upload whose bytes are gone. Does nothing while there are any.
  func giveRoomBack(_ place: FileKey) async throws {
    let files = files
    try await service.storage.write(to: place.queue) { transaction in
      if try files.partSize(of: place) == nil { try transaction.put(part: nil, as: place.hash, in: place.queue) }
    }
  }

  /// Removes unfinished uploads that have stopped, a queue at a time, and gives their room back.
  func removeParts(_ before: Timestamp) async throws {
    let files = files
    for queue in try await workers.run({ try files.queues() }) {
      try Task.checkCancellation()
      try await workers.run { try files.removeParts(of: queue, before: before) }
    }
    await uploads.forget(before: before)
    // Also after a crash or a restore. An upload whose first bytes come just now takes its room again with its next
    // part.
    var last: FileKey?
    while true {
      let places = try await service.storage.read { [last] in try $0.parts(after: last, limit: 1_000) }
      guard let newest = places.last else { return }
      last = newest
      for place in try await workers.run({ try places.filter { try files.partSize(of: $0) == nil } }) {
        try Task.checkCancellation()
        try await giveRoomBack(place)
      }
    }
  }
}
