// The metrics for the operator: counts, durations and errors. No content, no ids, no names of users.

import Foundation
import SyncServer

/// `@unchecked Sendable`: its lock guards all state.
final class Metrics: @unchecked Sendable {
  private let lock = NSLock()
  private var requests: [Request: Int] = [:]
  private var errors: [String: Int] = [:]
  private var durations: [String: Histogram] = [:]
  private var bytes = (received: 0, sent: 0)

  struct Request: Hashable {
    var route: String
    var method: String
    var status: Int
  }

  /// Counts, for each bound, the calls that took at most so many seconds.
  struct Histogram {
    static let bounds: [Double] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
    var counts = [Int](repeating: 0, count: bounds.count)
    var count = 0
    var sum = 0.0

    mutating func add(_ seconds: Double) {
      count += 1
      sum += seconds
      for (index, bound) in Self.bounds.enumerated() where seconds <= bound { counts[index] += 1 }
    }
  }

  /// Counts a request that was answered. `call` is the field of the GraphQL schema that it asked for, or the route.
  func answered(_ request: Request, call: String, codes: [String], took duration: Duration) {
    lock.withLock {
      requests[request, default: 0] += 1
      for code in codes { errors[code, default: 0] += 1 }
      durations[call, default: Histogram()].add(duration / .seconds(1))
    }
  }

  func received(_ count: Int) { lock.withLock { bytes.received += count } }
  func sent(_ count: Int) { lock.withLock { bytes.sent += count } }

  /// The values of this moment, and counts that are kept elsewhere.
  struct Gauges {
    var connections = 0
    var strangers = 0
    var parkedPolls = 0
    var transactions = 0
    var syncs = 0
    var freeDiskBytes: Int64?
    var isDamaged = false
    var isAway = false
    /// Nil if the database cannot tell now.
    var usage: UsageTotals?
    var versions: [VersionCount] = []
    var refusedTokens: [TokenProblem: Int] = [:]
  }

  /// The most versions that are shown, because a client may name any.
  private static let mostVersions = 100

  /// All metrics in the text format of Prometheus, version 0.0.4. Names and labels have a stable order.
  func text(_ gauges: Gauges) -> String {
    lock.withLock {
      var text = MetricsText()
      text.family("modelserver_requests_total", "counter", "Requests that were answered.")
      for (request, count) in requests.sorted(by: { $0.key < $1.key }) {
        let labels = [("route", request.route), ("method", request.method), ("status", "\(request.status)")]
        text.sample("modelserver_requests_total", labels, count)
      }
      text.family("modelserver_errors_total", "counter", "Errors in answers, by their code.")
      for (code, count) in errors.sorted(by: { $0.key < $1.key }) {
        text.sample("modelserver_errors_total", [("code", code)], count)
      }
      text.family("modelserver_refused_tokens_total", "counter", "Tokens that were not good, by why.")
      for problem in TokenProblem.allCases {
        text.sample(
          "modelserver_refused_tokens_total", [("why", problem.rawValue)], gauges.refusedTokens[problem, default: 0])
      }
      text.family("modelserver_call_seconds", "histogram", "How long calls took; a long poll waits.")
      for (call, histogram) in durations.sorted(by: { $0.key < $1.key }) {
        text.histogram("modelserver_call_seconds", [("call", call)], histogram)
      }
      text.counter("modelserver_file_bytes_received_total", "Bytes of files that were received.", bytes.received)
      text.counter("modelserver_file_bytes_sent_total", "Bytes of files that were sent.", bytes.sent)
      text.counter("modelserver_transactions_total", "Transactions that were written.", gauges.transactions)
      text.counter("modelserver_syncs_total", "Syncs of the disk that made them durable.", gauges.syncs)
      text.gauge("modelserver_connections", "Connections that are open.", gauges.connections)
      text.gauge("modelserver_strangers", "Open connections that count for --max-strangers.", gauges.strangers)
      text.gauge("modelserver_parked_polls", "Long polls that wait.", gauges.parkedPolls)
      text.gauge("modelserver_damaged", "1 once the database was found damaged.", gauges.isDamaged ? 1 : 0)
      text.gauge("modelserver_database_away", "1 while PostgreSQL cannot be reached.", gauges.isAway ? 1 : 0)
      if let bytes = gauges.freeDiskBytes {
        text.gauge("modelserver_disk_free_bytes", "Room on the disk, of the database or of files.", Int(bytes))
      }
      if let usage = gauges.usage {
        text.gauge("modelserver_objects", "Objects of all queues, deleted ones too.", Int(usage.objects.rows))
        text.gauge("modelserver_content_bytes", "Bytes of the contents of objects.", Int(usage.objects.bytes))
        text.gauge("modelserver_file_bytes", "Bytes of files, with unfinished uploads.", Int(usage.fileBytes))
        text.gauge(
          "modelserver_unfinished_upload_bytes", "Room of uploads that have not ended.", Int(usage.unfinishedBytes))
      }
      text.family("modelserver_version_users", "gauge", "Users of a version of a schema, seen today.")
      let largest = gauges.versions.sorted { ($1.today, $0) < ($0.today, $1) }
      for version in largest.prefix(Self.mostVersions).sorted() {
        let labels = [("schema", version.schema), ("version", version.version)]
        text.sample("modelserver_version_users", labels, version.today)
      }
      return text.text
    }
  }
}

extension Metrics.Request: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    (left.route, left.method, left.status) < (right.route, right.method, right.status)
  }
}
