// The status of sync, for an app to show.

public import ClientStore
public import Foundation
public import WireFormat

/// The status of sync at one moment.
public struct SyncStatus: Hashable, Sendable {
  /// The current activity; `pulling` if the client sends and fetches at once.
  public var activity: Activity
  /// How many operations were performed and are not yet part of confirmed state.
  public var pendingOperations: Int
  /// How many operations have failed and are not dismissed yet.
  public var failedOperations: Int
  /// When the device last had everything, and so had the server, by the device's clock; nil before the first time since
  /// `run` or `syncOnce`. While `isUpToDate`, it is the time at which that began.
  public var lastSynced: Timestamp?
  /// Since when the server has not been reached, or nothing has come from it, by the device's clock.
  public var offlineSince: Timestamp?
  /// Set while requests take seconds because the network is slow. They go on all the same.
  public var slowNetwork: SlowNetwork?
  /// When the server is tried again, by the device's clock.
  public var nextRetry: Timestamp?
  /// The last error; nil once requests succeed again.
  public var problem: SyncError?

  /// The activity of the client, for an app to show.
  public enum Activity: Hashable, Sendable {
    /// `run` was not called, or has ended.
    case stopped
    /// `pause` was called: no request begins until `resume`. Operations are saved, and wait.
    case paused
    /// Nothing to do: waits for the user and for the server.
    case idle
    /// Sends what the user did.
    case pushing
    /// Fetches what others did.
    case pulling
    /// The server cannot be reached, refuses everything, or nothing has come from it for ten seconds.
    case offline
  }

  /// How slow the network is, and what is left.
  public struct SlowNetwork: Hashable, Sendable {
    /// The measured speed of what goes on now: sending, else fetching. Of bytes before they are compressed, as
    /// `bytesToSend` is.
    public var bytesPerSecond: Int64
    /// About how many bytes the pending operations take on the network, without files.
    public var bytesToSend: Int

    /// For previews and tests.
    public init(bytesPerSecond: Int64, bytesToSend: Int) {
      (self.bytesPerSecond, self.bytesToSend) = (bytesPerSecond, bytesToSend)
    }
  }

  /// Whether the device has everything that the server has, and the server all that the user did, which may be so in an
  /// app that is too old to send more. Of files `StoreFiles.progress` tells.
  public var isUpToDate: Bool {
    activity == .idle && pendingOperations == 0 && (problem == nil || problem?.code == .outdated)
  }

  /// For previews and tests of a view that shows the status.
  public init(
    activity: Activity, pendingOperations: Int, failedOperations: Int, lastSynced: Timestamp? = nil,
    offlineSince: Timestamp? = nil, nextRetry: Timestamp? = nil, slowNetwork: SlowNetwork? = nil,
    problem: SyncError? = nil
  ) {
    self.activity = activity
    self.pendingOperations = pendingOperations
    self.failedOperations = failedOperations
    self.lastSynced = lastSynced
    self.offlineSince = offlineSince
    self.nextRetry = nextRetry
    self.slowNetwork = slowNetwork
    self.problem = problem
  }
}

/// Why sync does not go on, or only in part. Nothing is lost: operations that were performed wait.
public struct SyncError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// For an app to decide by.
  public var code: Code
  /// The error in words for a person.
  public var message: String

  /// The reasons for which sync does not go on.
  public enum Code: Hashable, Sendable {
    /// No connection, or the server serves nobody just now. Tried again by itself.
    case unreachable
    /// The server refuses the token, or there is none: the user has to sign in again.
    case signedOut
    /// The server speaks a newer protocol, or takes no changes from this version of the schema any more: the app has to
    /// be updated. In the second case it still shows what others do.
    case outdated
    /// The server is not the one that the store has always synced with. Tried again by itself.
    case otherServer
    /// The server did not serve a queue. Tried again by itself; other queues go on.
    case refused
    /// The store could not read or write. After a full disk the client tries again; otherwise `run` has ended.
    case store
    /// `pause` was called before `syncOnce` or during it.
    case paused
  }

  /// A `SyncTransport` may throw one too, and the status shows it as it is.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }

  /// The message, as `localizedDescription` shows it.
  public var errorDescription: String? { message }

  /// What helps; nil where nothing that an app could offer does.
  public var recovery: Recovery? {
    switch code {
    case .unreachable, .otherServer, .refused: .wait
    case .signedOut: .signIn
    case .outdated: .updateApp
    case .store, .paused: nil
    }
  }

  /// `detail`: a sentence for developers.
  static func outdated(_ detail: String) -> Self {
    Self(.outdated, "Changes are kept on this device, and go out once the app is updated. \(detail)")
  }

  static let paused = Self(.paused, "Sync is paused; resume() ends that.")
}
