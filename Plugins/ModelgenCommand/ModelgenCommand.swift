// The command plugin: `swift package modelgen …` runs the tool with the same arguments, in the package's folder.
import Foundation
import PackagePlugin

@main
struct ModelgenCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    let tool = Process()
    tool.executableURL = try context.tool(named: "modelgen").url
    tool.arguments = arguments
    tool.currentDirectoryURL = context.package.directoryURL
    try tool.run()
    tool.waitUntilExit()
    // The tool has said what is wrong; a thrown error would only add noise.
    if tool.terminationStatus != 0 { exit(tool.terminationStatus) }
  }
}
