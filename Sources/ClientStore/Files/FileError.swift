// The errors of adding, uploading and fetching files.

/// A file could not be added, uploaded or fetched. The object that names it loses nothing by that.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// For a program to decide by.
  public var code: Code
  /// What happened and what to do, for a person.
  public var message: String

  /// For a `FileTransport` or a `FileVariant` of your own, and for tests.
  public init(_ code: Code, _ message: String) {
    (self.code, self.message) = (code, message)
  }

  /// The reason why a file could not be added, uploaded or fetched.
  public enum Code: String, Hashable, Sendable {
    /// The source cannot be read, or was changed while it was copied.
    case source
    /// The bytes should be on this device, but are missing or damaged.
    case lost
    /// The device's disk is full or fails.
    case disk
    /// The server was not reached, or cannot serve requests now.
    case unreachable
    /// The server does not have the file yet, because the device that added it has not uploaded it.
    case absent
    /// The user may not upload or read files of this queue.
    case forbidden
    /// The server refuses files of this size.
    case tooLarge
    /// The queue or the user has no more room on the server.
    case quota
    /// The bytes from the server are not those of the reference.
    case wrongBytes
    /// No variant of this name is declared, or the name is not allowed.
    case variant
    /// The store was closed, or the queue has gone from this device.
    case ended
  }

  /// Whether the transfer is not retried automatically.
  public var isFinal: Bool {
    switch code {
    case .source, .lost, .tooLarge, .variant, .ended: true
    case .disk, .unreachable, .absent, .forbidden, .quota, .wrongBytes: false
    }
  }

  public var description: String { message }

  static let ended = Self(.ended, "The store was closed, or the queue of the file has gone from this device.")
}
