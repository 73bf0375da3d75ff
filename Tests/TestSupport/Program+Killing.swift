// A program that is killed while it works, at a line of its output.
public import Foundation

extension Program {
  /// What a program said before it was killed.
  public struct Killed: Sendable {
    /// All of its standard output, also what came after the line.
    public var lines: [String]
    /// Of the machine, the same in every process: just before the kill.
    public var atNanoseconds: UInt64
    /// False where it had ended by itself.
    public var wasKilled: Bool
    public var errors: String
  }

  /// Starts it, and kills it with SIGKILL when it has written so many lines to its standard output.
  public func kill(_ arguments: [String], in folder: URL, afterLines count: Int) throws -> Killed {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Missing(name: "a pipe") }
    defer { close(ends[0]) }
    // No program that another test starts meanwhile shall hold the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let streams = try TemporaryFolder()
    try streams.write("errors", "")
    let process = process(arguments, in: folder, environment: [:])
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    process.standardError = try FileHandle(forWritingTo: streams.url("errors"))
    do {
      defer { close(ends[1]) }
      try Self.starting.withLock { try process.run() }
    }
    var output = LineReader(file: ends[0])
    while output.lines.count < count, output.readMore() {}
    let time = DispatchTime.now().uptimeNanoseconds
    Foundation.kill(process.processIdentifier, SIGKILL)
    while output.readMore() {}
    process.waitUntilExit()
    return Killed(
      lines: output.lines, atNanoseconds: time,
      wasKilled: process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL,
      errors: try streams.read("errors"))
  }
}
