// Why a request was not served, and what that asks for: the one table of errors of the client.

import SyncProtocol

/// A request without an answer that can be used. **None of them makes an operation leave the outbox.**
struct SyncFailure: Error, Hashable, Sendable {
  var reaction: Reaction
  /// For a person.
  var message: String
  var retryAfterMilliseconds: Int64 = 0
  /// Something answered, and not as the server does: it may be this request that it does not like.
  var isForeignAnswer = false

  enum Reaction: Hashable, Sendable {
    /// The server was not reached, or serves nobody: everything waits.
    case waitForServer
    /// This request failed, others may succeed: its queue waits.
    case waitWithQueue
    /// A new token is needed.
    case refreshCredentials
    /// The batch was too large.
    case halveBatch
  }
}

extension SyncFailure {
  /// No answer came.
  init(_ error: any Error) {
    self.init(reaction: .waitForServer, message: "The server was not reached: \(error).")
  }

  /// The answer is none of this protocol's; nil where it may be.
  init?(_ answer: TransportAnswer) {
    // Whoever says these two, the server or a proxy before it, means them.
    if answer.status == 401 {
      let error = (try? JSONValue(body: answer.body, atMost: ProtocolLimits.answerBytes)).flatMap {
        RequestError(answer: $0)
      }
      self.init(
        reaction: .refreshCredentials, message: "The server refuses the token\(error.map { ": \($0.message)" } ?? ".")")
    } else if answer.status == 413 {
      self.init(reaction: .halveBatch, message: "The request was too large.")
    } else if answer.protocolVersion == nil {
      self.init(
        reaction: .waitForServer, message: "Something else than the server answered, with the status \(answer.status).")
      isForeignAnswer = true
    } else if answer.protocolVersion != "\(ProtocolVersion.current)" {
      self.init(
        reaction: .waitForServer,
        message: "The server speaks version \(answer.protocolVersion ?? "") of the protocol: this app is too old.")
      retryAfterMilliseconds = Backoff.longestMilliseconds
    } else {
      return nil
    }
    retryAfterMilliseconds = max(retryAfterMilliseconds, (answer.retryAfterSeconds ?? 0) * 1_000)
  }

  /// Another database answers than the one that the store has always synced with. An empty one that was made where the
  /// first was lost knows nothing: what the device has must not go because of that.
  static let otherServer = SyncFailure(
    reaction: .waitForServer,
    message: "This is another server than the one that the store has synced with. Nothing is sent and nothing goes "
      + "until that one is back; for another server, open another store.",
    retryAfterMilliseconds: Backoff.longestMilliseconds)

  /// The server's own errors.
  init(_ error: RequestError, retryAfterSeconds: Int64?) {
    let reaction: Reaction =
      switch error.code {
      case .unauthenticated: .refreshCredentials
      case .tooLarge: .halveBatch
      case .tooManyRequests, .unavailable, .unsupportedVersion, .requestTimeout: .waitForServer
      default: .waitWithQueue
      }
    self.init(
      reaction: reaction, message: "The server answered \(error.code.rawValue): \(error.message)",
      retryAfterMilliseconds: (retryAfterSeconds ?? 0) * 1_000)
    if error.code == .unsupportedVersion { retryAfterMilliseconds = Backoff.longestMilliseconds }
  }

  /// The body is no message: cut, or of a newer server.
  init(_ error: MessageError) {
    self.init(reaction: .waitWithQueue, message: "The answer cannot be read: \(error).")
  }
}
