// The files of queues: who may upload and download them, and the steps of an upload. Knows no HTTP.

package import SyncProtocol
package import WireFormat

/// Serves the files of queues to authenticated users. Throws a `RequestError` for a refusal and a `StorageError` if the
/// disk fails.
package struct FileService: Sendable {
  let service: SyncService
  let files: any FileStorage
  let quota: FileQuota
  let workers: any BlockingCalls
  let uploads = UploadTable()
  let unremoved = UnremovedFiles()

  package init(_ service: SyncService, files: any FileStorage, quota: FileQuota = .none, threads: Int = 4) {
    let calls = WorkerThreads(threads, atOnce: max(1, threads - 1), name: "files", waiting: 10_000)
    self.init(service, files: files, quota: quota, calls: calls)
  }

  /// For the simulation, which has no threads: `calls` runs the calls that wait for a disk.
  package init(
    _ service: SyncService, files: any FileStorage, quota: FileQuota = .none, calls: any BlockingCalls
  ) {
    self.service = service
    self.files = files
    self.quota = quota
    workers = calls
  }

  /// How many bytes of a file have arrived, and whether that is all.
  package struct Status: Hashable, Sendable {
    package var offset: Int64
    package var isComplete: Bool
  }

  /// How much of a file has arrived, for members of the queue. Throws `notFound` if nothing has.
  package func status(of place: FileKey, by user: UserID) async throws -> Status {
    if let file = try await find(place, by: user, writing: false).file, try await isThere(place, file) {
      return Status(offset: file.size, isComplete: true)
    }
    let size = try await workers.run { [files] in try files.partSize(of: place) }
    guard let size else { throw RequestError(.notFound, "Nothing of this file has arrived.") }
    return Status(offset: size, isComplete: false)
  }

  /// Begins the download of a complete file, for members of the queue. Throws `notFound` if there is none.
  package func download(_ place: FileKey, by user: UserID) async throws -> FileDownload {
    let (transfer, found) = try await transfer(place, by: user, writing: false)
    guard let file = found.file, try await isThere(place, file) else {
      throw RequestError(.notFound, "There is no such file in this queue.")
    }
    return FileDownload(place: place, size: file.size, transfer)
  }

  /// How many bytes of a download are best read at once.
  package var chunk: Int { files.chunk }

  /// Reads bytes of a download; empty if the file was removed meanwhile. Throws `forbidden` if the membership has
  /// ended.
  package func read(_ download: FileDownload, at offset: Int64, count: Int) async throws -> [UInt8] {
    let bytes = try await workers.run { [files] in try files.read(download.place, at: offset, count: count) ?? [] }
    // The disk may have taken long.
    try download.transfer.check()
    return bytes
  }

  /// Whether the bytes of a file are on the disk. If they are lost, a client can bring them again.
  func isThere(_ place: FileKey, _ file: StoredFile) async throws -> Bool {
    try await workers.run { [files] in try files.size(of: place) == file.size }
  }

  /// The result of beginning a part of an upload.
  package enum Beginning: Sendable {
    case part(FilePart)
    /// The file is complete. Any part of it is accepted and its bytes are ignored.
    case complete(size: Int64)
    /// The upload has another offset, from which the client has to go on.
    case elsewhere(offset: Int64)
  }

  /// Begins a part of an upload, for users who may upload. Throws `quotaExceeded` if the bytes that have arrived are
  /// too many already, and `unavailable` if other requests end the upload over and over.
  /// `whole` is the size of the file, if the client tells it.
  package func begin(
    _ place: FileKey, at offset: Int64, of whole: Int64? = nil, by user: UserID
  ) async throws -> Beginning {
    for _ in 0..<Self.looks {
      let (transfer, found) = try await transfer(place, by: user, writing: true)
      if let file = found.file, try await isThere(place, file) { return .complete(size: file.size) }
      let upload = await uploads.upload(place, by: user, files, at: service.now)
      switch try await workers.run({ try upload.begin(at: offset) }) {
      case .begun(let holder):
        try found.room.check(offset)
        return .part(FilePart(place: place, offset: offset, whole: whole, transfer, upload, holder, found.room))
      case .elsewhere(let offset): return .elsewhere(offset: offset)
      // Another request has ended this upload since it was looked up, so it is looked up again.
      case .ended: await uploads.drop(place, upload)
      }
    }
    throw Self.takenOver
  }

  private static let looks = 3

  /// Adds bytes to a part. Throws `forbidden` if the user may no longer write, `unavailable` if another request has
  /// taken over the upload, and `quotaExceeded` if there is no room for so much.
  package func append(_ bytes: [UInt8], to part: inout FilePart) async throws {
    let end = part.offset + Int64(bytes.count)
    if end > part.taken { part.taken = try await takeRoom(end, for: part) }
    let (upload, holder, transfer) = (part.upload, part.holder, part.transfer)
    let offset = try await workers.run {
      try transfer.check()
      return try upload.append(bytes, by: holder)
    }
    guard let offset else { throw Self.takenOver }
    part.offset = offset
  }

  /// Ends a part that is not the last: what it has brought is kept.
  package func pause(_ part: FilePart) async throws {
    let (upload, holder) = (part.upload, part.holder)
    try await workers.run { try upload.pause(by: holder) }
  }

  /// Ends the last part and makes the upload a file. Throws `hashMismatch` if the bytes have another hash, and
  /// `quotaExceeded` if others have taken the room meanwhile. The bytes are removed in both cases.
  package func finish(_ part: FilePart) async throws {
    let (upload, holder, transfer) = (part.upload, part.holder, part.transfer)
    let end = try await workers.run {
      try transfer.check()
      return try upload.finish(by: holder)
    }
    switch end {
    case .takenOver: throw Self.takenOver
    case .otherBytes:
      await uploads.drop(part.place, upload)
      // If this fails, upkeep does it.
      try? await giveRoomBack(part.place)
      throw RequestError(.hashMismatch, "The bytes do not match the file's hash; they were discarded.")
    case .finished(let size):
      await uploads.drop(part.place, upload)
      try await store(part.place, size, for: [transfer])
    }
  }

  private static let takenOver = RequestError(.unavailable, "Another request continues this upload.")

  static let forbidden = RequestError(.forbidden, "You are not a member of this queue, or may not write.")

  private func transfer(
    _ place: FileKey, by user: UserID, writing: Bool
  ) async throws -> (transfer: Transfer, found: Found) {
    // Registered before the membership is read: no commit falls between.
    let transfer = service.transfers.register(place.queue, of: user, isWriting: writing)
    let found = try await find(place, by: user, writing: writing)
    try transfer.begin(under: found.membership)
    return (transfer, found)
  }

  /// Looks a file up. Throws the same `forbidden` to every user who is no member, whether or not the file is there.
  func find(
    _ place: FileKey, by user: UserID, writing: Bool
  ) async throws -> Found {
    let tables = service.served.now
    return try await service.storage.read { try look(for: place, by: user, writing: writing, tables, $0) }
  }

  /// The result of looking up a file for a user.
  struct Found: Sendable {
    var membership: StoredMembership
    var file: StoredFile?
    /// The room that is left. Only set for an upload of a file that is not there.
    var room = FileRoom()
  }

  func look(
    for place: FileKey, by user: UserID, writing: Bool, _ tables: AccessTables, _ snapshot: any QueueSnapshot
  ) throws -> Found {
    guard let membership = try snapshot.membership(of: user, in: place.queue),
      try !writing || tables.table(of: place.queue, snapshot).letsUpload(membership.role)
    else { throw Self.forbidden }
    var found = Found(membership: membership, file: try snapshot.file(place.hash, in: place.queue))
    if writing, found.file == nil { found.room = try quota.room(for: place, of: user, snapshot) }
    return found
  }
}

/// A download that is under way.
package struct FileDownload: Sendable {
  package let place: FileKey
  /// Bytes of the whole file.
  package let size: Int64
  let transfer: Transfer

  init(place: FileKey, size: Int64, _ transfer: Transfer) {
    (self.place, self.size, self.transfer) = (place, size, transfer)
  }

  /// Calls `body` when the membership ends, or at once if it has ended. Does not call it once nothing refers to this
  /// download any more.
  package func onEnd(_ body: @escaping @Sendable () -> Void) { transfer.onEnd(body) }
}

/// A part of an upload that is under way: the body of one request.
package struct FilePart: Sendable {
  package let place: FileKey
  /// How many bytes of the file have arrived.
  package internal(set) var offset: Int64
  let transfer: Transfer
  let upload: FileUpload
  let holder: Int
  /// The size of the file, if the client has told it.
  let whole: Int64?
  /// For how many bytes of the file this request has taken room.
  var taken: Int64 = 0
  private let room: FileRoom

  init(
    place: FileKey, offset: Int64, whole: Int64?, _ transfer: Transfer, _ upload: FileUpload, _ holder: Int,
    _ room: FileRoom
  ) {
    (self.place, self.offset, self.whole, self.transfer) = (place, offset, whole, transfer)
    (self.upload, self.holder, self.room) = (upload, holder, room)
  }

  /// Throws `quotaExceeded` if there was no room for a file of this size when the part began.
  package func checkRoom(for size: Int64) throws { try room.check(size) }
}
