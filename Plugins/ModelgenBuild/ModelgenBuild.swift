// The build-tool plugin: runs `modelgen generate` on a target's `Schemas` folder whenever one of its files changes.
import Foundation
import PackagePlugin

@main
struct ModelgenBuild: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let schemas = target.directoryURL.appending(path: "Schemas")
    let names = names(in: schemas)
    if !names.contains("modelgen.yaml") {
      Diagnostics.warning(
        "target \(target.name) uses ModelgenBuild but has no \(schemas.path)/modelgen.yaml: start with "
          + "`swift package --allow-writing-to-package-directory modelgen init \(schemas.path)`")
    }
    let tool = try context.tool(named: "modelgen")
    return [command(target.name, schemas, names, tool: tool.url, output: context.pluginWorkDirectoryURL)]
  }

  /// Missing files are reported by the tool, never by an error of the plugin. Such an error would also stop the command
  /// plugin, and with it `swift package modelgen init`.
  private func names(in schemas: URL) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: schemas.path).sorted()) ?? []
  }

  /// One command for all schemas, because they refer to each other. The names of its outputs follow from file names
  /// alone.
  private func command(_ target: String, _ schemas: URL, _ names: [String], tool: URL, output: URL) -> Command {
    let visible = names.filter { !$0.hasPrefix(".") }
    let stems = visible.filter { $0.hasSuffix(".yaml") && $0 != "modelgen.yaml" }.map { $0.dropLast(".yaml".count) }
    // A set, because a duplicate output is an error of SwiftPM. The tool reports file names that differ only by case.
    let types = stems.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let outputs = Set(types + ["ModelgenRegistry", "ModelgenFixtures"]).sorted()
    // `.yml` files too: the tool reports them as misnamed.
    let inputs = visible.filter { name in [".yaml", ".yml", ".lock"].contains { name.hasSuffix($0) } }
    return .buildCommand(
      displayName: "Generating models of \(target)",
      executable: tool,
      arguments: ["generate", schemas.path, "--only", "swift", "--flat", "--quiet", "--output", output.path],
      inputFiles: inputs.map { schemas.appending(path: $0) },
      outputFiles: outputs.map { output.appending(path: "\($0).generated.swift") })
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension ModelgenBuild: XcodeBuildToolPlugin {
    /// A target of an Xcode project: its schemas are in `TARGET/Schemas` beside the project, where Xcode puts its files.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let schemas = context.xcodeProject.directoryURL.appending(path: "\(target.displayName)/Schemas")
      let names = names(in: schemas)
      if !names.contains("modelgen.yaml") {
        Diagnostics.warning(
          "target \(target.displayName) uses ModelgenBuild but has no \(schemas.path)/modelgen.yaml: start with the "
            + "command ModelgenCommand of the project and the arguments `init \(target.displayName)/Schemas`")
      }
      let tool = try context.tool(named: "modelgen")
      return [command(target.displayName, schemas, names, tool: tool.url, output: context.pluginWorkDirectoryURL)]
    }
  }
#endif
