// The command plugin: `swift package modelgen …` runs the tool with the same arguments, in the package's folder.
import Foundation
import PackagePlugin

@main
struct ModelgenCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) async throws {
    run(arguments, in: context.package.directoryURL) { try context.tool(named: "modelgen").url }
  }

  private func run(_ arguments: [String], in folder: URL, _ executable: () throws -> URL) {
    let tool = Process()
    do {
      tool.executableURL = try executable()
      tool.arguments = arguments
      tool.currentDirectoryURL = folder
      // SwiftPM uses the plugin's standard input for its own messages.
      tool.standardInput = FileHandle.nullDevice
      try tool.run()
    } catch {
      return Diagnostics.error("modelgen could not be started: \(error.localizedDescription)")
    }
    tool.waitUntilExit()
    if let reason = failure(of: tool) { Diagnostics.error(reason) }
  }

  /// A message about how the tool ended, in addition to the tool's own output; nil for success. SwiftPM itself exits
  /// with 1 for every error of a plugin.
  private func failure(of tool: Process) -> String? {
    guard tool.terminationReason == .exit else { return "modelgen was stopped by signal \(tool.terminationStatus)" }
    return switch tool.terminationStatus {
    case 0: nil
    case 1: "modelgen found mistakes, or generated files that are out of date"
    case 2: "modelgen does not understand these arguments: see `swift package modelgen --help`"
    default: "modelgen cannot read or write a file"
    }
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension ModelgenCommand: XcodeCommandPlugin {
    /// The command of an Xcode project runs in the project's folder. Xcode names the targets that the user has ticked,
    /// which the tool does not know.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      var arguments = arguments
      while let index = arguments.firstIndex(of: "--target") {
        arguments.removeSubrange(index..<min(index + 2, arguments.count))
      }
      run(arguments, in: context.xcodeProject.directoryURL) { try context.tool(named: "modelgen").url }
    }
  }
#endif
