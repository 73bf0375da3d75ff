// The output for a person or a program: the only place that writes to standard output and standard error.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum Terminal {
  static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

  static func error(_ text: String) { write(text, to: STDERR_FILENO) }

  static func exit(_ status: ExitStatus) -> Never {
    #if canImport(Darwin)
      Darwin.exit(status.rawValue)
    #elseif canImport(Musl)
      Musl.exit(status.rawValue)
    #else
      Glibc.exit(status.rawValue)
    #endif
  }

  /// A reader that went away (`modelinspect objects Store | head`) is no error.
  private static func write(_ text: String, to descriptor: Int32) {
    guard !text.isEmpty else { return }
    var rest = Array((text.hasSuffix("\n") ? text : text + "\n").utf8)[...]
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
