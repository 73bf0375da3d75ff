// The connections that are open, and what a request may ask of its own.

import Foundation
import NIOCore

/// One connection, as the code that answers a request sees it.
///
/// `@unchecked Sendable`: behind its lock.
final class Connection: @unchecked Sendable {
  private let lock = NSLock()
  private var isGone = false
  private var whenGone: (@Sendable () -> Void)?
  /// Held by the answers that have not gone out, in their order.
  private var held: [[any Sendable]] = []
  /// Whether its client has shown a good token, or has gone.
  private var isKnown = false
  /// Where it counts as a stranger: whom to tell when it is none any more.
  private var whenKnown: (@Sendable () -> Void)?
  private let askForBody: @Sendable () -> Void

  private let close: @Sendable () -> Void

  init(askForBody: @escaping @Sendable () -> Void, close: @escaping @Sendable () -> Void) {
    (self.askForBody, self.close) = (askForBody, close)
  }

  /// Tells a client that asks first (`Expect: 100-continue`) to go on.
  func wantBody() { askForBody() }

  /// Ends the connection at once; nothing goes out any more.
  func cut() { close() }

  /// A request of it had a good token, or it has gone: it takes no place of a stranger any more.
  func becomeKnown() {
    let whenKnown = lock.withLock {
      isKnown = true
      defer { self.whenKnown = nil }
      return self.whenKnown
    }
    whenKnown?()
  }

  /// Calls `leave` once it is no stranger any more, or has gone. Returns whether it is one now; where it is none nothing is
  /// called.
  func countAsStranger(until leave: @escaping @Sendable () -> Void) -> Bool {
    lock.withLock {
      guard !isKnown else { return false }
      whenKnown = leave
      return true
    }
  }

  /// The client sends nothing more, and most likely listens no more.
  func end() {
    let whenGone = lock.withLock {
      isGone = true
      defer { self.whenGone = nil }
      return self.whenGone
    }
    whenGone?()
  }

  /// Keeps what the next answer holds until it has gone out, or the connection has: who only sends nothing more may still
  /// be sent something.
  func willSend(holding values: [any Sendable]) {
    lock.withLock { held.append(values) }
  }

  /// An answer has gone out.
  func didSend() {
    // The values that it held end outside of the lock.
    _ = lock.withLock { held.isEmpty ? [] : held.removeFirst() }
  }

  /// `body` is called when the client goes, or now where it has; it takes the place of an earlier one.
  func onEnd(_ body: @escaping @Sendable () -> Void) {
    let isGone = lock.withLock {
      if !self.isGone { whenGone = body }
      return self.isGone
    }
    if isGone { body() }
  }
}

/// `@unchecked Sendable`: behind its lock.
final class Connections: @unchecked Sendable {
  private let lock = NSLock()
  private var open: [ObjectIdentifier: Connection] = [:]
  private var strangers: Strangers

  /// In milliseconds, until `judge` is to be called.
  let patience: Int64

  init(strangers: Strangers) {
    self.strangers = strangers
    patience = strangers.patience
  }

  /// One that has shown no good token for a while is cut where there are too many of them.
  func judge(_ connection: Connection, at address: String) {
    let isAdmitted = lock.withLock { strangers.admit(address) }
    let isStranger = connection.countAsStranger { [weak self] in if isAdmitted { self?.leave(address) } }
    if !isStranger, isAdmitted { leave(address) }
    if isStranger, !isAdmitted { connection.cut() }
  }

  private func leave(_ address: String) { lock.withLock { strangers.leave(address) } }

  var count: Int { lock.withLock { open.count } }

  var strangerCount: Int { lock.withLock { strangers.count } }

  subscript(channel: any Channel) -> Connection? {
    get { lock.withLock { open[ObjectIdentifier(channel)] } }
    set { lock.withLock { open[ObjectIdentifier(channel)] = newValue } }
  }
}
