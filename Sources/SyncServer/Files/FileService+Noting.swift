// The row of a file whose bytes are there: from then on the file is.

import SyncProtocol
import WireFormat

extension FileService {
  /// `transfers` have brought the bytes, the first into the file's queue; none of them has ended.
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
      // Whoever brings it once more has brought nothing.
      let before = try transaction.file(place.hash, in: place.queue)
      if before == nil { try quota.room(in: place.queue, for: user, transaction).check(size) }
      let file = StoredFile(size: size, since: now, by: before?.by ?? user)
      try transaction.put(file, as: place.hash, in: place.queue)
    }
  }

  /// Bytes that nobody may bring do not stay, unless somebody else has brought the same. The first transaction has ended
  /// before the second looks: a row that one written with it removes is gone for good then.
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
