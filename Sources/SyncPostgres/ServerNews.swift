// What servers with one database tell each other, by NOTIFY.

import Foundation
import SyncProtocol
import SyncServer
import WireFormat

/// One thread tells, and one listens. What comes while the first waits for the database goes out together. NOTIFY is not
/// part of the commits: these would wait for each other then.
///
/// `@unchecked Sendable`: the condition's lock guards all state.
final class ServerNews: @unchecked Sendable {
  private let pool: ConnectionPool
  private let condition = NSCondition()
  private var told: [QueueID: Set<UserID>?] = [:]
  /// What is shown, by its place: the newest counts.
  private var signals: [SignalPlace: SignalNews] = [:]
  private var isStarted = false
  private var isClosed = false
  private var isCutOff = false
  /// The server hears itself too, and does not listen to that.
  private let name: UUIDValue

  /// Seconds until a connection that was cut is tried again.
  private static let pause = 1.0
  /// Signals that wait to be told. More are not told: those who show them show them again.
  private static let mostSignals = 200

  private struct SignalPlace: Hashable {
    var user: UserID
    var session: UUIDValue
    var queue: QueueID
    var type: String
  }

  init(_ pool: ConnectionPool, name: UUIDValue) { (self.pool, self.name) = (pool, name) }

  /// Whether the database cannot be reached, as far as the thread that listens knows.
  var isAway: Bool { condition.withLock { isCutOff } }

  func tell(_ message: ServerMessage) {
    condition.withLock {
      guard isStarted else { return }
      switch message {
      case .queue(let news): add(news)
      case .signals(let news): add(news)
      }
      condition.signal()
    }
  }

  private func add(_ news: QueueNews) {
    if let leaving = news.leaving {
      if let known = told[news.queue, default: []] { told[news.queue] = .some(known.union(leaving)) }
    } else {
      told[news.queue] = .some(nil)
    }
  }

  private func add(_ news: SignalNews) {
    for change in news.request.signals {
      let place = SignalPlace(
        user: news.user, session: news.request.session, queue: change.queue, type: change.type)
      guard signals[place] != nil || signals.count < Self.mostSignals else { continue }
      signals[place] = SignalNews(of: news.user, SignalRequest(session: place.session, signals: [change]))
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// Starts the threads. `hear` gets nil where news may have been missed; `ended` is called when nothing more comes.
  func start(_ hear: @escaping @Sendable (ServerMessage?) -> Void, ended: @escaping @Sendable () -> Void) {
    condition.withLock { isStarted = true }
    run("news out") { self.tellAll() }
    run("news in") {
      self.listen(hear)
      ended()
    }
  }

  private func run(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.start()
  }
}

// Telling.
extension ServerNews {
  private func tellAll() {
    var connection: PostgresConnection?
    while let news = takeTold() {
      do {
        let open = try connection ?? pool.connect()
        connection = open
        _ = try open.run(NewsMessage.texts(of: news, from: name).map { Statement.notify(.text($0)) })
      } catch {
        connection = nil
        // Signals are old by then.
        for case .queue(let one) in news { tell(.queue(one)) }
        waitForRetry()
      }
    }
  }

  /// Waits for something to tell; nil once this is closed.
  private func takeTold() -> [ServerMessage]? {
    condition.withLock {
      while told.isEmpty, signals.isEmpty, !isClosed { condition.wait() }
      if isClosed { return nil }
      defer { (told, signals) = ([:], [:]) }
      // Signals first: a member who has left since shows nothing.
      return signals.values.map { .signals($0) } + told.map { .queue(QueueNews($0, leaving: $1?.sorted())) }
    }
  }

  /// Waits for the whole pause: what there is to tell meanwhile does not end it.
  private func waitForRetry() {
    let end = Date(timeIntervalSinceNow: Self.pause)
    condition.withLock { while !isClosed, condition.wait(until: end) {} }
  }
}

// Listening.
extension ServerNews {
  private func listen(_ hear: (ServerMessage?) -> Void) {
    while !condition.withLock({ isClosed }) {
      do {
        let connection = try pool.connect()
        _ = try connection.run(Statement.listen())
        condition.withLock { isCutOff = false }
        hear(nil)
        while !condition.withLock({ isClosed }) {
          for text in try connection.notifications(within: 500) {
            guard let (sender, messages) = NewsMessage.read(text) else { continue }
            if sender != name { for message in messages { hear(message) } }
          }
        }
      } catch {
        condition.withLock { isCutOff = true }
        waitForRetry()
      }
    }
  }
}

private enum Statement {
  static let notify = PostgresStatement(.everywhere, "SELECT pg_notify('modelserver', $1)")
  static let listen = PostgresStatement(.nothing, "LISTEN modelserver")
}
