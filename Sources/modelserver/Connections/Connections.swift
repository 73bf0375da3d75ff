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
  /// What the answers hold that have not gone out, in their order.
  private var held: [[any Sendable]] = []
  private let askForBody: @Sendable () -> Void

  private let close: @Sendable () -> Void

  init(askForBody: @escaping @Sendable () -> Void, close: @escaping @Sendable () -> Void) {
    (self.askForBody, self.close) = (askForBody, close)
  }

  /// Tells a client that asks first (`Expect: 100-continue`) to go on.
  func wantBody() { askForBody() }

  /// Ends the connection at once; nothing goes out any more.
  func cut() { close() }

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
    // What it held ends outside of the lock.
    _ = lock.withLock { held.isEmpty ? [] : held.removeFirst() }
  }

  /// What is called when the client goes, or now where it has; the newest takes the place of the one before.
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

  var count: Int { lock.withLock { open.count } }

  subscript(channel: any Channel) -> Connection? {
    get { lock.withLock { open[ObjectIdentifier(channel)] } }
    set { lock.withLock { open[ObjectIdentifier(channel)] = newValue } }
  }
}
