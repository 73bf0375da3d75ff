// Upkeep of files: removes unused files and abandoned uploads, and rows whose file is missing after a restore.

import SyncProtocol
import WireFormat

extension FileService {
  /// Removes files that no live object names, and uploads that have stopped, once they are older than `rules.files`.
  package func performUpkeep(_ rules: UpkeepRules) async throws {
    let before = Timestamp(millisecondsSince1970: service.now.millisecondsSince1970 - rules.files)
    for place in unremoved.all { try await removeBytes(of: place) }
    var last: FileKey?
    while true {
      let found = try await service.storage.read { [last] in try $0.files(after: last, limit: 1_000) }
      guard let newest = found.last?.place else { break }
      last = newest
      for (place, file) in found where !file.isReferenced && file.since < before {
        try Task.checkCancellation()
        try await remove(place, before)
      }
    }
    try await removeParts(before)
  }

  /// Removes the row first, so that no client is told that the file is there. Then removes the bytes, unless the file
  /// was uploaded again meanwhile.
  private func remove(_ place: FileKey, _ before: Timestamp) async throws {
    let isUnused = try await service.storage.write(to: place.queue) { transaction in
      guard let file = try transaction.file(place.hash, in: place.queue), !file.isReferenced, file.since < before else {
        return false
      }
      try transaction.put(nil, as: place.hash, in: place.queue)
      return true
    }
    if isUnused { try await removeBytes(of: place) }
  }

  /// Removes the bytes of a file that has no row. If that fails, the next upkeep does it.
  func removeBytes(of place: FileKey) async throws {
    let files = files
    unremoved.add(place)
    try await service.storage.write(to: place.queue) { transaction in
      if try transaction.file(place.hash, in: place.queue) == nil { try files.remove(place) }
    }
    unremoved.remove(place)
  }

  /// Removes rows whose file is missing or has another size, as after a restore, so that clients upload the file again.
  /// Returns how many.
  package func forgetMissing() async throws -> Int {
    var last: FileKey?
    var count = 0
    let files = files
    while true {
      let found = try await service.storage.read { [last] in try $0.files(after: last, limit: 1_000) }
      guard let newest = found.last?.place else { return count }
      last = newest
      for (place, file) in found where try files.size(of: place) != file.size {
        try await service.storage.write(to: place.queue) { try $0.put(nil, as: place.hash, in: place.queue) }
        count += 1
      }
    }
  }
}
