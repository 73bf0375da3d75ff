// The shared part of all commands: they read one state of a store, show it, and report damage.
import ArgumentParser
import Commands
import Foundation
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

/// The result of a command, as text and as JSON.
struct Report {
  var text: String
  var json: OrderedJSON
  /// Damage of the store or of a whole table.
  var problems: [String]
  /// The number of damaged rows. `text` and `json` say what is wrong with each.
  var damagedRows = 0
}

protocol InspectCommand: ParsableCommand {
  var store: StoreOptions { get }

  func report(_ contents: StoreContents) throws -> Report
}

extension InspectCommand {
  func run() throws {
    let report: Report = try StoreInspection.read(folder: store.path) { try self.report(StoreContents($0)) }
    if store.json {
      let problems = OrderedJSON.array(report.problems.map { .string($0) })
      Terminal.print((report.json + ["damage": problems]).text())
    } else {
      Terminal.print(report.text)
    }
    for problem in report.problems { Terminal.error("damaged: \(shown(problem))") }
    if report.damagedRows > 0 { Terminal.error("\(counted(report.damagedRows, "damaged row")).") }
    guard report.problems.isEmpty, report.damagedRows == 0 else { throw ExitStatus.damaged }
  }
}
