// `modelinspect files FOLDER`: shows the files that the store knows, and whether they are uploaded.
import ArgumentParser
import ModelSupport

struct FilesCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "files",
    abstract: "Shows the files that the store knows: which are to be uploaded, and why one is not.",
    discussion: """
      Files to upload come first, in their order; then files that are kept for a while although nothing needs them, \
      files that never leave the device, files that the server has had, and files that came from it. Failures, and the \
      times of the next attempts, are those of the last sync.

      EXAMPLES:
        modelinspect files Store
        modelinspect files Store --json
      """
  )

  @OptionGroup var store: StoreOptions

  func report(_ contents: StoreContents) throws -> Report { contents.files() }
}
