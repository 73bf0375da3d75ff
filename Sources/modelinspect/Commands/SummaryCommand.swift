// `modelinspect FOLDER`: shows a summary of a store.
import ArgumentParser
import Foundation
import ModelSupport

struct SummaryCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "Shows the user of a store and how much is in it.",
    discussion: """
      Objects are counted, not read: `modelinspect objects` reads them.

      EXAMPLES:
        modelinspect Store
        modelinspect summary Store --json
      """
  )

  @OptionGroup var store: StoreOptions

  @Option(help: ArgumentHelp("The same as `modelinspect why`.", valueName: "operation"))
  var why: String?

  func report(_ contents: StoreContents) throws -> Report {
    try why.map { try contents.why($0) } ?? contents.summary(files: files)
  }

  private var files: [(name: String, bytes: Int64)] {
    ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"].compactMap { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(store.path)/\(name)")
      return (attributes?[.size] as? NSNumber).map { (name, $0.int64Value) }
    }
  }
}
