// Ids of what the runtime itself knows: queues and users.

public import WireFormat

/// What a `QueueID` names: the partition that objects are born in and never leave.
public enum ObjectQueue {}

public typealias QueueID = ObjectID<ObjectQueue>

/// What a `UserID` names; what an app shows of a person is a model of its own.
public enum UserAccount {}

public typealias UserID = ObjectID<UserAccount>
