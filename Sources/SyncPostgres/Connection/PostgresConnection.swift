// A connection to PostgreSQL by libpq: the only file that imports it.

import CLibPQ
import Foundation

/// One connection, in pipeline mode: the statements of one `run` go out together, and cost one round trip.
///
/// `@unchecked Sendable`: one thread uses it at a time; the pool hands it over.
final class PostgresConnection: @unchecked Sendable {
  private let raw: OpaquePointer
  /// The names of the statements that this connection has prepared, or is about to.
  private var names: [PostgresStatement: String] = [:]
  /// Names are given once: a statement that could not be prepared gets another one next time.
  private var lastName = 0
  /// The batches that were sent and whose results nobody has read.
  private var unread: [[Answer]] = []
  private var roundTrips = 0
  /// Whether the connection was cut, or its state is not known.
  private(set) var isBroken = false
  private let patience: Int

  /// What is to come for a call.
  private enum Answer {
    case preparation(PostgresStatement)
    case rows
  }

  /// Seconds without any progress after which the connection counts as cut.
  static let patienceSeconds = 60

  /// Connects to an address of the form `postgres://user:password@host:port/database?setting=value`, or of libpq's other
  /// form. What the address does not say comes from libpq's environment variables. No message has the address, because
  /// it may have a password.
  init(_ address: String, patienceSeconds: Int = PostgresConnection.patienceSeconds) throws(PostgresError) {
    patience = patienceSeconds
    guard Self.isReadable(address) else {
      throw PostgresError(
        .badAddress, "The address of PostgreSQL cannot be read. Write it like postgres://user@host:5432/database.")
    }
    // A host that answers nothing any more is noticed within two minutes, unless the address says otherwise.
    raw = try Self.connect([
      "fallback_application_name": "modelserver", "client_encoding": "UTF8", "connect_timeout": "10",
      "keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "6", "dbname": address,
    ])
    // Otherwise libpq writes notices to standard error. Errors come with results too.
    PQsetNoticeProcessor(raw, { _, _ in }, nil)
    // From here on, `deinit` closes it.
    guard PQstatus(raw) == CONNECTION_OK, PQsetnonblocking(raw, 1) == 0, PQenterPipelineMode(raw) == 1 else {
      throw PostgresError(.noConnection, Self.message(of: raw))
    }
  }

  deinit { PQfinish(raw) }

  private static func isReadable(_ address: String) -> Bool {
    var error: UnsafeMutablePointer<CChar>?
    let options = PQconninfoParse(address, &error)
    defer {
      PQconninfoFree(options)
      PQfreemem(error)
    }
    return options != nil
  }

  /// Connects with these settings. `dbname` is last, because what stands in it goes before all others.
  private static func connect(
    _ settings: KeyValuePairs<String, String>
  ) throws(PostgresError) -> OpaquePointer {
    var names: [UnsafePointer<CChar>?] = settings.map { UnsafePointer(strdup($0.key)) }
    var values: [UnsafePointer<CChar>?] = settings.map { UnsafePointer(strdup($0.value)) }
    defer { for text in names + values { free(UnsafeMutablePointer(mutating: text)) } }
    names.append(nil)
    values.append(nil)
    guard let raw = PQconnectdbParams(names, values, 1) else {
      throw PostgresError(.noConnection, "there is no memory for a connection")
    }
    return raw
  }

  private static func message(of raw: OpaquePointer) -> String {
    let message = PQerrorMessage(raw).map { String(cString: $0) } ?? ""
    return message.split { $0.isWhitespace }.joined(separator: " ")
  }
}

// Statements.
extension PostgresConnection {
  /// Returns, and forgets, how often a thread has waited for answers.
  func takeRoundTrips() -> Int {
    defer { roundTrips = 0 }
    return roundTrips
  }

  /// Sends statements together, and waits for all their rows. If one fails, none behind it was run; throws its error.
  func run(_ calls: [PostgresCall]) throws(PostgresError) -> [[PostgresRow]] {
    try send(calls)
    roundTrips += 1
    // The results of earlier batches, which nobody needs, come first. Their errors are nobody's either.
    while unread.count > 1 {
      do { _ = try read() } catch  where !isBroken {}
    }
    return try read()
  }

  func run(_ call: PostgresCall) throws(PostgresError) -> [PostgresRow] { try run([call])[0] }

  /// Sends statements whose results nobody needs. The next `run` reads them.
  func send(_ calls: [PostgresCall]) throws(PostgresError) {
    guard !isBroken else { throw PostgresError(.noConnection, "the connection was cut before") }
    var answers: [Answer] = []
    for call in calls { try queue(call, &answers) }
    guard PQpipelineSync(raw) == 1 else { throw broken() }
    unread.append(answers)
    while try !flush() { try wait(toWrite: true) }
  }

  private func queue(_ call: PostgresCall, _ answers: inout [Answer]) throws(PostgresError) {
    if names[call.statement] == nil {
      lastName += 1
      names[call.statement] = "s\(lastName)"
      answers.append(.preparation(call.statement))
      let types = call.values.map { Oid($0.type) }
      guard PQsendPrepare(raw, "s\(lastName)", call.statement.sql, Int32(types.count), types) == 1 else {
        throw broken()
      }
    }
    answers.append(.rows)
    let values = call.values.map(\.encoded)
    let lengths = values.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: values.count)
    // One buffer for all values, so that none moves while libpq copies them.
    let joined = values.flatMap { (value: [UInt8]?) -> [UInt8] in (value ?? []) + [0] }
    let isQueued = joined.withUnsafeBytes { joined in
      var offset = 0
      let pointers = values.map { value -> UnsafePointer<CChar>? in
        defer { offset += (value?.count ?? 0) + 1 }
        return value == nil ? nil : joined.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
      }
      return PQsendQueryPrepared(raw, names[call.statement], Int32(values.count), pointers, lengths, formats, 1) == 1
    }
    if !isQueued { throw broken() }
  }

  /// Reads the results of the oldest batch.
  private func read() throws(PostgresError) -> [[PostgresRow]] {
    let answers = unread.removeFirst()
    var rows: [[PostgresRow]] = []
    var failure: PostgresError?
    for answer in answers {
      let result = try next()
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
        if case .rows = answer { rows.append(Self.rows(of: result)) }
      default:
        // What stands behind a failed statement is aborted, and says nothing new.
        failure = failure ?? error(of: result)
        if case .preparation(let statement) = answer { names[statement] = nil }
      }
      guard try next() == nil else { throw broken("a statement has a second result") }
    }
    let end = try next()
    defer { PQclear(end) }
    guard PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw broken("the end of a batch is missing") }
    if let failure {
      if failure.endsConnection { isBroken = true }
      throw failure
    }
    return rows
  }

  private func error(of result: OpaquePointer?) -> PostgresError {
    let message = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    guard let state else { return PostgresError(.noConnection, Self.message(of: raw)) }
    return PostgresError(.refused(state), message ?? "an error without words")
  }

  private static func rows(of result: OpaquePointer?) -> [PostgresRow] {
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      PostgresRow(
        (0..<columns).map { column in
          if PQgetisnull(result, row, column) == 1 { return nil }
          let bytes = UnsafeRawPointer(PQgetvalue(result, row, column))
          return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(result, row, column))))
        })
    }
  }
}

// The way to the server. It reads while it writes, because the server stops to read when nobody takes its answers.
extension PostgresConnection {
  /// The next result; nil at the end of those of one statement.
  private func next() throws(PostgresError) -> OpaquePointer? {
    while PQisBusy(raw) == 1 { try wait(toWrite: try !flush()) }
    return PQgetResult(raw)
  }

  /// Returns whether all was sent.
  private func flush() throws(PostgresError) -> Bool {
    let left = PQflush(raw)
    if left < 0 { throw broken() }
    return left == 0
  }

  private func wait(toWrite: Bool) throws(PostgresError) {
    var descriptor = pollfd(fd: PQsocket(raw), events: Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0), revents: 0)
    let count = poll(&descriptor, 1, Int32(patience * 1_000))
    if count == 0 { throw broken("no answer for \(patience) seconds") }
    if count < 0 && errno != EINTR { throw broken("poll has failed") }
    if Int32(descriptor.revents) & (POLLIN | POLLHUP | POLLERR) != 0, PQconsumeInput(raw) == 0 { throw broken() }
  }

  private func broken(_ message: String? = nil) -> PostgresError {
    isBroken = true
    unread = []
    return PostgresError(.noConnection, message ?? Self.message(of: raw))
  }
}

// News.
extension PostgresConnection {
  /// Waits until somebody has notified this connection, at most for a time. Returns the payloads, none if the time was up.
  func notifications(within milliseconds: Int) throws(PostgresError) -> [String] {
    var descriptor = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
    if poll(&descriptor, 1, Int32(milliseconds)) > 0, PQconsumeInput(raw) == 0 { throw broken() }
    var payloads: [String] = []
    while let notification = PQnotifies(raw) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }
}
