// Output for an operator: the only place that writes to standard output and standard error, but for the log.

import Foundation

enum Terminal {
  static func print(_ text: String) { write(text, to: .standardOutput) }

  static func error(_ text: String) { write(text, to: .standardError) }

  static func exit(_ status: ExitStatus) -> Never { Foundation.exit(status.rawValue) }

  /// A reader that went away is no error.
  private static func write(_ text: String, to stream: FileHandle) {
    try? stream.write(contentsOf: Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
  }
}
