// The errors of a store, as one closed list.

/// The reason why a store could not be opened, read or written, or why an operation did not happen.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of error, for a program.
  public var code: Code
  /// The error and its remedy, in words for a person.
  public var message: String

  /// For an operation written by hand: one that throws it is turned down with this code. Also for previews and tests.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The raw values are stored in rows, so they must not change.
  public enum Code: String, Hashable, Sendable {
    /// The file is no SQLite database, or bytes in it are not what was written.
    case damaged
    /// The disk is full. Operations that cannot be saved fail; perform them again once there is room.
    case diskFull
    /// Another program has held the database for more than 5 seconds. An open store tries to save again by itself.
    case locked
    /// The folder or the file may not be written.
    case readOnly
    /// The system reported an error while reading or writing.
    case inputOutput
    /// The store was written by a newer version of the library.
    case newerVersion
    /// The store was written by an older version of the library, which was never released.
    case olderVersion
    /// The store belongs to another user or another schema, or the database is no store.
    case foreign
    /// A field has another type or tag in the schema than in the store, so stored values would be misread.
    case schemaChanged
    /// The store was closed.
    case closed
    /// The operation could not be evaluated, or is too large.
    case refused
    /// The operation was taken back before it was sent, or before the server applied it.
    case cancelled
    /// The user may not do this: the store turned it down when it was performed, or the server rejected it.
    case forbidden
    /// The server rejected the operation, because the queue would have had no owner any more.
    case lastOwner
    /// The link by which the user wanted to join a queue is not open any more, or never was.
    case linkEnded
    /// The operation demands that an object is as the user saw it, and somebody else was faster.
    case conditionFailed
    /// The server rejected the operation for another reason; the message has its code.
    case rejected
    /// The operation changed nothing: when it reached the server, its object was not there, or had been deleted, by
    /// this user or another one.
    case noEffect
    /// An operation that this one depends on did not happen.
    case dependency
    /// Whether the server applied the operation is not known any more.
    case unknownOutcome
    /// The user is no member any more of the queue that the operation changes.
    case revoked
    /// The server has lost, by a restore or a failover, that the user is a member of the queue that the operation changes.
    case membershipLost
    /// The queue that the operation changes has ended: its root was deleted, and everything in it is gone for all.
    case ended
    /// The store is in use: it is open already, in this process or another one, or another client syncs it now.
    case busy
  }

  public var description: String { message }

  /// Whether the same call may succeed later, without opening the store again.
  package var isPassing: Bool { code == .diskFull || code == .locked }
}
