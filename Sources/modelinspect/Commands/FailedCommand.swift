// `modelinspect failed FOLDER`: shows the operations that did not happen.
import ArgumentParser
import ModelSupport

struct FailedCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "failed",
    abstract: "Shows the operations that did not happen, and why.",
    discussion: """
      EXAMPLES:
        modelinspect failed Store
        modelinspect failed Store --json
      """
  )

  @OptionGroup var store: StoreOptions

  func report(_ contents: StoreContents) throws -> Report {
    contents.operations(in: .failed, none: "No operation has failed.")
  }
}
