// The commands `backup`, `restore` and `change-history`: copy a database, and put a copy back.

import ArgumentParser
import Commands
import Determinism
import Foundation
import SyncPostgres
import SyncServer

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copies the database as it is at one moment, also beside a running server.",
    discussion: """
      The files that users share are not copied: after this, copy the folder DATABASE-files with \
      any tool. Files never change, so copies of them stay valid.
      """)

  @Option(help: "The database file.")
  var database: String

  @Option(help: "The copy to make; it must not exist yet.")
  var to: String

  func run() throws {
    let target = DatabasePath(to)
    try DatabasePath(database).mustExist("--database")
    try target.mustNotExist("--to")
    try target.mustBeWritable("--to")
    // Written under another name until it is complete, so that nobody takes half of it for a copy.
    let unfinished = target.unfinished(RuntimeEnvironment.current.randomID())
    defer { unfinished.remove() }
    try Mistake.ofStorage("--database") { try SQLiteStorage.copy(database, to: unfinished.path) }
    try target.take(from: unfinished, "--to")
    let files = DatabasePath(database).files
    let advice = FileManager.default.fileExists(atPath: files) ? "; copy the folder \(files) too" : ""
    Terminal.print("copied \(database) to \(to)\(advice)")
  }
}

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Makes a database from a copy, for a server that is not running.",
    discussion: """
      The database gets a new history: it tells clients that the server may have lost what it \
      acknowledged since the copy was made, and they send that again. Restore the folder with the files first: missing \
      files are asked for again. An existing database is left alone: move it away first.
      """)

  @Option(help: "The copy.")
  var from: String

  @Option(help: "The database file to make.")
  var database: String

  @OptionGroup
  var loss: SinceOption

  func run() async throws {
    let (source, target) = (DatabasePath(from), DatabasePath(database))
    try source.mustExist("--from")
    let lock = try DatabaseLock(target)
    defer { lock.release() }
    try target.mustNotExist("--database")
    // Written under another name until it is complete, so that nobody serves half of it.
    let environment = RuntimeEnvironment.current
    let unfinished = target.unfinished(environment.randomID())
    defer { unfinished.remove() }
    try Mistake.ofStorage("--from") { try SQLiteStorage.copy(from, to: unfinished.path) }
    let storage = try Mistake.ofStorage("--from") { try SQLiteStorage(path: unfinished.path) }
    let since = try Mistake.ofStorage("--database") {
      try storage.changeHistory(since: loss.since, to: environment.randomID())
    }
    let files = FileService(SyncService(storage: storage), files: FolderStorage(path: target.files))
    let missing = try await Mistake.ofStorage("--database") { try await files.forgetMissing() }
    try Mistake.ofStorage("--database") { try storage.close() }
    try target.take(from: unfinished, "--database")
    Terminal.print(
      "restored \(database); clients send again what it acknowledged since \(since); \(missing) files are asked for again"
    )
  }
}

struct ChangeHistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "change-history",
    abstract: "Tells clients that the server may have lost what it acknowledged since a time.",
    discussion: """
      Needed where the database file was replaced without `modelserver restore`, for example by a \
      snapshot of the disk or a copy on another machine; and where PostgreSQL was restored, or a standby has taken \
      over that may lack commits. No server may be running.
      """)

  @Option(help: "The database file.")
  var database: String?

  @OptionGroup
  var place: PostgresOption

  @OptionGroup
  var loss: SinceOption

  func run() throws {
    guard let database else {
      let address = try place.address(ProcessInfo.processInfo.environment)
      let since = try Mistake.ofStorage("--postgres") {
        try PostgresStorage.changeHistory(of: address, since: loss.since, to: RuntimeEnvironment.current.randomID())
      }
      return Terminal.print("clients send again what was acknowledged since \(since)")
    }
    let path = DatabasePath(database)
    try path.mustExist("--database")
    let lock = try DatabaseLock(path)
    defer { lock.release() }
    let since = try Mistake.ofStorage("--database") {
      let storage = try SQLiteStorage(path: database)
      let since = try storage.changeHistory(since: loss.since, to: RuntimeEnvironment.current.randomID())
      try storage.close()
      return since
    }
    Terminal.print("clients send again what \(database) acknowledged since \(since)")
  }
}
