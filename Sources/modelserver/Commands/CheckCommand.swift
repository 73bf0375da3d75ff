// The command `check`, which finds files that are lost or rotten.

import ArgumentParser
import Commands
import SyncProtocol
import SyncServer

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Reads every file and lists those that are lost or rotten, also beside a running server.",
    discussion: """
      lost     the bytes are missing, or too few: a client that has the file can bring it again
      rotten   the bytes have changed: remove them, and the file is lost
      unnamed  no row names the bytes, as after a crash; remove them when no restore is planned

      It changes nothing. The status is 3 if something is lost or rotten.
      """)

  @Option(help: "The database file.")
  var database: String

  func run() throws {
    let path = DatabasePath(database)
    try path.mustExist("--database")
    var faults = 0
    let count = try Mistake.ofStorage("--database") {
      try FileCheck.run(database: database, files: FolderStorage(path: path.files)) { place, fault in
        if fault != .unnamed { faults += 1 }
        Terminal.print("\(fault.rawValue) \(path.files)/\(place.queue)/\(place.hash)")
      }
    }
    Terminal.print("files: \(count)")
    if faults > 0 { throw Mistake.inputOutput("--database: \(faults) of its files are lost or rotten.") }
  }
}
