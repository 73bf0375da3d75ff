// The build-tool plugin: generates the models of a target's `Schemas` folder whenever one of its files has changed.
import Foundation
import PackagePlugin

@main
struct ModelgenBuild: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let schemas = target.directoryURL.appending(path: "Schemas")
    // Whatever is missing, the tool is run and says so: an error of the plugin itself would also stop the command
    // plugin, and with it `swift package modelgen init`.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: schemas.path).sorted()) ?? []
    if !names.contains("modelgen.yaml") {
      Diagnostics.warning(
        "target \(target.name) uses ModelgenBuild but has no \(schemas.path)/modelgen.yaml: start with "
          + "`swift package --allow-writing-to-package-directory modelgen init \(schemas.path)`")
    }
    let tool = try context.tool(named: "modelgen")
    return [command(target.name, schemas, names, tool: tool.url, output: context.pluginWorkDirectoryURL)]
  }

  /// One command for all schemas: they refer to each other. What it writes follows from file names alone.
  private func command(_ target: String, _ schemas: URL, _ names: [String], tool: URL, output: URL) -> Command {
    let visible = names.filter { !$0.hasPrefix(".") }
    let stems = visible.filter { $0.hasSuffix(".yaml") && $0 != "modelgen.yaml" }.map { $0.dropLast(".yaml".count) }
    // A set: two names that differ by the case of one letter are for the tool to complain about.
    let types = stems.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let outputs = Set(types + ["ModelgenRegistry", "ModelgenFixtures"]).sorted()
    // A `.yml` too, so that the tool runs and says what it thinks of it.
    let inputs = visible.filter { name in [".yaml", ".yml", ".lock"].contains { name.hasSuffix($0) } }
    return .buildCommand(
      displayName: "Generating models of \(target)",
      executable: tool,
      arguments: ["generate", schemas.path, "--only", "swift", "--flat", "--quiet", "--output", output.path],
      inputFiles: inputs.map { schemas.appending(path: $0) },
      outputFiles: outputs.map { output.appending(path: "\($0).generated.swift") })
  }
}
