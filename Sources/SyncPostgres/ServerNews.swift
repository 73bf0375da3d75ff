// What servers with one database tell each other, by NOTIFY.

import Foundation
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
  private var isStarted = false
  private var isClosed = false
  private var isCutOff = false
  /// The server hears itself too, and does not listen to that.
  private let name: UUIDValue

  /// Seconds until a connection that was cut is tried again.
  private static let pause = 1.0

  init(_ pool: ConnectionPool, name: UUIDValue) { (self.pool, self.name) = (pool, name) }

  /// Whether the database cannot be reached, as far as the thread that listens knows.
  var isAway: Bool { condition.withLock { isCutOff } }

  func tell(_ news: QueueNews) {
    condition.withLock {
      guard isStarted else { return }
      if let leaving = news.leaving {
        if let known = told[news.queue, default: []] { told[news.queue] = .some(known.union(leaving)) }
      } else {
        told[news.queue] = .some(nil)
      }
      condition.signal()
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }

  /// Starts the threads. `hear` gets nil where news may have been missed.
  func start(_ hear: @escaping @Sendable (QueueNews?) -> Void) {
    condition.withLock { isStarted = true }
    run("news out") { self.tellAll() }
    run("news in") { self.listen(hear) }
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
        _ = try open.run(NewsMessage.messages(of: news, from: name).map { Statement.notify(.text($0)) })
      } catch {
        connection = nil
        for one in news { tell(one) }
        waitForRetry()
      }
    }
  }

  /// Waits for something to tell; nil once this is closed.
  private func takeTold() -> [QueueNews]? {
    condition.withLock {
      while told.isEmpty, !isClosed { condition.wait() }
      if isClosed { return nil }
      defer { told = [:] }
      return told.map { QueueNews($0, leaving: $1?.sorted()) }
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
  private func listen(_ hear: (QueueNews?) -> Void) {
    while !condition.withLock({ isClosed }) {
      do {
        let connection = try pool.connect()
        _ = try connection.run(Statement.listen())
        condition.withLock { isCutOff = false }
        hear(nil)
        while !condition.withLock({ isClosed }) {
          for message in try connection.notifications(within: 500) {
            guard let (sender, news) = NewsMessage.read(message) else { continue }
            if sender != name { news.forEach(hear) }
          }
        }
      } catch {
        condition.withLock { isCutOff = true }
        waitForRetry()
      }
    }
  }
}

/// News as text: the sender's name; then for each queue its id and, behind a colon, the users who leave, or a star.
enum NewsMessage {
  /// PostgreSQL takes less than 8,000 bytes.
  private static let mostBytes = 7_900

  static func messages(of news: [QueueNews], from name: UUIDValue) -> [String] {
    var messages: [String] = []
    var message = "\(name)"
    for one in news {
      let leaving = one.leaving?.map { "\($0)" }.joined(separator: ",") ?? "*"
      // There may be too many to name.
      let users = leaving.isEmpty ? "" : ":" + (leaving.utf8.count > mostBytes / 2 ? "*" : leaving)
      let part = ";\(one.queue)\(users)"
      if message.utf8.count + part.utf8.count > mostBytes {
        messages.append(message)
        message = "\(name)"
      }
      message += part
    }
    return messages + [message]
  }

  /// Nil for what no server has sent.
  static func read(_ message: String) -> (sender: UUIDValue, news: [QueueNews])? {
    let parts = message.split(separator: ";", omittingEmptySubsequences: false)
    guard let sender = UUIDValue(String(parts[0])) else { return nil }
    var news: [QueueNews] = []
    for part in parts.dropFirst() {
      let sides = part.split(separator: ":", omittingEmptySubsequences: false)
      guard let queue = UUIDValue(String(sides[0])) else { return nil }
      let users = sides.count > 1 ? sides[1].split(separator: ",").map { UUIDValue(String($0)) } : []
      let leaving = users.compactMap { $0 }.map { UserID($0) }
      news.append(QueueNews(QueueID(queue), leaving: leaving.count == users.count ? leaving : nil))
    }
    return (sender, news)
  }
}

private enum Statement {
  static let notify = PostgresStatement(.everywhere, "SELECT pg_notify('modelserver', $1)")
  static let listen = PostgresStatement(.nothing, "LISTEN modelserver")
}
