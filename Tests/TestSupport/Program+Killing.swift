// Kills a program while it works, at a line of its output.
public import Foundation

extension Program {
  /// The output of a program that was killed, and when that was.
  public struct Killed: Sendable {
    /// All lines of its standard output, including those after the line at which it was killed.
    public var lines: [String]
    /// The time just before the kill, on the clock of the machine that is the same in every process.
    public var atNanoseconds: UInt64
    /// False if it had ended by itself.
    public var wasKilled: Bool
    public var errors: String
  }

  /// Starts it, and kills it with SIGKILL once it has written so many lines to its standard output.
  public func kill(_ arguments: [String], in folder: URL, afterLines count: Int) throws -> Killed {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Missing(name: "a pipe") }
    defer { close(ends[0]) }
    // Programs that other tests start meanwhile must not hold the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let streams = try TemporaryFolder()
    let errors = try streams.emptyFile("errors")
    let process: ChildProcess
    do {
      defer { close(ends[1]) }
      process = try start(arguments, in: folder, [:], output: ends[1], errors: errors.fileDescriptor)
    }
    var output = LineReader(file: ends[0])
    while output.lines.count < count, output.readMore() {}
    let time = DispatchTime.now().uptimeNanoseconds
    process.send(SIGKILL)
    while output.readMore() {}
    let end = process.wait()
    return Killed(
      lines: output.lines, atNanoseconds: time,
      wasKilled: end == .killed(bySignal: SIGKILL),
      errors: try streams.read("errors"))
  }
}
