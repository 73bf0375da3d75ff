// The log: for people, or as JSON for programs that collect logs.

import ArgumentParser
import Commands
import Determinism
import JSON
import Logging
import WireFormat

/// How lines of the log are written.
enum LogForm: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json

  /// Logs warnings and errors only, because every line names something that an operator may have to look at.
  func logger(_ silencing: (any LogHandler) -> any LogHandler = { $0 }) -> Logger {
    var logger = Logger(label: "modelserver") { label in
      let handler: any LogHandler =
        switch self {
        case .text: StreamLogHandler.standardError(label: label)
        case .json: JSONLog()
        }
      return silencing(handler)
    }
    logger.logLevel = .warning
    return logger
  }
}

/// Writes a line of JSON for each event to standard error: `time`, `level`, `message`, and what else belongs to it, as
/// `request`, the id of the request that met an error.
struct JSONLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let now = Timestamp(millisecondsSince1970: RuntimeEnvironment.current.nowMilliseconds())
    Terminal.error(Self.line(event.level, "\(event.message)", metadata.merging(event.metadata ?? [:]) { $1 }, at: now))
  }

  static func line(
    _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, at time: Timestamp
  ) -> String {
    var members: [JSONValue.Member] = [
      .init("time", .string("\(time)")), .init("level", .string(level.rawValue)), .init("message", .string(message)),
    ]
    members += metadata.sorted { $0.key < $1.key }.map { .init($0.key, .string("\($0.value)")) }
    return String(decoding: JSONValue.object(members).encoded, as: UTF8.self)
  }
}
