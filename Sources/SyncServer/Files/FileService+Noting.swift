// The row of a file whose bytes are there: from then on the file is.

import SyncProtocol
import WireFormat

extension FileService {
  /// Writes the row. `transfers` have brought the bytes, the first of them into the file's queue; an ended one is refused.
  func note(_ place: FilePlace, _ size: Int64, for transfers: [Transfer]) async throws {
    do {
      try await put(place, size, for: transfers)
    } catch let error as RequestError where error.code != .unavailable {
      try await removeUnnoted(place)
      throw error
    }
  }

  private func put(_ place: FilePlace, _ size: Int64, for transfers: [Transfer]) async throws {
    guard let user = transfers.first?.user else { return }
    let (files, quota, now, access) = (files, quota, service.now, service.served.now)
    try await service.storage.write(to: place.queue) { transaction in
      let membership = try transaction.membership(of: user, in: place.queue)
      guard let membership, access.letsUpload(membership.role) else { throw Self.forbidden }
      for transfer in transfers { try transfer.check() }
      // Upkeep removes files under this lock too: what is there now stays.
      guard try files.size(of: place) == size else {
        throw RequestError(.unavailable, "The file has gone; begin again.")
      }
      // A file that comes once more counts for the user who brought it first.
      let before = try transaction.file(place.hash, in: place.queue)
      if before == nil { try quota.room(in: place.queue, for: user, transaction).check(size) }
      let file = StoredFile(size: size, since: now, by: before?.by ?? user)
      try transaction.put(file, as: place.hash, in: place.queue)
    }
  }

  /// Removes the bytes of a refused transfer, unless another transfer has noted the same file.
  ///
  /// Two transactions, as in upkeep: the first may share its commit with one that removes the row, and both may fail. The
  /// row would come back without bytes.
  private func removeUnnoted(_ place: FilePlace) async throws {
    let files = files
    let isNoted = try await service.storage.write(to: place.queue) { transaction in
      try transaction.file(place.hash, in: place.queue) != nil
    }
    guard !isNoted else { return }
    try await service.storage.write(to: place.queue) { transaction in
      if try transaction.file(place.hash, in: place.queue) == nil { try files.remove(place) }
    }
  }
}
