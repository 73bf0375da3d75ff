// Shows progress on standard error: a bar on a terminal, elsewhere a line every five seconds.
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

/// Writes a line at once. `print` keeps lines back if the output is no terminal.
func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
