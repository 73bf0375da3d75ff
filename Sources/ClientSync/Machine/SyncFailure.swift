// The client's one table of errors: why a request failed, and how the client reacts.

import ClientStore
import JSON
import SyncProtocol

/// A request that got no usable answer. **No failure makes an operation leave the outbox.**
struct SyncFailure: Error, Hashable, Sendable {
  var reaction: Reaction
  var error: SyncError
  var retryAfterMilliseconds: Int64 = 0
  /// Something other than the server answered, and may refuse only this request.
  var isForeignAnswer = false

  /// Whether one queue of a shared request may have caused the failure, so that the others succeed without it. A disk
  /// that is full, or an app that is too old, fails for all of them.
  var mayBeOfOneQueue: Bool {
    (reaction == .waitWithQueue || reaction == .halveBatch || isForeignAnswer)
      && ![.store, .outdated].contains(error.code)
  }

  /// Whether one operation of a commit may have caused the failure, so that the others succeed without it.
  var mayBeOfOneOperation: Bool { mayBeOfOneQueue }

  enum Reaction: Hashable, Sendable {
    /// The server was not reached, or serves nobody. Everything waits.
    case waitForServer
    /// The server works, but asks for fewer requests. Everything waits a moment, and nothing has failed.
    case slowDown
    /// This request failed, but others may succeed. Only its queue waits.
    case waitWithQueue
    /// The server refuses the token. The client gets a new one and repeats the request once; if that fails too,
    /// everything waits.
    case refreshCredentials
    /// The request was too large. A commit is halved; any other request waits.
    case halveBatch
  }

  init(_ reaction: Reaction, _ code: SyncError.Code, _ message: String, retryAfterSeconds: Int64? = nil) {
    self.reaction = reaction
    error = SyncError(code, message)
    // No longer than the client's own longest wait, whatever the server or something in front of it says.
    retryAfterMilliseconds = min(max(retryAfterSeconds ?? 0, 0), Backoff.longestMilliseconds / 1_000) * 1_000
  }
}

extension SyncFailure {
  /// No answer came, or there is no token to ask with.
  init(_ error: any Error) {
    if let failure = error as? SyncFailure {
      self = failure
    } else if let error = error as? SyncError {
      self.init(.waitForServer, error.code, error.message)
    } else {
      self.init(.waitForServer, .unreachable, "The server was not reached. \(error)".endedByStop)
    }
  }

  /// The failure that the answer's status and headers tell; nil if the body has to be read.
  init?(_ answer: TransportAnswer) {
    let seconds = answer.retryAfterSeconds
    // 401 and 413 count also if a proxy in front of the server sends them.
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
        .waitForServer, .unreachable, "Something other than the server answered, with the status \(answer.status).",
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

  /// The answer comes from another database than the one that the store has always synced with. An empty one, made
  /// where the first was lost, knows nothing; the device must not delete its data because of that.
  static let otherServer = SyncFailure(
    .waitForServer, .otherServer,
    "This is another server than the one that the store has synced with. Nothing is sent or deleted until that one "
      + "is back; for another server, open another store.")

  /// The request named another history than the one that the server has now. The client asks again at once. If that
  /// fails too, two servers answer in turn, and everything waits.
  static let historyChanged = SyncFailure(
    .waitForServer, .unreachable, "The server was restored from a backup while it was asked, and is asked again.")

  /// Without its history an answer may be of a server that has lost what the store has.
  static let noHistory = SyncFailure(
    .waitForServer, .unreachable,
    "The answer does not name the server's history: something before the server may take its headers away.")

  /// The failure for an error that the server's answer names.
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
    case .outdated:
      // Only commits are refused so: pushes wait, and what others did still comes.
      self.init(.waitWithQueue, .outdated, SyncError.outdated(error.message).message, retryAfterSeconds: .max)
    default:
      self.init(.waitWithQueue, .refused, message, retryAfterSeconds: retryAfterSeconds)
    }
  }

  /// The connection broke off before anything of use had come.
  static let brokenOff = SyncFailure(.waitForServer, .unreachable, "The connection broke off before the answer's end.")

  /// The body cannot be read, for example because a newer server sent it.
  init(_ error: MessageError) {
    self.init(.waitWithQueue, .refused, "The answer cannot be read: \(error).")
  }

  /// The disk is full or another process holds the database; both may pass. The server tells once more what it has
  /// decided meanwhile.
  init(passing error: StoreError) {
    self.init(.waitWithQueue, .store, error.message)
  }
}

extension String {
  /// The text as a sentence. Errors of other libraries end with a full stop or without.
  var endedByStop: String { hasSuffix(".") ? self : self + "." }
}
