// The ids that the runtime itself knows, each of its own type, so that none can stand in the place of another. Messages
// that are encoded by a field table keep them as `UUIDValue`: 16 zeros are written there, and those of an `ObjectID` are
// not.

/// The partition that a `QueueID` names: objects are born in it and never leave.
public enum ObjectQueue {}

/// The id of a queue; its root, the object that is the queue, has the same. The device that makes the root makes it.
public typealias QueueID = ObjectID<ObjectQueue>

/// The person that a `UserID` names. Whatever an app shows of a person is in a model of its own.
public enum UserAccount {}

/// The id of a user, as the server takes it from the token: `UserID(subject:issuer:)`.
public typealias UserID = ObjectID<UserAccount>

/// What an `OperationID` names: something that a user did, which the server decides once.
public enum OperationTag {}

/// The id of an operation, random and made by the device that performs it.
public typealias OperationID = ObjectID<OperationTag>

/// What a `GrantID` names: one membership of a user in a queue, from joining to leaving.
package enum GrantTag {}

/// The id of a grant, made by the server each time a user joins a queue.
package typealias GrantID = ObjectID<GrantTag>

/// What a `HistoryID` names: the history of a server's database, within which revisions can be compared. It ends when
/// the server may have lost what it acknowledged.
public enum HistoryTag {}

/// The id of a history, made by the server with its database, by each restore and by `change-history`.
public typealias HistoryID = ObjectID<HistoryTag>

/// What a `ServerID` names: a server, for as long as its database lives.
public enum ServerTag {}

/// The id of a server, made by it with its database.
public typealias ServerID = ObjectID<ServerTag>

extension ObjectID<ObjectQueue> {
  /// The id of the queue's root, the object that is the queue.
  package var root: UUIDValue { rawValue }
}
