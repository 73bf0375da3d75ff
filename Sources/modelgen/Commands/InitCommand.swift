// `modelgen init`: a first schema to change, with comments that say how.
import ArgumentParser
import ModelEmitters

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Starts a schema folder: modelgen.yaml and a first model, with comments.",
    discussion: """
      Never overwrites a file.

      EXAMPLES:
        modelgen init
        modelgen init Sources/App/Schemas --name Journal
      """
  )

  @Argument(help: ArgumentHelp("The folder to start.", valueName: "folder"))
  var folder = "Schemas"

  @Option(help: "The schema's name: Journal gives JournalSchema.")
  var name = "App"

  func validate() throws {
    let letters = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    guard letters, name.utf8.count <= 64, let first = name.first, first.isUppercase else {
      throw ValidationError("'\(name)' is not a schema name: a capital letter, then letters and digits, as in Journal.")
    }
  }

  func run() throws {
    let target = try FolderHandle.open(normalized(folder), creating: true)
    for file in FirstSchema.files(schemaName: name) {
      let isNew = try target.create(file.path, contents: Array(file.contents.utf8))
      Terminal.print("\(isNew ? "wrote " : "exists, left as it is: ")\(joined(folder, file.path))")
    }
    Terminal.print("Next: change \(joined(folder, "note.yaml")), then run `modelgen generate\(folderArgument)`.")
  }

  private var folderArgument: String { folder == "Schemas" ? "" : " \(folder)" }
}
