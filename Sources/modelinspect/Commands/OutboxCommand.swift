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
    contents.operations(in: .operation, none: "The outbox is empty.")
  }
}
