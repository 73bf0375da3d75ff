// The user for whom a task works.

public import WireFormat

/// The user whose request a task answers. Threads take turns between users by it.
public enum Caller {
  /// Nil for the server itself.
  @TaskLocal public static var user: UUIDValue?
}
