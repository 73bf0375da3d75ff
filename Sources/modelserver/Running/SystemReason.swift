// The system's reason why a file cannot be used, and what to do if that is known.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

enum SystemReason {
  /// The reason why nothing can be written at a place.
  static func writing(_ number: Int32) -> String {
    switch number {
    case ENOENT: "\(text(number)). Make the folder first."
    case EACCES, EPERM: "\(text(number)). The user that runs modelserver must be allowed to write there."
    case EROFS: "\(text(number)). Name a place that can be written."
    default: "\(text(number))."
    }
  }

  /// The reason why a file cannot be read.
  static func reading(_ number: Int32) -> String {
    switch number {
    case EACCES, EPERM: "\(text(number)). The user that runs modelserver must be allowed to read it."
    default: "\(text(number))."
    }
  }

  static func text(_ number: Int32) -> String { String(cString: strerror(number)) }
}
