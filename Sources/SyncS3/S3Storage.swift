// Files in a bucket, which all servers of a database see.

import Crypto
import Foundation
package import SyncProtocol
package import SyncServer
import Synchronization
package import WireFormat

/// The files of queues in a bucket of an S3-compatible service.
///
/// A file is the object `files/QUEUE/HASH`. What has come of an upload lies in objects `parts/QUEUE/HASH/OFFSET`, each
/// with the bytes from that offset on: any server goes on with it. Once all is there, its bytes are read, compared with
/// the hash, and written as one object, which is there from one moment to the next.
package final class S3Storage: FileStorage {
  private let client: S3Client
  /// What has come and is not written yet. The request that brought it is not answered before that.
  private let pending = Mutex(PendingBytes())
  /// What was stored of an upload when its size was asked for last: to read all of it, it is listed once.
  private let listed = Mutex<[FileKey: [Piece]]>([:])

  /// So much is collected before it is written.
  private static let block = 1 << 20
  /// So much of all uploads together waits in memory. Beyond it each piece is written as it comes.
  private static let mostPending = 128 << 20
  /// The parts of which a large file is written. The service takes 10,000, of 5 MiB at least.
  private static let part = 8 << 20

  package init(_ bucket: S3Bucket) { client = S3Client(bucket) }

  /// Throws unless the bucket can be read.
  package func check() throws(StorageError) {
    do { try client.check() } catch let error as StorageError { throw error } catch {
      throw StorageError(.inputOutput, "\(error)")
    }
  }

  package var chunk: Int { 1 << 20 }

  private func whole(_ place: FileKey) -> String { "files/\(place.queue)/\(place.hash)" }
  private func parts(_ place: FileKey) -> String { "parts/\(place.queue)/\(place.hash)/" }
  private func part(_ place: FileKey, at offset: Int64) -> String {
    let digits = String(offset, radix: 16)
    // All of one length, so that their order is that of the offsets.
    return parts(place) + String(repeating: "0", count: 16 - digits.count) + digits
  }

  // MARK: Uploads

  package func partSize(of place: FileKey) throws -> Int64? {
    if let end = pending.withLock({ $0.uploads[place]?.end }) { return end }
    let pieces = try stored(place)
    listed.withLock { $0[place] = pieces.isEmpty ? nil : pieces }
    return pieces.last?.end
  }

  package func append(_ bytes: [UInt8], to place: FileKey, at offset: Int64) throws {
    let isKnown = pending.withLock { $0.uploads[place]?.end == offset }
    if !isKnown {
      try pause(place)
      // A part that was removed must not come back with a hole at its beginning.
      guard try offset == 0 || stored(place).last?.end == offset else {
        throw StorageError(.busy, "The part of an upload has gone.")
      }
      if offset == 0 { try removeParts(of: place) }
    }
    let isFull = pending.withLock { pending in
      pending.add(bytes, to: place, at: offset)
      return pending.bytes > Self.mostPending || pending.uploads[place].map { $0.bytes.count >= Self.block } ?? false
    }
    if isFull { try pause(place) }
  }

  /// Writes what has come of an upload. If that fails it has not come: nobody was told so.
  package func pause(_ place: FileKey) throws {
    guard let piece = pending.withLock({ $0.take(place) }), !piece.bytes.isEmpty else { return }
    listed.withLock { $0[place] = nil }
    try client.put(piece.bytes, as: part(place, at: piece.offset))
  }

  package func readPart(of place: FileKey, at offset: Int64, count: Int) throws -> [UInt8] {
    try pause(place)
    // Another server may have gone on since it was listed.
    if let known = listed.withLock({ $0[place] }), let bytes = try read(known, at: offset, count: count) {
      return bytes
    }
    let pieces = try stored(place)
    listed.withLock { $0[place] = pieces.isEmpty ? nil : pieces }
    return try read(pieces, at: offset, count: count) ?? []
  }

  /// Bytes from an offset to the end of its piece at most; nil if no piece has it.
  private func read(_ pieces: [Piece], at offset: Int64, count: Int) throws -> [UInt8]? {
    guard let piece = pieces.first(where: { $0.offset <= offset && offset < $0.end }) else { return nil }
    let most = Int(min(Int64(count), piece.end - offset))
    let bytes = try client.get(piece.key, at: offset - piece.offset, count: most) ?? []
    return bytes.isEmpty ? nil : bytes
  }

  package func discardPart(of place: FileKey) throws {
    _ = pending.withLock { $0.take(place) }
    listed.withLock { $0[place] = nil }
    try removeParts(of: place)
  }

  package func finish(_ place: FileKey) throws {
    // A small file has never been written, and its bytes are those whose hash was compared.
    if pending.withLock({ $0.uploads[place]?.offset == 0 }), let small = pending.withLock({ $0.take(place) }) {
      try client.put(small.bytes, as: whole(place))
      return
    }
    try pause(place)
    listed.withLock { $0[place] = nil }
    try compose(place)
    try removeParts(of: place)
  }

  /// What is stored of an upload, without what lies behind a hole.
  private func stored(_ place: FileKey) throws -> [Piece] {
    let prefix = parts(place)
    var pieces: [Piece] = []
    for entry in try client.list(prefix) {
      guard let name = entry.key.split(separator: "/").last, let offset = Int64(name, radix: 16) else { continue }
      if offset == pieces.last?.end ?? 0 { pieces.append(Piece(key: prefix + name, offset: offset, size: entry.size)) }
    }
    return pieces
  }

  private struct Piece {
    var key: String
    var offset: Int64
    var size: Int64
    var end: Int64 { offset + size }
  }

  /// Makes one object of the pieces of an upload. Compares the very bytes that it writes with the hash: another server
  /// may have written a piece since they were compared.
  private func compose(_ place: FileKey) throws {
    var writer = ObjectWriter(client, whole(place), part: Self.part)
    do {
      var hash = SHA256()
      for piece in try stored(place) {
        guard let bytes = try client.get(piece.key, count: Int(piece.size)), Int64(bytes.count) == piece.size else {
          throw StorageError(.busy, "The part of an upload has gone.")
        }
        hash.update(data: bytes)
        try writer.write(bytes)
      }
      guard Array(hash.finalize()) == place.hash.bytes else {
        throw StorageError(.busy, "Another server has written to this upload.")
      }
      try writer.end()
    } catch {
      writer.giveUp()
      throw error
    }
  }

  private func removeParts(of place: FileKey) throws {
    let prefix = parts(place)
    for entry in try client.list(prefix) {
      guard let name = entry.key.split(separator: "/").last else { continue }
      try client.delete(prefix + name)
    }
  }

  // MARK: Files

  package func size(of place: FileKey) throws -> Int64? { try client.size(of: whole(place)) }

  package func read(_ place: FileKey, at offset: Int64, count: Int) throws -> [UInt8]? {
    try client.get(whole(place), at: offset, count: count)
  }

  package func remove(_ place: FileKey) throws { try client.delete(whole(place)) }

  package func copy(from source: FileKey, to target: FileKey) throws -> Bool {
    try client.copy(whole(source), to: whole(target))
  }

  // MARK: Upkeep

  package func queues() throws -> [QueueID] {
    let begun = try client.begun("files/").map { String($0.key.dropFirst("files/".count).prefix { $0 != "/" }) }
    return Set(try client.folders("parts/") + begun).compactMap { QueueID($0) }.sorted()
  }

  package func removeParts(of queue: QueueID, before time: Timestamp) throws {
    let oldest = Self.text(time)
    // The parts of an upload are as old as the newest of them.
    let byUpload = Dictionary(grouping: try client.list("parts/\(queue)/")) { entry in
      entry.key.split(separator: "/").dropLast().last.map(String.init) ?? ""
    }
    for (name, entries) in byUpload where entries.allSatisfy({ $0.changed < oldest }) {
      if let hash = ContentHash(name) { try removeParts(of: FileKey(queue: queue, hash: hash)) }
    }
    for begun in try client.begun("files/\(queue)/") where begun.time < oldest {
      try client.abort(begun.key, begun.upload)
    }
  }

  /// A time as the service writes it. The order of such texts is that of the times, but for fractions of a second.
  private static func text(_ time: Timestamp) -> String {
    Date(timeIntervalSince1970: Double(time.millisecondsSince1970 / 1_000)).formatted(
      Date.ISO8601FormatStyle(timeZone: .gmt))
  }
}

/// What has come of uploads and is not written yet.
private struct PendingBytes {
  private(set) var uploads: [FileKey: Piece] = [:]
  /// Of all uploads together.
  private(set) var bytes = 0

  struct Piece {
    var offset: Int64
    var bytes: [UInt8]
    var end: Int64 { offset + Int64(bytes.count) }
  }

  mutating func add(_ more: [UInt8], to place: FileKey, at offset: Int64) {
    uploads[place, default: Piece(offset: offset, bytes: [])].bytes += more
    bytes += more.count
  }

  mutating func take(_ place: FileKey) -> Piece? {
    let piece = uploads.removeValue(forKey: place)
    bytes -= piece?.bytes.count ?? 0
    return piece
  }
}

/// Writes an object: at once if it is small, else in parts.
private struct ObjectWriter {
  private let client: S3Client
  private let key: String
  private let part: Int
  private var bytes: [UInt8] = []
  private var upload: String?
  private var tags: [String] = []

  init(_ client: S3Client, _ key: String, part: Int) { (self.client, self.key, self.part) = (client, key, part) }

  mutating func write(_ more: [UInt8]) throws {
    bytes += more
    if bytes.count >= part { try writePart() }
  }

  private mutating func writePart() throws {
    let upload = try self.upload ?? client.begin(key)
    self.upload = upload
    tags.append(try client.put(bytes, as: key, part: tags.count + 1, of: upload))
    bytes = []
  }

  mutating func end() throws {
    guard let upload else { return try client.put(bytes, as: key) }
    if !bytes.isEmpty { try writePart() }
    try client.complete(key, upload, tags: tags)
  }

  /// If this fails, upkeep does it.
  func giveUp() { if let upload { try? client.abort(key, upload) } }
}
