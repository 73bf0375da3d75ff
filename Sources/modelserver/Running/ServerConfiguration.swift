// The options that `serve` was given.

import SyncServer

struct ServerConfiguration: Sendable {
  var database: DatabaseChoice
  /// Whether to create a database that is not there, or its tables.
  var creates: Bool
  var tokens: TokenOptions
  var host: String
  var port: Int
  var metricsPort: Int?
  var log: LogForm
  var access: AccessFiles
  var limits: LimitOptions
}

/// Where queues are stored.
enum DatabaseChoice: Sendable {
  case sqlite(path: String)
  /// `files` is where the files that users share lie.
  case postgres(address: String, files: FilesPlace)

  func open(creates: Bool, readers: WorkerThreads) throws -> any ServedDatabase {
    switch self {
    case .sqlite(let path): try SQLiteDatabase(DatabasePath(path), creates: creates, readers: readers)
    case .postgres(let address, let files):
      try PostgresDatabase(address, files: files, creates: creates, readers: readers)
    }
  }
}
