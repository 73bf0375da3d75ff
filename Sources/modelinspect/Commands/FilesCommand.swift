// `modelinspect files FOLDER`: shows the files that the store knows, and whether they are uploaded.
import ArgumentParser
import ModelSupport

struct FilesCommand: InspectCommand {
  static let configuration = CommandConfiguration(
    commandName: "files",
    abstract: "Shows the files that the store knows: which are to be brought to the server, and why one is not.",
    discussion: """
      Those that are to be brought come first, in their order; then those that are kept for a while although nothing \
      wants them, those that never leave the device, those that the server has had, and those that came from there. What failed, and when it is \
      tried again, is as the last sync left it.

      EXAMPLES:
        modelinspect files Store
        modelinspect files Store --json
      """
  )

  @OptionGroup var store: StoreOptions

  func report(_ contents: StoreContents) throws -> Report {
    let files = contents.files()
    let text = files.readings.map(\.text).joined(separator: "\n\n")
    return Report(
      text: text.isEmpty ? "No file is known." : text,
      json: ["files": .array(files.readings.map(\.json))], problems: contents.tables.problems + files.problems,
      damagedRows: files.readings.count { !$0.problems.isEmpty })
  }
}
