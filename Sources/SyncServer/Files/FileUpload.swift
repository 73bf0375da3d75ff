// One upload under way: where it is, and the hash of what has come.

import Crypto
import Foundation
import SyncProtocol
import WireFormat

/// The bytes of a file that have come. A client that comes back takes it over from the connection that it lost.
///
/// `@unchecked Sendable`: everything is behind its lock, which is held while bytes are written; so what is hashed is
/// what lies on the disk.
final class FileUpload: @unchecked Sendable {
  private let place: FilePlace
  private let files: any FileStorage
  private let lock = NSLock()
  /// Of whoever may add to it; another one each time a part begins, and where the offset is looked up again.
  private var holder = 0
  private var offset: Int64 = 0
  /// Another value stands for the same upload now, or it has ended.
  private var isRetired = false
  private var hash: SHA256?

  private static let chunk = 1 << 18

  init(_ place: FilePlace, _ files: any FileStorage) {
    self.place = place
    self.files = files
  }

  enum Beginning: Sendable {
    case begun(holder: Int)
    case elsewhere(offset: Int64)
    /// Another request has just finished it, or another value stands for it now: to be looked up again.
    case ended
  }

  /// Begins a part at an offset, where that is where the upload has come to.
  func begin(at wanted: Int64) throws -> Beginning {
    try lock.withLock {
      guard !isRetired else { return .ended }
      // Upkeep takes away what has not gone on.
      if hash != nil, try files.partSize(of: place) ?? 0 != offset { hash = nil }
      try load()
      guard wanted == offset else { return .elsewhere(offset: offset) }
      holder += 1
      return .begun(holder: holder)
    }
  }

  /// Returns the new offset; nil where somebody else goes on with the upload.
  func append(_ bytes: [UInt8], by holder: Int) throws -> Int64? {
    try lock.withLock {
      guard holder == self.holder, hash != nil, !isRetired else { return nil }
      do {
        try files.append(bytes, to: place, at: offset)
      } catch {
        // How much of it came is looked up again.
        hash = nil
        throw error
      }
      offset += Int64(bytes.count)
      hash?.update(data: bytes)
      return offset
    }
  }

  enum End: Sendable {
    case finished(size: Int64)
    case otherBytes
    case takenOver
  }

  /// Makes it the file that it is named for; where its bytes are others, they are gone. One that fails can be repeated.
  func finish(by holder: Int) throws -> End {
    try lock.withLock {
      guard holder == self.holder, let hash, !isRetired else { return .takenOver }
      do {
        let end = try self.end(Array(hash.finalize()))
        isRetired = true
        return end
      } catch {
        // How far it came is looked up again: the bytes may be a part, the file, or neither.
        self.hash = nil
        throw error
      }
    }
  }

  private func end(_ hash: [UInt8]) throws -> End {
    guard hash == place.hash.bytes else {
      try files.discardPart(of: place)
      return .otherBytes
    }
    guard try files.partSize(of: place) ?? 0 == offset else {
      throw StorageError(.busy, "What has come of an upload has gone.")
    }
    try files.finish(place)
    return .finished(size: offset)
  }

  /// Nobody adds to it any more.
  func retire() { lock.withLock { isRetired = true } }

  /// After a restart, the hash of what has come is worked out again. A part that had begun before ends: the upload may
  /// have come to another place, and the part's bytes belong to where it was.
  private func load() throws {
    guard hash == nil else { return }
    var hash = SHA256()
    var read: Int64 = 0
    let size = try files.partSize(of: place) ?? 0
    while read < size {
      let bytes = try files.readPart(of: place, at: read, count: Int(min(Int64(Self.chunk), size - read)))
      guard !bytes.isEmpty else { break }
      hash.update(data: bytes)
      read += Int64(bytes.count)
    }
    holder += 1
    offset = read
    self.hash = hash
  }
}

/// The uploads whose hash is in memory; others are read again.
actor UploadTable {
  private var uploads: [FilePlace: Entry] = [:]
  /// Of each user who began any, the oldest first.
  private var order: [UUIDValue: [FilePlace]] = [:]
  private static let capacity = 1_000

  private struct Entry {
    var upload: FileUpload
    /// The user who began it.
    var user: UUIDValue
    /// When a part of it began last.
    var time: Timestamp
  }

  func upload(
    _ place: FilePlace, by user: UUIDValue, _ files: any FileStorage, at time: Timestamp
  ) -> FileUpload {
    if let entry = uploads[place] {
      uploads[place]?.time = time
      return entry.upload
    }
    if uploads.count >= Self.capacity { retireOne() }
    let upload = FileUpload(place, files)
    uploads[place] = Entry(upload: upload, user: user, time: time)
    order[user, default: []].append(place)
    return upload
  }

  /// After its end.
  func drop(_ place: FilePlace, _ upload: FileUpload) {
    guard uploads[place]?.upload === upload else { return }
    remove(place)?.retire()
  }

  /// The oldest of who has most, so that nobody's many uploads interrupt the few of others.
  private func retireOne() {
    let most = order.values.map(\.count).max() ?? 0
    let oldest = order.values.filter { $0.count == most }.compactMap(\.first).min { began($0) < began($1) }
    if let oldest { remove(oldest)?.retire() }
  }

  private func began(_ place: FilePlace) -> Timestamp { uploads[place]?.time ?? .zero }

  /// Those that nobody goes on with take nobody's place.
  func forget(before time: Timestamp) {
    for (place, entry) in uploads where entry.time < time { remove(place)?.retire() }
  }

  private func remove(_ place: FilePlace) -> FileUpload? {
    guard let entry = uploads.removeValue(forKey: place) else { return nil }
    order[entry.user]?.removeAll { $0 == place }
    if order[entry.user]?.isEmpty == true { order[entry.user] = nil }
    return entry.upload
  }
}
