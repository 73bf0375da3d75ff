// For whom a task works.

public import WireFormat

/// The user of the request that a task answers: threads take turns between users by it.
public enum Caller {
  /// Nil: the server itself.
  @TaskLocal public static var user: UUIDValue?
}
