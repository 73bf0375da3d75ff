// Runs the command in a temporary folder.
import TestSupport

extension TemporaryFolder {
  /// A folder with the schema that `modelgen init` writes.
  static func started() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.run("init")
    return folder
  }

  func run(_ arguments: String...) throws -> Program.Outcome {
    try Program.modelgen().run(arguments, in: url)
  }

  /// Writes a small model into `Schemas/`.
  func writeModel(_ name: String, fields: String = "title: string = 1") throws {
    try write("Schemas/\(name).yaml", "model: \(name)\nqueue: self\nfields: { \(fields) }\n")
  }
}
