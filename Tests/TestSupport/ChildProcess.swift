// A program that a test has started.
//
// Does not use Foundation's `Process`: on Linux its `run()` reads beyond the end of a listing of the process's open
// files. With more than 1,350 of them, which stores of tests that run at once have, it was seen to crash (Foundation
// 6.3.1, `findMaximumOpenFromProcSelfFD`).
import CSpawn
import Foundation

/// A child of this process. `wait()` must be called once it is started, or it stays as a zombie.
///
/// `@unchecked Sendable`: how it ended is read under a lock, the rest does not change.
final class ChildProcess: @unchecked Sendable {
  /// How a program ended.
  enum End: Hashable {
    case exited(Int32)
    case killed(bySignal: Int32)

    /// The status as shells say it: 128 plus the signal, if a signal ended the program.
    var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  struct Failure: Error, CustomStringConvertible {
    var program: String
    var code: Int32

    var description: String { "\(program) cannot be started: \(String(cString: strerror(code)))" }
  }

  let identifier: pid_t
  private let lock = NSLock()
  private var end: End?

  /// Starts a program in `folder`. It gets an empty standard input, `output` and `errors`, and no other open file.
  init(
    _ program: String, _ arguments: [String], in folder: String, _ environment: [String: String],
    output: Int32, errors: Int32
  ) throws {
    let words = ([program] + arguments).map { strdup($0) }
    let settings = environment.map { strdup("\($0.key)=\($0.value)") }
    defer { for text in words + settings { free(text) } }
    var child: pid_t = 0
    let code = spawn_program(&child, folder, words + [nil], settings + [nil], output, errors)
    guard code == 0 else { throw Failure(program: program, code: code) }
    identifier = child
  }

  /// Sends a signal, unless the child has ended: its process id may be another's by then.
  func send(_ signal: Int32) {
    lock.withLock { if collect(WNOHANG) == nil { kill(identifier, signal) } }
  }

  /// Waits for its end.
  func wait() -> End {
    // Waits without the lock, so that a signal gets through. The process id stays the child's until it is collected.
    var ignored = siginfo_t()
    while waitid(P_PID, id_t(identifier), &ignored, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    return lock.withLock { collect(0) ?? .exited(-1) }
  }

  private func collect(_ options: Int32) -> End? {
    if let end { return end }
    var status: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(identifier, &status, options) } while found == -1 && errno == EINTR
    guard found == identifier else { return nil }
    let signal = status & 0x7f
    end = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(bySignal: signal)
    return end
  }
}
