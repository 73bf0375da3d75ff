// The routes of the server, and how a path names one.

import HTTPTypes
import SyncProtocol
import SyncServer
import WireFormat

enum Route {
  case graphQL
  case file(FileKey)
  case health
  case ready
  case metrics

  /// The route of a path; nil if there is none. Ignores a query.
  init?(_ path: String?) {
    let parts = (path ?? "").prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.dropFirst() {
    case ["graphql"]: self = .graphQL
    case ["health"]: self = .health
    case ["ready"]: self = .ready
    case ["metrics"]: self = .metrics
    case let parts where parts.count == 3 && parts[1] == "files":
      guard let queue = QueueID(String(parts[2])), let hash = ContentHash(String(parts[3])) else { return nil }
      self = .file(FileKey(queue: queue, hash: hash))
    default: return nil
    }
  }

  var methods: [HTTPRequest.Method] {
    switch self {
    case .graphQL: [.post]
    case .file: [.get, .head, .patch, .post]
    case .health, .ready, .metrics: [.get, .head]
    }
  }

  /// The name in the metrics.
  var name: String {
    switch self {
    case .graphQL: "graphql"
    case .file: "files"
    case .health: "health"
    case .ready: "ready"
    case .metrics: "metrics"
    }
  }
}
