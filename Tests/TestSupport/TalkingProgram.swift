// A program that goes on running: a test reads its output as it comes, and tells it to stop.
public import Foundation

extension Program {
  /// Starts it; its standard output is read line by line.
  public func talk(
    _ arguments: [String], in folder: URL, environment: [String: String] = [:]
  ) throws -> TalkingProgram {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Missing(name: "a pipe") }
    // Programs that other tests start meanwhile must not hold the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let streams = try TemporaryFolder()
    let errors = try streams.emptyFile("errors")
    defer { close(ends[1]) }
    do {
      let process = try start(arguments, in: folder, environment, output: ends[1], errors: errors.fileDescriptor)
      return TalkingProgram(process: process, output: ends[0], streams: streams)
    } catch {
      close(ends[0])
      throw error
    }
  }
}

/// Kills the program when it is released. `@unchecked Sendable`: lines are read under a lock, and the process has its
/// own.
public final class TalkingProgram: @unchecked Sendable {
  private let process: ChildProcess
  private let streams: TemporaryFolder
  private let output: Int32
  private let lock = NSLock()
  private var reader: LineReader
  private var taken = 0

  fileprivate init(process: ChildProcess, output: Int32, streams: TemporaryFolder) {
    (self.process, self.output, self.streams) = (process, output, streams)
    reader = LineReader(file: output)
  }

  deinit {
    process.send(SIGKILL)
    _ = process.wait()
    close(output)
  }

  /// Waits for the next line; nil at the end of the output.
  public func line() -> String? {
    lock.withLock {
      while reader.lines.count <= taken { if !reader.readMore() { return nil } }
      taken += 1
      return reader.lines[taken - 1]
    }
  }

  /// The next line, if it has been written already; nil otherwise.
  public func lineAtHand() -> String? {
    lock.withLock {
      while reader.lines.count <= taken { if !reader.isReady || !reader.readMore() { return nil } }
      taken += 1
      return reader.lines[taken - 1]
    }
  }

  public func signal(_ signal: Int32) { process.send(signal) }

  /// Waits for its end. Returns its status, or the negative number of the signal that ended it.
  public func wait() -> Int32 {
    switch process.wait() {
    case .exited(let status): return status
    case .killed(let signal): return -signal
    }
  }

  /// The most that it has had in memory so far, in kilobytes; 0 where the system does not say.
  public var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  public func errors() throws -> String { try streams.read("errors") }
}
