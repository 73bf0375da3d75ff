// `modelinspect attention FOLDER`: shows the operations that did not happen.
import ArgumentParser
import ModelRuntime

struct AttentionCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "attention",
    abstract: "Shows the operations that did not happen, and why.",
    discussion: """
      EXAMPLES:
        modelinspect attention Store
        modelinspect attention Store --json
      """
  )

  @OptionGroup var store: StoreOptions

  func report(_ contents: StoreContents) throws -> Report {
    Report(operations: contents.attention(), contents.tables, none: "Nothing asks for attention.")
  }
}
