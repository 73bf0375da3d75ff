// Marks files for upload in the table `file`: those that operations name, and those that the server lacks.

import Foundation
import GRDB
import ModelTypes
import SyncProtocol
import WireFormat

extension StoredFiles {
  /// Notes the files that an operation names, and returns those to upload.
  ///
  /// Files that were fetched or uploaded before are uploaded too: the server may have collected them since, and is
  /// asked. `sizes` has the files that are on this device.
  @discardableResult
  static func name(
    _ operation: OutboxEntry, sizes: [ContentHash: Int64] = [:], _ transaction: StoreTransaction
  ) throws -> Uploads {
    var uploads: Uploads = [:]
    for (hash, objects) in operation.changes.objectsByFile {
      let upload = try name(hash, by: operation, objects, size: sizes[hash], transaction)
      if let upload, let queue = operation.queue { uploads[FileKey(queue: queue, hash: hash)] = upload }
    }
    return uploads
  }

  /// Returns nil if the file is not to be uploaded.
  @discardableResult
  private static func name(
    _ hash: ContentHash, by operation: OutboxEntry, _ objects: Set<UUIDValue>, size: Int64?,
    _ transaction: StoreTransaction
  ) throws -> FileTable.Upload? {
    let database = transaction.database
    let number = try transaction.number(queue: operation.queue)
    let known = try row(number, hash, database)
    let named = objects.union(known?.objects ?? [])
    let state: State = try operation.queue == nil ? .device : isGone(number, database) ? .kept : .toUpload
    // A file that was only fetched was not named before, and has no place in the order yet.
    let first = known.flatMap { $0.state == .fetched ? nil : $0.number } ?? operation.number
    let size = size ?? known?.size
    let time = state == .kept ? operation.performedAt : nil
    try put(state, since: time, hash, number, first: first, named, size: size, database)
    return state == .toUpload ? FileTable.Upload(number: first, objects: named, size: size) : nil
  }

  /// Notes the files of an operation that have no row, because rows were lost.
  static func nameUnknown(_ operation: OutboxEntry, _ transaction: StoreTransaction) throws {
    let number = try transaction.number(queue: operation.queue)
    for (hash, objects) in operation.changes.objectsByFile where try row(number, hash, transaction.database) == nil {
      try name(hash, by: operation, objects, size: nil, transaction)
    }
  }

  /// Whether the queue has gone from this device. Its operations fail, and are reported.
  private static func isGone(_ queue: Int64, _ database: Database) throws -> Bool {
    let statement = try database.cachedStatement(sql: "SELECT load FROM queue WHERE number = ?")
    let load = try Int64.fetchOne(statement, arguments: [queue]).flatMap(QueuePlace.Load.init(rawValue:))
    return load == .revoked || load == .ended
  }

  /// Marks files for upload that the server lacks, or may lack. Returns those that were not marked before.
  static func bringAgain(
    _ hashes: some Sequence<ContentHash>, in queue: QueueID, _ transaction: StoreTransaction
  ) throws -> Uploads {
    var uploads: Uploads = [:]
    let number = try transaction.number(queue: queue)
    if try isGone(number, transaction.database) { return [:] }
    for hash in hashes {
      let known = try row(number, hash, transaction.database)
      // A file that is to be uploaded already keeps its row.
      guard known?.state != .toUpload else { continue }
      let first = known?.number ?? 0
      try put(.toUpload, hash, number, first: first, known?.objects ?? [], size: known?.size, transaction.database)
      uploads[FileKey(queue: queue, hash: hash)] = FileTable.Upload(
        number: first, objects: known?.objects ?? [], size: known?.size)
    }
    return uploads
  }

  /// Marks files for upload that were uploaded since `time`, to one queue or to all: the server may have lost them, and
  /// is asked. Returns the number of files.
  @discardableResult
  static func doubt(_ queue: Int64?, since time: Timestamp, _ database: Database) throws -> Int {
    try move(
      .uploaded, to: .toUpload, where: "since >= ? AND queue = ifnull(?, queue)",
      [time.millisecondsSince1970, queue], database)
  }

  /// Marks files for upload that were uploaded in the week before the newest upload. After a salvage no digest shows
  /// whether the server has lost them.
  static func doubtNewest(_ database: Database) throws {
    try move(
      .uploaded, to: .toUpload, where: "since >= (SELECT max(since) FROM file WHERE state = \(State.uploaded)) - ?",
      [-Timestamp.zero.oldestRetired.millisecondsSince1970], database)
  }

  /// Marks files for upload that were uploaded before anything named them there: the server may have collected them,
  /// and is asked. Returns the number of files.
  static func doubt(_ hashes: Set<ContentHash>, in queue: Int64, _ database: Database) throws -> Int {
    try hashes.reduce(0) { count, hash in
      try count
        + move(.uploaded, to: .toUpload, where: "queue = ? AND hash = ?", [queue, Data(hash.bytes)], database)
    }
  }

  private static func put(
    _ state: State, since time: Timestamp? = nil, _ hash: ContentHash, _ queue: Int64, first number: Int64,
    _ objects: Set<UUIDValue>, size: Int64?, _ database: Database
  ) throws {
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO file (queue, hash, state, number, objects, size, since) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (queue, hash) DO UPDATE SET state = excluded.state, number = excluded.number,
          objects = excluded.objects, size = excluded.size, since = excluded.since
        """)
    try statement.execute(arguments: [
      queue, Data(hash.bytes), state.rawValue, number, Data(objects.sorted().stored), size,
      time?.millisecondsSince1970,
    ])
  }

  static func row(
    _ queue: Int64, _ hash: ContentHash, _ database: Database
  ) throws -> (state: State, number: Int64, objects: Set<UUIDValue>, size: Int64?)? {
    let statement = try database.cachedStatement(
      sql: "SELECT state, number, objects, size FROM file WHERE queue = ? AND hash = ?")
    guard let row = try Row.fetchOne(statement, arguments: [queue, Data(hash.bytes)]) else { return nil }
    let number = try row.decode(Int64.self, atIndex: 0)
    guard let state = State(rawValue: number) else { throw StoreError(.damaged, "A file has the state \(number).") }
    return (
      state, try row.decode(Int64.self, atIndex: 1),
      Set(try [UUIDValue](stored: [UInt8](row.decode(Data.self, atIndex: 2)))), try row.decode(Int64?.self, atIndex: 3)
    )
  }
}

extension OperationChanges {
  var namesFiles: Bool { !files.isEmpty || objects.contains { !$0.files.isEmpty } }

  /// The files that the operation names, each with the objects that name it; without any if it only waits for the file.
  var objectsByFile: [ContentHash: Set<UUIDValue>] {
    var files = Dictionary(files.map { ($0, Set<UUIDValue>()) }) { first, _ in first }
    for change in objects {
      for hash in change.files.flatMap(\.hashes) { files[hash, default: []].insert(change.object) }
    }
    return files
  }
}
