// What the terminal of a person can show: colours, and lines that replace each other.

import Commands

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Terminal {
  /// Colour for people, none for files, for pipes and where `NO_COLOR` is set (no-color.org).
  static var showsColour: Bool { isInteractive && (environment("NO_COLOR") ?? "").isEmpty }

  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb" }

  /// Writes text that the next text on the same line replaces. The caller asks `isInteractive` first.
  static func transient(_ text: String) { errorPart("\r\u{1B}[K\(text)") }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
