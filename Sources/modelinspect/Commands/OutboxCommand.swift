// `modelinspect outbox FOLDER`: shows the operations in the outbox.
import ArgumentParser
import ModelSupport

struct OutboxCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Shows the operations that are on their way, in order, and what each waits for.",
    discussion: """
      EXAMPLES:
        modelinspect outbox Store
        modelinspect outbox Store --json
      """
  )

  @OptionGroup var store: StoreOptions

  func report(_ contents: StoreContents) throws -> Report {
    Report(operations: contents.outbox(), contents.tables, none: "The outbox is empty.")
  }
}

extension Report {
  init(operations part: Part<OperationReading>, _ tables: StoreTables, none: String) {
    self.init(
      text: part.readings.isEmpty ? none : part.readings.map(\.text).joined(separator: "\n\n"),
      json: ["operations": .array(part.readings.map(\.json))], problems: tables.problems + part.problems,
      damagedRows: part.readings.count { !$0.problems.isEmpty })
  }
}
