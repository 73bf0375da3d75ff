// The connections that are open, and what a request may ask of its own.

import Foundation
import NIOCore

/// One connection, as the code that answers a request sees it.
///
/// `@unchecked Sendable`: behind its lock.
final class Connection: @unchecked Sendable {
  private let lock = NSLock()
  private var isGone = false
  private var waiting: AsyncStream<Never>.Continuation?
  private let askForBody: @Sendable () -> Void

  init(askForBody: @escaping @Sendable () -> Void) { self.askForBody = askForBody }

  /// Tells a client that asks first (`Expect: 100-continue`) to go on.
  func wantBody() { askForBody() }

  /// The client sends nothing more, and most likely listens no more.
  func end() {
    let waiting = lock.withLock {
      isGone = true
      return self.waiting
    }
    waiting?.finish()
  }

  /// Runs work that is cancelled when the client goes.
  func whileOpen<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
    // Ends with the connection, or with the work.
    let (open, continuation) = AsyncStream<Never>.makeStream()
    let isGone = lock.withLock {
      waiting = continuation
      return self.isGone
    }
    if isGone { continuation.finish() }
    return await withTaskGroup(of: Result.self) { group in
      group.addTask {
        defer { continuation.finish() }
        return await body()
      }
      for await _ in open {}
      group.cancelAll()
      guard let result = await group.next() else { preconditionFailure("the work ends with a result") }
      return result
    }
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
