// A program that goes on running: what it says is read as it comes, and it is told to stop.
public import Foundation

extension Program {
  /// Starts it; its standard output is read line by line.
  public func talk(_ arguments: [String], in folder: URL) throws -> TalkingProgram {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Missing(name: "a pipe") }
    // No program that another test starts meanwhile shall hold the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let streams = try TemporaryFolder()
    try streams.write("errors", "")
    let process = process(arguments, in: folder, environment: [:])
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
    process.standardError = try FileHandle(forWritingTo: streams.url("errors"))
    defer { close(ends[1]) }
    do { try Self.starting.withLock { try process.run() } } catch {
      close(ends[0])
      throw error
    }
    return TalkingProgram(process: process, output: ends[0], streams: streams)
  }
}

/// `@unchecked Sendable`: lines are read under a lock, the rest is of the process.
public final class TalkingProgram: @unchecked Sendable {
  private let process: Process
  private let streams: TemporaryFolder
  private let output: Int32
  private let lock = NSLock()
  private var reader: LineReader
  private var taken = 0

  fileprivate init(process: Process, output: Int32, streams: TemporaryFolder) {
    (self.process, self.output, self.streams) = (process, output, streams)
    reader = LineReader(file: output)
  }

  deinit {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    close(output)
  }

  /// Waits for the next line; nil when there is none any more.
  public func line() -> String? {
    lock.withLock {
      while reader.lines.count <= taken { if !reader.readMore() { return nil } }
      taken += 1
      return reader.lines[taken - 1]
    }
  }

  /// The next line, where it has been said already; nil where one would have to wait for it.
  public func lineAtHand() -> String? {
    lock.withLock {
      while reader.lines.count <= taken { if !reader.isReady || !reader.readMore() { return nil } }
      taken += 1
      return reader.lines[taken - 1]
    }
  }

  public func signal(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  /// Waits for its end. Negative where a signal ended it.
  public func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  public func errors() throws -> String { try streams.read("errors") }
}
