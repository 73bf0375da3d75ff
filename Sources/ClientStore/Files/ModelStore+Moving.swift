// The calls by which sync uploads and fetches files.

import Determinism
package import SyncProtocol
package import WireFormat

/// A file that could be uploaded or fetched now.
package struct FileWork: Hashable, Sendable {
  package var place: FileKey
  package var kind: Kind
  /// In bytes; nil if a file to upload is not on this device.
  package var size: Int64?
  /// The failed attempts of this run or an earlier one.
  package var failure: QueueFailure?
  /// Tells a new fetch of a file from an earlier one, which nobody waits for any more, and a new upload from one that
  /// had lost its bytes.
  package var request = 0

  package enum Kind: Hashable, Sendable {
    case upload
    case fetch
  }

  package init(place: FileKey, kind: Kind, size: Int64?, failure: QueueFailure? = nil, request: Int = 0) {
    (self.place, self.kind, self.size, self.failure, self.request) = (place, kind, size, failure, request)
  }
}

extension ModelStore {
  /// The next uploads: first files that operations wait for, then the others in the order in which they were named.
  ///
  /// Only for queues that the server knows, and only files whose operations have an outcome: the server may collect a
  /// file that nothing names there.
  package func nextUploads(limit: Int, where isFree: (FileKey, Int) -> Bool) -> [FileWork] {
    memory.withLock { memory in
      let urgent = memory.awaitedFiles
      return fileTable.withLock { table in
        guard !table.uploads.isEmpty else { return [] }
        table.sortUploads(memory.outbox.takeChangedFiles()) { memory.outbox.undecidedFiles.contains($0) }
        let places = table.nextUploads(limit: limit, urgent: urgent) { place in
          memory.knowsServer(of: place) && isFree(place, table.uploads[place]?.request ?? 0)
        }
        assert(table.effects.isEmpty, "nothing is performed while the store's lock is held")
        return places.compactMap { place in
          table.uploads[place].map {
            FileWork(place: place, kind: .upload, size: $0.size, failure: $0.failure, request: $0.request)
          }
        }
      }
    }
  }

  /// The files that the app waits for, the newest request first.
  package func nextFetches(limit: Int, where isFree: (FileKey, Int) -> Bool) -> [FileWork] {
    fileTable.withLock { table in
      table.nextFetches(limit: limit, where: isFree).compactMap { place in
        table.fetches[place].map { FileWork(place: place, kind: .fetch, size: $0.size, request: $0.request) }
      }
    }
  }

  /// The numbers of uploads and fetches, including those that may not go now.
  package var fileCounts: (uploads: Int, fetches: Int) {
    fileTable.withLock { ($0.uploads.count, $0.fetches.count) }
  }

  /// Whether a file is still to be uploaded to a queue.
  func isToBeBrought(_ hash: ContentHash, _ queue: QueueID) -> Bool {
    fileTable.withLock { $0.uploads[FileKey(queue: queue, hash: hash)] != nil }
  }

  /// Moves files into the cache that the server has had for 7 days of its `time`, and evicts files over the limit.
  package func releaseFiles(at time: Timestamp) async throws {
    let pending = Set(try fileFolder.disk.names(in: fileFolder.pending).compactMap { ContentHash($0) })
    if !pending.isEmpty {
      let named = memory.withLock { $0.namedFiles }
      for hash in try await writer.safeFiles(before: time.oldestRetired) where pending.contains(hash) {
        guard !named.contains(hash) else { continue }
        try fileFolder.unlessNeeded(hash, reader.isFileNeeded) { try fileFolder.release(hash) }
      }
    }
    try fileFolder.evict(unless: reader.isFileNeeded)
  }
}

// Uploads.
extension ModelStore {
  /// Whether an upload is still wanted: an object that names the file exists, or an operation waits for it. If not,
  /// removes the upload and keeps the file, because the object may come back.
  package func isWanted(_ place: FileKey) async throws -> Bool {
    guard let upload = fileTable.withLock({ $0.uploads[place] }) else { return false }
    if try serverNeeds(place, for: upload.objects) { return true }
    let now = Timestamp(millisecondsSince1970: environment.nowMilliseconds())
    // The writer looks again, where no page can bring an object back between the look and the move. Whatever names the
    // file from then on puts the upload back.
    return try await !writer.keep(place, at: now) {
      let objects = upload.objects.union(fileTable.withLock { $0.uploads[place]?.objects ?? [] })
      return try serverNeeds(place, for: objects)
    }
  }

  /// Whether the server needs the file as far as this device sees. `objects` have named it. The rows do not say: they
  /// still have objects that a decided delete has put out of sight.
  private func serverNeeds(_ place: FileKey, for objects: Set<UUIDValue>) throws -> Bool {
    if memory.withLock({ $0.awaitedFiles.contains(place) }) { return true }
    let load = self.place(of: place.queue).load
    if load.isGone { return false }
    // Objects that have not come yet may name it.
    if load != .loaded { return true }
    let view = StoreView(store: self)
    for object in objects.sorted() where try view.anyObject(object) != nil { return true }
    // A delete may fail or be taken back, and a new operation may name it.
    return memory.withLock { $0.mayName(place, objects) }
  }

  /// Other queues from which the server may copy a file: it was fetched from them or uploaded to them. If it is not on
  /// this device, also queues with an object that contains its hash, which looks at every object.
  package func queues(withFileOf place: FileKey, limit: Int) throws -> [QueueID] {
    let isHere = fileFolder.path(of: place.hash) != nil
    return try reader.queues(with: place.hash, searching: !isHere)
      .filter { $0 != place.queue && mayRead(FileKey(queue: $0, hash: place.hash)) }
      .prefix(limit).map { $0 }
  }

  /// A part of a file to upload; nil if the file is not on this device.
  package func slice(of place: FileKey, at offset: Int64, count: Int64) -> FileSlice? {
    guard let path = fileFolder.path(of: place.hash) else { return nil }
    return FileSlice(path: path, offset: offset, count: count, folder: fileFolder, hash: place.hash)
  }

  /// The size of a file in bytes, which is noted for its upload; nil if the file is not on this device.
  package func sizeOfFile(_ place: FileKey) -> Int64? {
    let size = fileFolder.size(of: place.hash)
    // The file may have come after its upload was noted, or the upload was noted without a size.
    fileTable.withLock { table in
      if let size, table.uploads[place]?.size != size { table.update(place) { $0.size = size } }
    }
    return size
  }

  /// Whether the bytes on this device still match the hash; reads all of them.
  package func isWhole(_ place: FileKey) -> Bool { (try? fileFolder.hasRightBytes(place.hash)) ?? false }

  package func setSent(_ count: Int64, of place: FileKey) {
    fileTable.withLock { table in
      table.update(place) { upload in
        upload.sent = min(count, upload.size ?? count)
        upload.error = nil
      }
    }
  }

  /// Notes that the server has the file, since `time` of its clock at the latest. Operations that waited for it may go.
  package func didUpload(_ place: FileKey, at time: Timestamp) async throws {
    try await writer.storeUploaded(place, at: time)
    // An operation that waits for several files goes with the last one.
    let queue = place.queue
    endWaiting(in: queue) { needed in
      needed.contains(place.hash) && !needed.contains { isToBeBrought($0, queue) }
    }
  }
}

// Fetches.
extension ModelStore {
  /// The size of a file that somebody waits for, as its reference says; nil where nobody does.
  package func sizeOfFetch(_ place: FileKey) -> Int64? { fileTable.withLock { $0.fetches[place]?.size } }

  /// How many bytes of a file have arrived. Notes that as the progress of the fetch.
  package func fetched(_ place: FileKey) throws -> Int64 {
    let count = try fileFolder.fetched(place.hash)
    fileTable.withLock { table in table.updateFetch(place) { $0.received = count } }
    return count
  }

  /// Appends fetched bytes that begin at `offset`, and evicts files of the cache to make room.
  package func append(_ bytes: [UInt8], to place: FileKey, at offset: Int64) throws {
    try fileFolder.evict(for: Int64(bytes.count), unless: reader.isFileNeeded)
    try fileFolder.append(bytes, to: place.hash, at: offset)
    fileTable.withLock { table in
      table.updateFetch(place) { fetch in
        fetch.received = offset + Int64(bytes.count)
        fetch.error = nil
      }
    }
  }

  /// Ends a fetch whose bytes have all arrived, and resumes its waiters. If they do not match the hash, removes them
  /// and returns false.
  package func finishFetch(_ place: FileKey) async throws -> Bool {
    guard try fileFolder.finishFetch(place.hash) else { return false }
    try await storeFetched(place)
    fileTable.withLock { $0.endFetch(place) }
    return true
  }

  /// Notes that a file was seen in a queue. If the queue has gone meanwhile, removes the file.
  func storeFetched(_ place: FileKey) async throws {
    if mayRead(place) { try await writer.storeFetched(place) }
    guard !mayRead(place) else { return }
    try await writer.forgetFetched(place)
    removeUnnamed([place.hash])
  }

  /// Ends a fetch with an error, which its waiters throw.
  package func failFetch(_ place: FileKey, _ error: FileError) {
    fileTable.withLock { $0.endFetch(place, error) }
  }
}

// Failures.
extension ModelStore {
  /// Stores why a file was not uploaded or fetched, for whoever looks, and for the next run.
  package func fail(_ error: FileError, _ failure: QueueFailure?, of place: FileKey) async throws {
    let isUpload = fileTable.withLock { table in
      table.updateFetch(place) { $0.error = error }
      return table.uploads[place] != nil
    }
    if isUpload { try await writer.store(error, failure, of: place) }
  }
}

extension StoreMemory {
  /// The files that operations wait for.
  fileprivate var awaitedFiles: Set<FileKey> {
    var files: Set<FileKey> = []
    for number in outbox.requiring {
      guard let operation = outbox.operations[number], !operation.isVoided, operation.outcome == nil,
        let queue = operation.queue
      else { continue }
      for hash in operation.changes.files { files.insert(FileKey(queue: queue, hash: hash)) }
    }
    return files
  }

  /// Whether an operation without an outcome names a file, or touches one of the objects that did.
  fileprivate func mayName(_ place: FileKey, _ objects: Set<UUIDValue>) -> Bool {
    let isTouched = objects.contains { id in
      outbox.overlay[id]?.changes.contains { outbox.operations[$0.operation]?.outcome == nil } ?? false
    }
    return isTouched || operations(naming: place).contains { $0.outcome == nil }
  }

  fileprivate func operations(naming place: FileKey) -> [OutboxEntry] {
    (outbox.queues[place.queue]?.numbers ?? []).compactMap { outbox.operations[$0] }
      .filter { !$0.isVoided && $0.changes.objectsByFile[place.hash] != nil }
  }

  /// The files that pending operations name. The server may collect a file before it has the operation.
  var namedFiles: Set<ContentHash> {
    Set(outbox.operations.values.lazy.filter(\.changes.namesFiles).flatMap(\.changes.objectsByFile.keys))
  }

  /// Whether files may be uploaded to the queue: the server has answered about it, and it is neither gone nor hidden.
  fileprivate func knowsServer(of place: FileKey) -> Bool {
    let queue = sync.place(of: place.queue)
    return queue.grant != nil && !queue.load.isGone && !ledger.isHidden(place.queue)
  }
}

/// A part of a file to upload.
public struct FileSlice: Sendable {
  /// The path of the file, whose bytes from `offset` on are to be sent.
  public let path: String
  /// Where the part begins in the file, in bytes.
  public let offset: Int64
  /// The length of the part, in bytes.
  public let count: Int64
  private let folder: FileFolder
  private let hash: ContentHash

  init(path: String, offset: Int64, count: Int64, folder: FileFolder, hash: ContentHash) {
    (self.path, self.offset, self.count) = (path, offset, count)
    (self.folder, self.hash) = (folder, hash)
  }

  /// The bytes of the part. Throws a `FileError` if the file is gone or shorter.
  public func bytes() throws -> [UInt8] {
    guard let bytes = try? folder.read(hash, at: offset, count: Int(count)), bytes.count == Int(count) else {
      throw FileError(.lost, "The file \(hash) is no longer on this device, or was cut short.")
    }
    return bytes
  }
}
