// The build-tool plugin of EvolutionTests: generates the Swift of every fixture of a change.
import Foundation
import PackagePlugin

@main
struct EvolutionVersions: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let fixtures = context.package.directoryURL.appending(path: "Tests/EvolutionFixtures/Changes")
    let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path).sorted()
    let output = context.pluginWorkDirectoryURL.appending(path: "Versions.swift")
    return [
      .buildCommand(
        displayName: "Generating the versions of fixtures of changes",
        executable: try context.tool(named: "EvolutionGenerator").url, arguments: [fixtures.path, output.path],
        inputFiles: names.map { fixtures.appending(path: $0) }, outputFiles: [output])
    ]
  }
}
