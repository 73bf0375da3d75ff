// The errors of a store, as one closed list.

/// A store could not be opened, read or written, or an operation did not come about.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// For a program to decide by.
  public var code: Code
  /// What happened and what to do, for a person.
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The raw values stand in stored rows.
  public enum Code: String, Hashable, Sendable {
    /// The file is no store, or bytes in it are not what was written.
    case damaged
    case diskFull
    /// Another program holds the database, and has not let go of it for seconds. The store tries again by itself.
    case locked
    /// The folder or the file may not be written.
    case readOnly
    /// The system reported an error while reading or writing.
    case inputOutput
    /// The store was written by a newer version of the library.
    case newerVersion
    /// The store was written by a version of the library that was never released.
    case olderVersion
    /// The store belongs to another user or another schema.
    case foreign
    /// The store was closed.
    case closed
    /// The operation could not be evaluated, or is too large.
    case refused
    /// The operation was taken back before it was sent.
    case cancelled
    /// The user may not do this: the store refused it when it was performed, or the server did.
    case forbidden
    /// The server refused the operation, because nobody would have owned the queue any more.
    case lastOwner
    /// The server refused the operation for another reason; the message has its code.
    case rejected
    /// The operation changed nothing, because the object was deleted before it came to the server.
    case noEffect
    /// An operation that this one was built on did not come about.
    case dependency
    /// Whether the server applied the operation is not known any more.
    case unknownOutcome
    /// The user is no member any more of the queue that the operation changes.
    case revoked
    /// The queue that the operation changes has ended: its root was deleted, and everything in it is gone for everybody.
    case ended
    /// Somebody else has the store: it is open already, in this process or another one, or another client syncs it now.
    case busy
  }

  public var description: String { message }

  /// Whether the same may succeed later, without the store being opened again.
  package var isPassing: Bool { code == .diskFull || code == .locked }
}
