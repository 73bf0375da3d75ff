// The output of a command: the only place that writes to standard output and standard error.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

package enum Terminal {
  /// Writes a text and a line end, unless it ends with one, to standard output. Nothing for an empty text.
  ///
  /// Where that fails, as on a full disk, it says so and ends the process: half an output must not look whole.
  package static func print(_ text: String) {
    guard let failure = write(line(text), to: STDOUT_FILENO) else { return }
    error("error: The output cannot be written: \(String(cString: strerror(failure))).")
    exit(failedToWrite)
  }

  /// Writes as `print` does, but goes on where that fails: a running server does not end for its log.
  package static func notice(_ text: String) {
    _ = write(line(text), to: STDOUT_FILENO)
  }

  /// Writes a text and a line end, unless it ends with one, to standard error.
  package static func error(_ text: String) {
    // There is nowhere left to report a failure to.
    _ = write(line(text), to: STDERR_FILENO)
  }

  /// Writes a text as it is to standard error.
  package static func errorPart(_ text: String) {
    _ = write(text, to: STDERR_FILENO)
  }

  package static func exit(_ status: some RawRepresentable<Int32>) -> Never { exit(status.rawValue) }

  /// As the commands end where a file cannot be read or written.
  private static let failedToWrite: Int32 = 3

  private static func line(_ text: String) -> String {
    text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n"
  }

  /// Returns the error number of a failure. A reader that has gone away (`modelinspect objects Store | head`), or an output
  /// that was closed from the beginning, is none.
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var left = Array(text.utf8)[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        // The one who started us has made the output non-blocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
        continue
      }
      guard count > 0 else { return errno == EPIPE || errno == EBADF ? nil : errno }
      left = left.dropFirst(count)
    }
    return nil
  }

  private static func exit(_ status: Int32) -> Never {
    #if canImport(Darwin)
      Darwin.exit(status)
    #elseif canImport(Musl)
      Musl.exit(status)
    #else
      Glibc.exit(status)
    #endif
  }
}

/// The system's `write`: inside `Terminal` its name means the method.
private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
