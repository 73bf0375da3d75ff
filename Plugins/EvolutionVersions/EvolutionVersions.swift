// The build-tool plugin of EvolutionTests: generates the Swift of every fixture of a change.
import Foundation
import PackagePlugin

@main
struct EvolutionVersions: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let fixtures = context.package.directoryURL.appending(path: "Tests/EvolutionFixtures")
    let files = try ["Changes", "Conversions"].map { fixtures.appending(path: $0) }.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { folder.appending(path: $0) }
    }
    let output = context.pluginWorkDirectoryURL
    // Several files, which the compiler works on side by side.
    let names = ["Changes", "Mutants", "Conversions", "History", "LaterHistory"]
    return [
      .buildCommand(
        displayName: "Generating the versions of fixtures of changes",
        executable: try context.tool(named: "EvolutionGenerator").url, arguments: [fixtures.path, output.path],
        inputFiles: files, outputFiles: names.map { output.appending(path: "\($0).swift") })
    ]
  }
}
