// Why a file does not come or go, as one closed list.

/// A file could not be added, brought or fetched. The object that names it loses nothing by that.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// For a program to decide by.
  public var code: Code
  /// What happened and what to do, for a person.
  public var message: String

  public init(_ code: Code, _ message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The reason for which a file does not come or go.
  public enum Code: String, Hashable, Sendable {
    /// The source cannot be read, or was changed while it was copied.
    case source
    /// The bytes were to be here, and are not, or are others.
    case lost
    /// The device's disk is full or fails.
    case disk
    /// The server was not reached, or serves nobody just now.
    case unreachable
    /// The server does not have the file yet: who added it has not brought it.
    case absent
    /// The user may not bring or read files of this queue.
    case forbidden
    /// The server takes no file of this size.
    case tooLarge
    /// The queue or the user has as many bytes on the server as it takes.
    case quota
    /// The bytes that the server has sent are not those of the reference.
    case wrongBytes
    /// No variant of this name is declared, or can be.
    case variant
    /// The store was closed, or the queue has gone from this device.
    case ended
  }

  /// Whether nothing is tried again by itself.
  public var isFinal: Bool {
    switch code {
    case .source, .lost, .tooLarge, .variant, .ended: true
    case .disk, .unreachable, .absent, .forbidden, .quota, .wrongBytes: false
    }
  }

  public var description: String { message }

  static let ended = Self(.ended, "The store was closed, or the queue of the file has gone from this device.")
}
