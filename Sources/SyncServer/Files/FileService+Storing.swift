// Writes the row of a file once its bytes are on disk. From then on clients find the file.

import SyncProtocol
import WireFormat

extension FileService {
  /// Writes the row of a file whose bytes `transfers` have brought, the first of them into the file's queue. Throws if
  /// one of them has ended. Removes the bytes after any refusal but `unavailable`.
  func store(_ place: FileKey, _ size: Int64, for transfers: [Transfer]) async throws {
    do {
      try await put(place, size, for: transfers)
    } catch let error as RequestError where error.code != .unavailable {
      try await removeUnnoted(place)
      throw error
    }
  }

  private func put(_ place: FileKey, _ size: Int64, for transfers: [Transfer]) async throws {
    guard let user = transfers.first?.user else { return }
    let (files, quota, now, tables) = (files, quota, service.now, service.served.now)
    try await service.storage.write(to: place.queue) { transaction in
      let membership = try transaction.membership(of: user, in: place.queue)
      let access = try tables.table(of: place.queue, transaction)
      guard let membership, access.letsUpload(membership.role) else { throw Self.forbidden }
      for transfer in transfers { try transfer.check() }
      // Upkeep removes files under this lock too, so bytes that are there now stay.
      guard try files.size(of: place) == size else {
        throw RequestError(.unavailable, "The file has gone; begin again.")
      }
      // A file that is uploaded again still counts for the user who brought it first.
      let before = try transaction.file(place.hash, in: place.queue)
      if before == nil { try quota.room(for: place, of: user, transaction).check(size) }
      let file = StoredFile(size: size, since: now, by: before?.by ?? user)
      try transaction.put(part: nil, as: place.hash, in: place.queue)
      try transaction.put(file, as: place.hash, in: place.queue)
    }
  }

  /// Removes the bytes of a refused transfer, unless another transfer has noted the same file.
  ///
  /// Uses two transactions, as upkeep does. The first may share its commit with one that removes the row. If it removed
  /// the bytes too and that commit failed, the row would be back without its bytes.
  private func removeUnnoted(_ place: FileKey) async throws {
    let files = files
    let isNoted = try await service.storage.write(to: place.queue) { transaction in
      try transaction.file(place.hash, in: place.queue) != nil
    }
    guard !isNoted else { return }
    try await service.storage.write(to: place.queue) { transaction in
      guard try transaction.file(place.hash, in: place.queue) == nil else { return }
      try files.remove(place)
      if try files.partSize(of: place) == nil { try transaction.put(part: nil, as: place.hash, in: place.queue) }
    }
  }
}
