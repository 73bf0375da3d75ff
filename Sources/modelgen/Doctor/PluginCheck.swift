// The build plugin: whether it generates for this schema folder, and whether the same types are committed too.
import ModelSchema

enum PluginCheck {
  static func lines(_ project: ExaminedProject) -> [CheckupLine] {
    guard !project.sources.isEmpty else { return [] }
    let plugin = PackageText.plugin
    guard let package = Package(above: project.folder) else {
      let text = "there is no Package.swift above \(project.folder)"
      return [.note("plugin", text + "; whether an Xcode project uses \(plugin) is not looked at")]
    }
    guard package.text.namesPlugin else {
      return [.ok("plugin", "\(package.path) does not use \(plugin): `modelgen generate` writes the Swift")]
    }
    guard let target = package.target, target.usesPlugin else {
      let text = "\(package.path) names \(plugin), and as far as its text tells not for this folder"
      return [.note("plugin", text, "It reads the folder Schemas of each target that names it under `plugins:`")]
    }
    var lines = [CheckupLine.ok("plugin", "\(plugin) generates when the target \(target.name) is built")]
    if !target.mentions("Schemas") {
      let remedy = "Write `exclude: [\"Schemas\"]` into the target, or SwiftPM warns of files that it does not know"
      lines.append(.note("plugin", "the target \(target.name) does not exclude its folder Schemas", remedy))
    }
    return lines + committed(project, package, target)
  }

  /// Whether the plugin generates for the project's folder.
  static func generates(_ project: ExaminedProject) -> Bool {
    Package(above: project.folder)?.target?.usesPlugin ?? false
  }

  /// Committed Swift beside that of the plugin. In one target each type would be declared twice.
  private static func committed(
    _ project: ExaminedProject, _ package: Package, _ target: PackageText.Target
  ) -> [CheckupLine] {
    guard let schema = project.schema,
      let folder = try? OutputFolder.open(
        output: project.output, configured: schema.output, schemaFolder: project.folder, creating: false),
      let manifest = try? folder.readManifest(), manifest.kinds.values.contains("swift")
    else { return [] }
    let output = FolderHandle.absolute(folder.path)
    let targetFolder = normalized(joined(package.folder, package.inside))
    guard lies(output, in: targetFolder), !target.mentions(output.dropFirst(targetFolder.count + 1)) else {
      return [.note("plugin", "Swift is committed in \(folder.path) too, for another target than \(target.name)")]
    }
    return [
      .problem(
        "plugin", "the target \(target.name) has each type twice: from the plugin, and committed in \(folder.path)",
        "Delete \(folder.path), or take \(PackageText.plugin) out of the target's `plugins:`")
    ]
  }
}

/// The package that a schema folder belongs to.
private struct Package {
  /// For messages.
  var path: String
  var folder: String
  var text: PackageText
  /// The folder that the schema folder is in, from the package.
  var inside: String

  /// The nearest `Package.swift` above the folder.
  init?(above schemas: String) {
    let parts = FolderHandle.absolute(schemas).split(separator: "/")
    for count in stride(from: parts.count - 1, through: 0, by: -1) {
      let folder = "/" + parts.prefix(count).joined(separator: "/")
      guard let handle = try? FolderHandle.open(folder, creating: false),
        let bytes = try? handle.read("Package.swift", limit: 1 << 20, followingLinks: true)
      else { continue }
      self.folder = folder
      path = joined(folder, "Package.swift")
      text = PackageText(String(decoding: bytes, as: UTF8.self))
      inside = parts.dropFirst(count).dropLast().joined(separator: "/")
      isNamedSchemas = parts.last == "Schemas"
      return
    }
    return nil
  }

  private var isNamedSchemas: Bool

  /// The target whose schemas the folder has; nil where the text does not tell.
  var target: PackageText.Target? { isNamedSchemas ? text.target(in: inside) : nil }
}
