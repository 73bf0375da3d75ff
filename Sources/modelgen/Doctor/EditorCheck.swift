// The JSON Schemas that people keep beside their schema files for editors: whether they are of this version.
import ModelSchema

enum EditorCheck {
  /// The names that the guide gives them.
  private static let files = [
    (name: ".schema.json", text: JSONSchema.schemaFile, command: "json-schema"),
    (name: ".modelgen.schema.json", text: JSONSchema.configuration, command: "json-schema --config"),
  ]

  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    guard let folder = try? FolderHandle.open(project.folder, creating: false) else { return [] }
    return files.compactMap { file in
      let expected = Array(file.text.utf8)
      guard let found = try? folder.read(file.name, limit: expected.count + 1, followingLinks: true) else { return nil }
      let path = joined(project.folder, file.name)
      if found == expected { return .ok("editors", "\(path) is of this version") }
      return .note("editors", "\(path) is of another version", "Run `modelgen \(file.command) > \(quoted(path))`")
    }
  }
}
