// The option `--postgres`, or the variable that stands for it.

import ArgumentParser
import Foundation
import SyncPostgres
import SyncServer

struct PostgresOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The address of a PostgreSQL database instead, such as postgres://user@host/database. Put one with a password in \
      the environment, as \(Self.variable), where no other process sees it.
      """,
      valueName: "address"))
  var postgres: String?

  static let variable = "MODELSERVER_POSTGRES"

  /// The address in the option or the environment. `instead` is what may be named in its place.
  func address(
    _ environment: [String: String], instead: String = "a file with --database, or "
  ) throws -> String {
    guard let address = self.postgres ?? environment[Self.variable] else {
      throw ValidationError("Name \(instead)a PostgreSQL database with --postgres or \(Self.variable).")
    }
    return address
  }

  /// Reads queues of a file, if one is named, or of the PostgreSQL database, beside servers that use it.
  func read<Report>(of database: String?, _ body: (any QueueSnapshot) throws -> Report) throws -> Report {
    try look(at: database, { try SQLiteStorage.look(at: $0, body) }, { try PostgresStorage.look(at: $0, body) })
  }

  /// Looks at a file, if one is named, or at the PostgreSQL database, beside servers that use it.
  func look<Report>(
    at database: String?, _ file: (String) throws -> Report, _ postgres: (String) throws -> Report
  ) throws -> Report {
    if database != nil, self.postgres != nil {
      throw ValidationError("--database and --postgres name two databases: give one.")
    }
    guard let database else {
      let address = try address(ProcessInfo.processInfo.environment)
      return try Mistake.ofStorage("--postgres") { try postgres(address) }
    }
    try DatabasePath(database).mustExist("--database")
    return try Mistake.ofStorage("--database") { try file(database) }
  }
}
