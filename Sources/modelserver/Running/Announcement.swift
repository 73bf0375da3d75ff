// The lines that say where a server listens: scripts wait for them, so they are printed when all of its ports listen.

import Commands
import Logging
import Synchronization

/// Collects a line of each port, and prints them with the last.
final class Announcement: Sendable {
  private let ports: Int
  private let lines = Mutex<[String]>([])
  private let print: @Sendable (String) -> Void

  init(ports: Int, print: @escaping @Sendable (String) -> Void = Terminal.notice) {
    self.ports = ports
    self.print = print
  }

  /// Whether all ports listen.
  var isMade: Bool { lines.withLock { $0.count == ports } }

  func listens(_ line: String) {
    let all = lines.withLock { lines in
      lines.append(line)
      return lines.count == ports ? lines : []
    }
    if !all.isEmpty { print(all.joined(separator: "\n")) }
  }
}

/// A log that begins with the announcement: why a server did not start is said once, by us.
struct StartedLog: LogHandler {
  let announcement: Announcement
  var handler: any LogHandler

  func log(event: LogEvent) {
    if announcement.isMade { handler.log(event: event) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { handler[metadataKey: key] }
    set { handler[metadataKey: key] = newValue }
  }

  var metadata: Logger.Metadata {
    get { handler.metadata }
    set { handler.metadata = newValue }
  }

  var logLevel: Logger.Level {
    get { handler.logLevel }
    set { handler.logLevel = newValue }
  }
}
