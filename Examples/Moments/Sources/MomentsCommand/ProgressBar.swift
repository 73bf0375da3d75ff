// How far a command is: a bar on a terminal, a line now and then elsewhere.
import Foundation

struct ProgressBar {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var shown = ContinuousClock.now - .seconds(60)

  mutating func show(_ done: Int, of total: Int) {
    let now = ContinuousClock.now
    guard total > 0, done == total || now - shown > (isTerminal ? .milliseconds(50) : .seconds(5)) else { return }
    shown = now
    let filled = 40 * done / total
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 40 - filled)
    write(isTerminal ? "\r\(bar) \(done) of \(total)" : "\(done) of \(total)\n")
  }

  func end() { if isTerminal { write("\n") } }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Not `print`, which keeps lines back where nobody sits at a terminal.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
