// Programs that tests run: the built command, and those of the machine that judge what we write.
public import Foundation

/// An executable file.
public struct Program: Sendable {
  public let url: URL

  public init(url: URL) {
    self.url = url
  }

  /// A program of the machine, looked for in `first` and then in `PATH`.
  ///
  /// Nil where there is none, which is said aloud, and thrown where `CI` is set: a check must not vanish there.
  public static func find(_ name: String, first: [String] = []) throws -> Program? {
    let environment = ProcessInfo.processInfo.environment
    let folders = first + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
      return Program(url: URL(filePath: "\(folder)/\(name)"))
    }
    print("\(name) is not installed: what it would check is not checked")
    if environment["CI"] == "true" { throw Missing(name: name) }
    return nil
  }

  /// The generator of this package.
  public static func modelgen() throws -> Program { try built("modelgen") }

  /// A command of this package, which the build puts beside the tests.
  public static func built(_ name: String) throws -> Program {
    var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    while folder.path != "/" {
      let candidate = folder.appending(path: name)
      let isFolder = (try? candidate.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
      if !isFolder, FileManager.default.isExecutableFile(atPath: candidate.path) { return Program(url: candidate) }
      folder.deleteLastPathComponent()
    }
    throw Missing(name: name)
  }

  public struct Missing: Error {
    public var name: String
  }

  public struct Outcome: Hashable, Sendable {
    public var status: Int32
    public var output: String
    public var errors: String

    /// Both, for a message of a test.
    public var text: String { output + errors }
  }

  /// Runs it to its end. Help is as wide as on every machine.
  public func run(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> Outcome {
    try start(arguments, in: folder, environment: environment).outcome()
  }

  public func start(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> RunningProgram {
    let streams = try TemporaryFolder()
    let (output, errors) = (try streams.emptyFile("output"), try streams.emptyFile("errors"))
    let process = try start(
      arguments, in: folder, environment, output: output.fileDescriptor, errors: errors.fileDescriptor)
    return RunningProgram(process: process, streams: streams)
  }

  func start(
    _ arguments: [String], in folder: URL, _ environment: [String: String], output: Int32, errors: Int32
  ) throws -> ChildProcess {
    let inherited = ProcessInfo.processInfo.environment.merging(["COLUMNS": "80"]) { $1 }
    return try ChildProcess(
      url.path, arguments, in: folder.path, inherited.merging(environment) { $1 }, output: output, errors: errors)
  }
}

/// A program that was started and not yet waited for.
public struct RunningProgram {
  fileprivate let process: ChildProcess
  // Files, not pipes: a pipe that nobody empties would stop the process.
  fileprivate let streams: TemporaryFolder

  public func outcome() throws -> Program.Outcome {
    let status = process.wait().status
    return Program.Outcome(status: status, output: try streams.read("output"), errors: try streams.read("errors"))
  }
}

extension TemporaryFolder {
  /// Open for writing until the handle goes.
  func emptyFile(_ path: String) throws -> FileHandle {
    try write(path, bytes: [])
    return try FileHandle(forWritingTo: url(path))
  }
}
