// What an app can show of sync.

public import WireFormat

/// How sync stands at one moment.
public struct SyncStatus: Hashable, Sendable {
  public var activity: Activity
  /// Operations on their way: performed, and not yet part of confirmed state.
  public var pending: Int
  /// Operations that did not happen, until they are dismissed.
  public var attention: Int
  /// Since when the server has not been reached, by the device's clock.
  public var offlineSince: Timestamp?
  /// When the server is tried again, by the device's clock.
  public var nextRetry: Timestamp?
  /// What went wrong last, for a person; nil once requests succeed again.
  public var problem: String?

  public enum Activity: Hashable, Sendable {
    /// `run` was not called, or has ended.
    case stopped
    case paused
    /// Nothing to do: waits for the user and for the server.
    case idle
    /// Sends what the user did.
    case pushing
    /// Fetches what others did.
    case pulling
    /// The server cannot be reached, or refuses everything.
    case offline
  }

  public init(
    activity: Activity, pending: Int, attention: Int, offlineSince: Timestamp? = nil, nextRetry: Timestamp? = nil,
    problem: String? = nil
  ) {
    self.activity = activity
    self.pending = pending
    self.attention = attention
    self.offlineSince = offlineSince
    self.nextRetry = nextRetry
    self.problem = problem
  }
}

/// Syncing once did not come to its end.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for a person.
  public var description: String

  public init(_ description: String) {
    self.description = description
  }
}
