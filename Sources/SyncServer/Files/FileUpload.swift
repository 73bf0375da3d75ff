// One upload that is under way: its offset and the hash of its bytes so far. Also the table of such uploads.

import Crypto
import Foundation
import SyncProtocol
import WireFormat

/// One upload. A client that comes back after a lost connection takes it over from its earlier request.
///
/// `@unchecked Sendable`: its lock guards all state. It is held while bytes are written, so that the hash is always
/// that of the bytes on the disk.
final class FileUpload: @unchecked Sendable {
  private let place: FileKey
  private let files: any FileStorage
  private let lock = NSLock()
  /// The number of the part that may add bytes. It changes when a part begins, and when the offset is read again.
  private var holder = 0
  private var offset: Int64 = 0
  /// Whether the upload has ended, or the table has dropped this value. The next request then uses a new value.
  private var isRetired = false
  private var hash: SHA256?

  private static let chunk = 1 << 18

  init(_ place: FileKey, _ files: any FileStorage) {
    self.place = place
    self.files = files
  }

  enum Beginning: Sendable {
    case begun(holder: Int)
    case elsewhere(offset: Int64)
    /// The upload has ended or was dropped from the table. The caller has to look it up again.
    case ended
  }

  /// Begins a part if `wanted` is the upload's offset, and so takes the upload over from an earlier part.
  func begin(at wanted: Int64) throws -> Beginning {
    try lock.withLock {
      guard !isRetired else { return .ended }
      // Upkeep may have removed the part.
      if hash != nil, try files.partSize(of: place) ?? 0 != offset { hash = nil }
      try load()
      guard wanted == offset else { return .elsewhere(offset: offset) }
      holder += 1
      return .begun(holder: holder)
    }
  }

  /// Adds bytes and returns the new offset; nil if another request has taken over the upload.
  func append(_ bytes: [UInt8], by holder: Int) throws -> Int64? {
    try lock.withLock {
      guard holder == self.holder, hash != nil, !isRetired else { return nil }
      do {
        try files.append(bytes, to: place, at: offset)
      } catch {
        // The next part reads from the disk how many bytes were written.
        hash = nil
        throw error
      }
      offset += Int64(bytes.count)
      hash?.update(data: bytes)
      return offset
    }
  }

  /// Keeps what a part has brought, whose request has ended. Does nothing if another request has taken over.
  func pause(by holder: Int) throws {
    try lock.withLock {
      guard holder == self.holder, hash != nil, !isRetired else { return }
      do { try files.pause(place) } catch {
        // The next part looks how much was kept.
        hash = nil
        throw error
      }
    }
  }

  enum End: Sendable {
    case finished(size: Int64)
    case otherBytes
    case takenOver
  }

  /// Makes the upload a file, or removes its bytes if they have another hash. After an error the client can send the
  /// last part again.
  func finish(by holder: Int) throws -> End {
    try lock.withLock {
      guard holder == self.holder, let hash, !isRetired else { return .takenOver }
      do {
        let end = try self.end(Array(hash.finalize()))
        isRetired = true
        return end
      } catch {
        // The next part looks at the disk again, because the bytes may now be a part, the file, or neither.
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
      throw StorageError(.busy, "The received part of an upload has gone.")
    }
    try files.finish(place)
    return .finished(size: offset)
  }

  /// Refuses all further bytes.
  func retire() { lock.withLock { isRetired = true } }

  /// Reads the offset and computes the hash from the disk, if they are not in memory, as after a restart. Ends the part
  /// that is under way, because its bytes may belong to another offset.
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

/// The uploads whose hash is in memory. The hash of any other upload is computed again from the disk.
actor UploadTable {
  private var uploads: [FileKey: Entry] = [:]
  /// The uploads of each user who began any, the oldest first.
  private var order: [UserID: [FileKey]] = [:]
  private static let capacity = 1_000

  private struct Entry {
    var upload: FileUpload
    /// The user who began it.
    var user: UserID
    /// When its latest part began.
    var time: Timestamp
  }

  func upload(
    _ place: FileKey, by user: UserID, _ files: any FileStorage, at time: Timestamp
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

  /// Removes an upload that has ended.
  func drop(_ place: FileKey, _ upload: FileUpload) {
    guard uploads[place]?.upload === upload else { return }
    remove(place)?.retire()
  }

  /// Evicts the oldest upload of the user with the most.
  private func retireOne() {
    let most = order.values.map(\.count).max() ?? 0
    let oldest = order.values.filter { $0.count == most }.compactMap(\.first).min { began($0) < began($1) }
    if let oldest { remove(oldest)?.retire() }
  }

  private func began(_ place: FileKey) -> Timestamp { uploads[place]?.time ?? .zero }

  /// Removes uploads of which no part has begun since a time.
  func forget(before time: Timestamp) {
    for (place, entry) in uploads where entry.time < time { remove(place)?.retire() }
  }

  private func remove(_ place: FileKey) -> FileUpload? {
    guard let entry = uploads.removeValue(forKey: place) else { return nil }
    order[entry.user]?.removeAll { $0 == place }
    if order[entry.user]?.isEmpty == true { order[entry.user] = nil }
    return entry.upload
  }
}
