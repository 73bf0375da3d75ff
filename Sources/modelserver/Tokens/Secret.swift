// The secret that tokens are signed with: a file of one line, or of two while the secret is changed.

import Commands
import Determinism
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The bytes of a line, without its end, are the key. The service that signs tokens uses the same.
struct Secret {
  let bytes: [UInt8]

  /// The least length of a secret, which is that of the hash (RFC 7518, section 3.2).
  static let leastBytes = 32

  /// Reads the one or two secrets of a file, and warns if everybody may read it. The first signs tokens; tokens of both
  /// are valid.
  static func read(_ path: String) throws -> [Secret] {
    var bytes = try contents(path)
    while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
    guard lines.count <= 2 else {
      throw Mistake.usage(
        "--secret-file: \(path) has \(lines.count) lines; it holds one secret, or two while it is changed, a line each."
      )
    }
    for (index, line) in lines.enumerated() where line.count < leastBytes {
      throw Mistake.usage(
        """
        --secret-file: the secret in \(lines.count == 1 ? "" : "line \(index + 1) of ")\(path) has \(line.count) bytes; \
        it needs at least \(leastBytes). `modelserver new-secret` makes one under another name.
        """)
    }
    var state = stat()
    if stat(path, &state) == 0, state.st_mode & 0o007 != 0 {
      Terminal.error("warning: everybody on this machine may read \(path); `chmod 600` it.")
    }
    return lines.map { Secret(bytes: Array($0)) }
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads the file. Advises to make a new secret only if there is none, because replacing one that cannot be read
  /// would make all of its tokens invalid.
  private static func contents(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT {
        throw Mistake.inputOutput(
          "--secret-file: there is no file \(path). `modelserver new-secret \(path)` makes one.")
      }
      throw Mistake.inputOutput("--secret-file: cannot read \(path): \(SystemReason.reading(errno))")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    var state = stat()
    if fstat(file, &state) == 0, state.st_mode & S_IFMT == S_IFDIR {
      throw Mistake.inputOutput("--secret-file: \(path) is a folder, not a secret.")
    }
    do { return [UInt8](try handle.readToEnd() ?? Data()) } catch {
      throw Mistake.inputOutput("--secret-file: cannot read \(path): \(error.localizedDescription)")
    }
  }

  /// A new secret: 256 random bits as hexadecimal digits.
  static func random(_ environment: RuntimeEnvironment) -> Self {
    let digits = Array("0123456789abcdef".utf8)
    let words = (0..<4).map { _ in environment.randomBits() }
    return Self(bytes: words.flatMap { word in (0..<16).map { digits[Int(word >> (4 * $0) & 15)] } })
  }

  /// Writes a new file. Never overwrites one, because the tokens of its secret would not be valid any more.
  func write(to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      if errno == EEXIST {
        throw Mistake.inputOutput("\(path) is there already; move it away, or name another file.")
      }
      throw Mistake.inputOutput("cannot write \(path): \(SystemReason.writing(errno))")
    }
    let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(bytes + [UInt8(ascii: "\n")]))
      try handle.synchronize()
    } catch {
      throw Mistake.inputOutput("cannot write \(path): \(error.localizedDescription)")
    }
  }
}
