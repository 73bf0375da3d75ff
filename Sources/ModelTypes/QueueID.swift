// Ids of queues and users, which the runtime itself knows.

public import WireFormat

/// The partition that a `QueueID` names: objects are born in it and never leave.
public enum ObjectQueue {}

/// The id of a queue; its root, the object that is the queue, has the same.
public typealias QueueID = ObjectID<ObjectQueue>

/// The person that a `UserID` names. Whatever an app shows of a person is in a model of its own.
public enum UserAccount {}

/// The id of a user, as the server takes it from the token: `UserID(subject:issuer:)`.
public typealias UserID = ObjectID<UserAccount>
