// Programs that tests run: the built commands, and programs of the machine that check what we write.
public import Foundation

/// An executable file.
public struct Program: Sendable {
  public let url: URL

  public init(url: URL) {
    self.url = url
  }

  /// Finds a program of the machine, first in the folders of `first`, then in those of `PATH`.
  ///
  /// If there is none, prints that and returns nil, but throws if `CI` is set: a check must not vanish there.
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

    /// Output and errors, for the message of a test.
    public var text: String { output + errors }
  }

  /// Runs it to its end. `COLUMNS` is 80, so that its help is the same on every machine.
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
  // Files, because a pipe that nobody empties would stop the process.
  fileprivate let streams: TemporaryFolder

  public func outcome() throws -> Program.Outcome {
    let status = process.wait().status
    return Program.Outcome(status: status, output: try streams.read("output"), errors: try streams.read("errors"))
  }
}

extension TemporaryFolder {
  /// Makes an empty file, which is open for writing as long as the handle exists.
  func emptyFile(_ path: String) throws -> FileHandle {
    try write(path, bytes: [])
    return try FileHandle(forWritingTo: url(path))
  }
}
