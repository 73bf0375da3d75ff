// The options that name a database, for the commands that need no server.

import ArgumentParser
import Foundation
import SyncPostgres
import SyncServer

/// A file of SQLite, or PostgreSQL.
struct DatabaseOptions: ParsableArguments {
  @Option(help: "The database file.")
  var database: String?

  @OptionGroup
  var place: PostgresOption

  func validate() throws {
    if database != nil, place.postgres != nil {
      throw ValidationError("--database and --postgres name two databases: give one.")
    }
  }

  /// Reads queues, beside servers that use the database.
  func read<Report>(_ body: (any QueueSnapshot) throws -> Report) throws -> Report {
    try look({ try SQLiteStorage.look(at: $0, body) }, { try PostgresStorage.look(at: $0, body) })
  }

  /// Looks at the file, or at the PostgreSQL database, beside servers that use it.
  func look<Report>(
    _ file: (String) throws -> Report, _ postgres: (String) throws -> Report
  ) throws -> Report {
    guard let database else {
      let address = try place.address(ProcessInfo.processInfo.environment)
      return try Mistake.ofStorage("--postgres") { try postgres(address) }
    }
    try DatabasePath(database).mustExist("--database")
    return try Mistake.ofStorage("--database") { try file(database) }
  }
}
