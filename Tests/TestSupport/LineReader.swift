// Reads the output of a running program.
import Foundation

/// Whole lines from a pipe, as they come.
struct LineReader {
  let file: Int32
  private(set) var lines: [String] = []
  private var rest: [UInt8] = []

  init(file: Int32) { self.file = file }

  /// Whether a read would not have to wait.
  var isReady: Bool {
    var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Reads what has come, or waits for more. Returns false at the end.
  mutating func readMore() -> Bool {
    var part = [UInt8](repeating: 0, count: 4_096)
    let count = read(file, &part, part.count)
    if count < 0 && errno == EINTR { return true }
    guard count > 0 else { return false }
    rest += part.prefix(count)
    while let end = rest.firstIndex(of: 10) {
      lines.append(String(decoding: rest[..<end], as: UTF8.self))
      rest.removeSubrange(...end)
    }
    return true
  }
}
