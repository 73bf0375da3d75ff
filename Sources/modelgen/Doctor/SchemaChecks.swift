// The schema folder: where it is, its settings, and what is declared in it.
import ModelSchema

enum FolderCheck {
  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    guard project.problems.isEmpty else { return project.problems.map { CheckupLine($0, "folder") } }
    let origin = project.isTyped ? "as typed" : "the default"
    return [.ok("folder", "\(project.folder), \(origin): \(FolderHandle.absolute(project.folder))")]
  }
}

enum SettingsCheck {
  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    guard !project.sources.isEmpty else { return [] }
    let path = joined(project.folder, "modelgen.yaml")
    guard let settings = SchemaSetting.read(project.sources) else {
      guard project.sources.contains(where: { $0.path == path }) else {
        let remedy = "Run \(project.command("init")), which writes that file only"
        return [.problem("setting", "there is no \(path)", remedy)]
      }
      return [.problem("setting", "\(path) cannot be read", "Run \(project.command("lint"))")]
    }
    return settings.map { setting in
      .ok("setting \(setting.key)", "\(setting.value), \(setting.isWritten ? "from \(path)" : "the default")")
    }
  }
}

enum SchemaCheck {
  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    guard let reading = project.reading else { return [] }
    let errors = reading.diagnostics.count { $0.severity == .error }
    let warnings = reading.diagnostics.count { $0.severity == .warning }
    var lines: [CheckupLine] = []
    if let schema = reading.schema { lines.append(.ok("schema", contents(of: schema))) }
    if errors > 0 { lines.append(.problem("schema", counted(errors, "error"), "Run \(project.command("lint"))")) }
    if warnings > 0 {
      lines.append(.note("schema", counted(warnings, "warning"), "\(project.command("lint")) shows them"))
    }
    return lines
  }

  private static func contents(of schema: Schema) -> String {
    let models = schema.models
    let counts = [
      counted(models.count, "model"), counted(models.map(\.operations.count).reduce(0, +), "operation"),
      counted(models.map(\.lists.count).reduce(0, +), "list"), counted(models.map(\.views.count).reduce(0, +), "view"),
    ]
    return "\(counted(schema.files.count, "schema file")): \(counts.joined(separator: ", "))"
  }
}
