// The output for a person: the only place that writes to standard output and standard error.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum Terminal {
  /// Colour for people, none for files, pipes and whoever sets `NO_COLOR` (no-color.org).
  static var showsColour: Bool {
    isatty(STDERR_FILENO) == 1 && (environment("NO_COLOR") ?? "").isEmpty && environment("TERM") != "dumb"
  }

  static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb" }

  static func print(_ text: String) {
    write(text, to: STDOUT_FILENO)
  }

  static func error(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Text that the next one on the same line replaces; the caller asks `isInteractive` first.
  static func transient(_ text: String) {
    writeAll(Array("\r\u{1B}[K\(text)".utf8), to: STDERR_FILENO)
  }

  static func exit(_ status: ExitStatus) -> Never {
    #if canImport(Darwin)
      Darwin.exit(status.rawValue)
    #elseif canImport(Musl)
      Musl.exit(status.rawValue)
    #else
      Glibc.exit(status.rawValue)
    #endif
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func write(_ text: String, to descriptor: Int32) {
    guard !text.isEmpty else { return }
    writeAll(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: descriptor)
  }

  /// A reader that went away (`modelgen lint | head`) is no error.
  private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// `write`, under a name that no method hides.
private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
