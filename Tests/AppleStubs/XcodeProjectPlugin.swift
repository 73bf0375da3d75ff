// A stand-in for Xcode's half of PackagePlugin where there is no Xcode: the declarations that our plugins use.
// `Scripts/check-apple` compiles it to typecheck against, and nothing runs it.

public import Foundation
public import PackagePlugin

public protocol XcodeBuildToolPlugin: Plugin {
  func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command]
}

public protocol XcodeCommandPlugin: Plugin {
  func performCommand(context: XcodePluginContext, arguments: [String]) throws
}

public struct XcodePluginContext {
  public let xcodeProject: XcodeProject
  public let pluginWorkDirectoryURL: URL
  public func tool(named name: String) throws -> PluginContext.Tool { stub() }
}

public struct XcodeProject {
  public let directoryURL: URL
}

public struct XcodeTarget {
  public let displayName: String
}

private func stub() -> Never { fatalError("a stub of XcodeProjectPlugin is for the type checker only") }
