// The lines that say where a server listens. Scripts wait for them, so they are printed when all ports listen.

import Commands
import Logging
import Synchronization

/// Collects a line of each port, and prints all of them with the last one.
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

/// A log that is silent before the announcement, because the program itself prints why a server did not start.
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
