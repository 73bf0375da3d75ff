// The open connections, and the handle by which a request reaches its own.

import Foundation
import NIOCore
import WireFormat

/// One connection, as the code that answers a request sees it.
///
/// `@unchecked Sendable`: its lock guards all state.
final class Connection: @unchecked Sendable {
  private let lock = NSLock()
  private var isGone = false
  private var whenGone: (@Sendable () -> Void)?
  /// The values that each answer holds until it has gone out, in the order of the answers.
  private var held: [[any Sendable]] = []
  /// Whether the client has shown a valid token, or has gone.
  private var isKnown = false
  /// Called when the connection no longer counts as a stranger; nil if it does not count as one.
  private var whenKnown: (@Sendable () -> Void)?
  private let askForBody: @Sendable () -> Void

  private let close: @Sendable () -> Void

  init(askForBody: @escaping @Sendable () -> Void, close: @escaping @Sendable () -> Void) {
    (self.askForBody, self.close) = (askForBody, close)
  }

  /// Tells a client that asked with `Expect: 100-continue` to send the body.
  func wantBody() { askForBody() }

  /// Closes the connection at once. Nothing goes out any more.
  func cut() { close() }

  /// Whether no request had a valid token yet.
  var isStranger: Bool { lock.withLock { !isKnown } }

  /// To be called when a request had a valid token, or the client has gone. The connection no longer counts as a
  /// stranger.
  func becomeKnown() {
    let whenKnown = lock.withLock {
      isKnown = true
      defer { self.whenKnown = nil }
      return self.whenKnown
    }
    whenKnown?()
  }

  /// Counts the connection as a stranger, and calls `leave` once it is known or has gone. If it is known already,
  /// returns false and never calls `leave`.
  func countAsStranger(until leave: @escaping @Sendable () -> Void) -> Bool {
    lock.withLock {
      guard !isKnown else { return false }
      whenKnown = leave
      return true
    }
  }

  /// To be called when the client sends nothing more, and so has most likely gone. Calls the closure of `onEnd`.
  func end() {
    let whenGone = lock.withLock {
      isGone = true
      defer { self.whenGone = nil }
      return self.whenGone
    }
    whenGone?()
  }

  /// Keeps the values of the next answer until it has gone out, or the connection has. A client that sends nothing more
  /// may still receive the answer.
  func willSend(holding values: [any Sendable]) {
    lock.withLock { held.append(values) }
  }

  /// To be called when an answer has gone out. Releases its values.
  func didSend() {
    // The values are released outside of the lock.
    _ = lock.withLock { held.isEmpty ? [] : held.removeFirst() }
  }

  /// Calls `body` when the client goes, or at once if it has gone. `body` takes the place of an earlier one.
  func onEnd(_ body: @escaping @Sendable () -> Void) {
    let isGone = lock.withLock {
      if !self.isGone { whenGone = body }
      return self.isGone
    }
    if isGone { body() }
  }
}

/// `@unchecked Sendable`: its lock guards all state.
final class Connections: @unchecked Sendable {
  private let lock = NSLock()
  private var open: [ObjectIdentifier: Open] = [:]
  private var strangers: Strangers
  private let perUser: Int
  private var byUser: [UserID: Int] = [:]

  /// Milliseconds after which `judge` is to be called for a new connection.
  let patience: Int64

  private struct Open {
    var connection: Connection
    /// The user of the last request that was admitted; nil before the first one.
    var user: UserID?
  }

  /// `perUser`: the most connections of one user.
  init(strangers: Strangers, perUser: Int = .max) {
    self.strangers = strangers
    self.perUser = perUser
    patience = strangers.patience
  }

  func add(_ connection: Connection, at channel: any Channel) {
    lock.withLock { open[ObjectIdentifier(channel)] = Open(connection: connection) }
  }

  func remove(_ channel: any Channel) {
    lock.withLock { leave(open.removeValue(forKey: ObjectIdentifier(channel))?.user) }
  }

  /// Counts a connection for the user of its newest request. A proxy sends requests of many users over one. Returns
  /// false if the user has as many others as one may have.
  func admit(_ channel: any Channel, for user: UserID) -> Bool {
    let id = ObjectIdentifier(channel)
    return lock.withLock {
      guard let counted = open[id], counted.user != user else { return true }
      guard byUser[user, default: 0] < perUser else { return false }
      leave(counted.user)
      open[id]?.user = user
      byUser[user, default: 0] += 1
      return true
    }
  }

  private func leave(_ user: UserID?) {
    guard let user, let count = byUser[user] else { return }
    byUser[user] = count > 1 ? count - 1 : nil
  }

  /// Counts a connection that has not shown a valid token as a stranger, and cuts it if there are too many.
  func judge(_ connection: Connection, at address: String) {
    let isAdmitted = lock.withLock { strangers.admit(address) }
    let isStranger = connection.countAsStranger { [weak self] in if isAdmitted { self?.leave(address) } }
    if !isStranger, isAdmitted { leave(address) }
    if isStranger, !isAdmitted { connection.cut() }
  }

  private func leave(_ address: String) { lock.withLock { strangers.leave(address) } }

  var count: Int { lock.withLock { open.count } }

  var strangerCount: Int { lock.withLock { strangers.count } }

  subscript(channel: any Channel) -> Connection? { lock.withLock { open[ObjectIdentifier(channel)]?.connection } }
}
