// The shared part of all commands: they read one state of a store, show it, and report damage.
import ArgumentParser
import Commands
import ModelSupport

struct StoreOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder of the store.", valueName: "folder"))
  var folder: String

  @Flag(help: "One JSON object, for programs.")
  var json = false

  func validate() throws {
    if folder.isEmpty { throw ValidationError("The name of the store's folder is empty.") }
  }

  /// The folder without a slash at the end, for messages.
  var path: String {
    var path = folder
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}

protocol InspectCommand: ParsableCommand {
  var store: StoreOptions { get }

  func report(_ contents: StoreContents) throws -> Report
}

extension InspectCommand {
  func run() throws {
    let report: Report = try StoreInspection.read(folder: store.path) { try self.report(StoreContents($0)) }
    Terminal.print(store.json ? report.json : report.text)
    for problem in report.problems { Terminal.error("damaged: \(shown(problem))") }
    let damagedRows = report.damagedRows
    if damagedRows > 0 { Terminal.error("\(counted(damagedRows, "damaged row")).") }
    guard report.problems.isEmpty, damagedRows == 0 else { throw ExitStatus.damaged }
  }
}
