// Why a request was not served, and what that asks for: the one table of errors of the client.

import ClientStore
import SyncProtocol

/// A request without an answer that can be used. **None of them makes an operation leave the outbox.**
struct SyncFailure: Error, Hashable, Sendable {
  var reaction: Reaction
  var error: SyncError
  var retryAfterMilliseconds: Int64 = 0
  /// Something answered, and not as the server does: it may be this request that it does not like.
  var isForeignAnswer = false

  /// Whether one of several queues of a request may be what it failed for, and the others succeed without it.
  var mayBeOfOneQueue: Bool {
    (reaction == .waitWithQueue || reaction == .halveBatch || isForeignAnswer) && error.code != .store
  }

  enum Reaction: Hashable, Sendable {
    /// The server was not reached, or serves nobody: everything waits.
    case waitForServer
    /// The server serves, and asks for fewer requests: everything waits a moment, and nothing has failed.
    case slowDown
    /// This request failed, others may succeed: its queue waits.
    case waitWithQueue
    /// A new token is needed: it was asked for, and this one is refused as well.
    case refreshCredentials
    /// The batch was too large.
    case halveBatch
  }

  init(_ reaction: Reaction, _ code: SyncError.Code, _ message: String, retryAfterSeconds: Int64? = nil) {
    self.reaction = reaction
    error = SyncError(code, message)
    // Whatever a server or something before it says: no longer than we would wait ourselves.
    retryAfterMilliseconds = min(max(retryAfterSeconds ?? 0, 0), Backoff.longestMilliseconds / 1_000) * 1_000
  }
}

extension SyncFailure {
  /// No answer came, or there is no token to ask with.
  init(_ error: any Error) {
    if let error = error as? SyncError {
      self.init(.waitForServer, error.code, error.message)
    } else {
      self.init(.waitForServer, .unreachable, "The server was not reached: \(error).")
    }
  }

  /// The answer is none of this protocol's; nil where it may be.
  init?(_ answer: TransportAnswer) {
    let seconds = answer.retryAfterSeconds
    // These two are believed also where a proxy before the server says them.
    if answer.status == 401 {
      let error = (try? JSONValue(body: answer.body, atMost: ProtocolLimits.answerBytes)).flatMap {
        RequestError(answer: $0)
      }
      self.init(
        .refreshCredentials, .signedOut, "The server refuses the token\(error.map { ": \($0.message)" } ?? ".")",
        retryAfterSeconds: seconds)
    } else if answer.status == 413 {
      self.init(
        .halveBatch, .refused, "The server, or a proxy before it, finds the request too large.",
        retryAfterSeconds: seconds)
    } else if answer.protocolVersion == nil {
      self.init(
        .waitForServer, .unreachable, "Something else than the server answered, with the status \(answer.status).",
        retryAfterSeconds: seconds)
      isForeignAnswer = true
    } else if answer.protocolVersion != "\(ProtocolVersion.current)" {
      self.init(
        .waitForServer, .outdated,
        "The server speaks version \(answer.protocolVersion ?? "") of the protocol: this app is too old.",
        retryAfterSeconds: .max)
    } else {
      return nil
    }
  }

  /// Another database answers than the one that the store has always synced with. An empty one that was made where the
  /// first was lost knows nothing: what the device has must not go because of that.
  static let otherServer = SyncFailure(
    .waitForServer, .otherServer,
    "This is another server than the one that the store has synced with. Nothing is sent and nothing goes until that one "
      + "is back; for another server, open another store.")

  /// The request was made in a history of the server that is not the one it has now. It is asked again at once; where
  /// that fails too, two servers answer in turn.
  static let historyChanged = SyncFailure(
    .waitForServer, .unreachable, "The server was restored from a backup while it was asked, and is asked again.")

  /// The server's own errors.
  init(_ error: RequestError, retryAfterSeconds: Int64?) {
    let message = "The server answered \(error.code.rawValue): \(error.message)"
    switch error.code {
    case .unauthenticated:
      self.init(.refreshCredentials, .signedOut, message, retryAfterSeconds: retryAfterSeconds)
    case .tooLarge:
      self.init(.halveBatch, .refused, message, retryAfterSeconds: retryAfterSeconds)
    case .tooManyRequests:
      self.init(.slowDown, .unreachable, message, retryAfterSeconds: retryAfterSeconds)
    case .unavailable, .requestTimeout:
      self.init(.waitForServer, .unreachable, message, retryAfterSeconds: retryAfterSeconds)
    case .unsupportedVersion:
      self.init(.waitForServer, .outdated, message, retryAfterSeconds: .max)
    default:
      self.init(.waitWithQueue, .refused, message, retryAfterSeconds: retryAfterSeconds)
    }
  }

  /// The body is no message: cut, or of a newer server.
  init(_ error: MessageError) {
    self.init(.waitWithQueue, .refused, "The answer cannot be read: \(error).")
  }

  /// There may be room again later, or whoever holds the database lets go. What the server has decided meanwhile it
  /// says once more.
  init(passing error: StoreError) {
    self.init(.waitWithQueue, .store, error.message)
  }
}
