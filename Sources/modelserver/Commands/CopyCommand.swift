// The command `copy`: moves a database from SQLite to PostgreSQL, or back.

import ArgumentParser
import Commands
import Determinism
import Foundation
import SyncPostgres
import SyncServer

struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Moves a database from SQLite to PostgreSQL, or back.",
    discussion: """
      No server may use either of the two meanwhile. For clients the copy is the server that they know, and they notice \
      nothing: never serve both.

      The files that users share are not copied. They may stay where they are: `serve --files` names their folder, which \
      is DATABASE-files beside a database of SQLite.

      EXAMPLES:
        export MODELSERVER_POSTGRES=postgres://team:password@db.example.com/team
        modelserver copy --from team.sqlite     # into PostgreSQL, which has to be empty
        modelserver copy --to team.sqlite       # out of it
      """)

  @Option(help: "The database file to copy into PostgreSQL.")
  var from: String?

  @Option(help: "The database file to make from PostgreSQL; it must not exist yet.")
  var to: String?

  @OptionGroup
  var place: PostgresOption

  func run() throws {
    let address = try place.address(ProcessInfo.processInfo.environment, instead: "")
    switch (from, to) {
    case (let from?, nil): report(try copy(DatabasePath(from), to: address), from, "PostgreSQL")
    case (nil, let to?): report(try copy(address, to: DatabasePath(to)), "PostgreSQL", to)
    default: throw ValidationError("Name the database file with either --from or --to.")
    }
  }

  private func copy(_ source: DatabasePath, to address: String) throws -> [String: Int] {
    try source.mustExist("--from")
    let lock = try DatabaseLock(source)
    defer { lock.release() }
    return try Mistake.ofStorage("copy") {
      let storage = try SQLiteStorage(path: source.path)
      let counts = try PostgresStorage.fill(address) { target in try storage.copied { try target.fill(from: $0) } }
      try storage.close()
      return counts
    }
  }

  private func copy(_ address: String, to target: DatabasePath) throws -> [String: Int] {
    let lock = try DatabaseLock(target)
    defer { lock.release() }
    try target.mustNotExist("--to")
    try target.mustBeWritable("--to")
    // Written under another name until it is complete, so that nobody serves half of it.
    let unfinished = target.unfinished(RuntimeEnvironment.current.randomID())
    defer { unfinished.remove() }
    let counts = try Mistake.ofStorage("copy") {
      let storage = try SQLiteStorage(path: unfinished.path)
      let counts = try storage.fill { target in
        try PostgresStorage.copied(from: address) { try target.fill(from: $0) }
      }
      try storage.close()
      return counts
    }
    try target.take(from: unfinished, "--to")
    return counts
  }

  private func report(_ counts: [String: Int], _ from: String, _ to: String) {
    func count(_ table: String) -> Int { counts[table] ?? 0 }
    Terminal.print(
      """
      copied \(from) to \(to): \(count("queue")) queues with \(count("member")) members, \(count("object")) objects, \
      \(count("outcome")) outcomes, the names of \(count("file")) files
      """)
  }
}
