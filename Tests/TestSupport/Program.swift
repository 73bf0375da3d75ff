// Programs that tests run: the built command, and those of the machine that judge what we write.
public import Foundation

/// An executable file.
public struct Program: Sendable {
  public let url: URL

  static let starting = NSLock()

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
    let process = process(arguments, in: folder, environment: environment)
    process.standardOutput = try streams.emptyFile("output")
    process.standardError = try streams.emptyFile("errors")
    // Foundation starts one process at a time: several at once were seen to crash in `Process.run`.
    try Self.starting.withLock { try process.run() }
    return RunningProgram(process: process, streams: streams)
  }

  func process(_ arguments: [String], in folder: URL, environment: [String: String]) -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(["COLUMNS": "80"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

/// A program that was started and not yet waited for.
public struct RunningProgram {
  fileprivate let process: Process
  // Files, not pipes: a pipe that nobody empties would stop the process.
  fileprivate let streams: TemporaryFolder

  public func outcome() throws -> Program.Outcome {
    process.waitUntilExit()
    return Program.Outcome(
      status: process.terminationStatus, output: try streams.read("output"), errors: try streams.read("errors"))
  }
}

extension TemporaryFolder {
  fileprivate func emptyFile(_ path: String) throws -> FileHandle {
    try write(path, bytes: [])
    return try FileHandle(forWritingTo: url(path))
  }
}
