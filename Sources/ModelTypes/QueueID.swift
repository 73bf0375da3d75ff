// Ids of what the runtime itself knows: queues and users.

public import WireFormat

/// The partition that a `QueueID` names: objects are born in it and never leave.
public enum ObjectQueue {}

public typealias QueueID = ObjectID<ObjectQueue>

/// The person that a `UserID` names; what an app shows of a person is a model of its own.
public enum UserAccount {}

public typealias UserID = ObjectID<UserAccount>
