// The reasons for which the server refuses a request for a queue.

package import JSON
package import WireFormat

/// Why the server refuses a request for a queue. Nothing was applied, and the client sends nothing before it has
/// pulled. The server looks for the reasons in this order.
package enum QueueRefusal: Hashable, Sendable {
  /// There is no such queue.
  case noQueue
  /// The queue has ended, for ever, and the user was a member then. Has the outcomes of the operations that the request
  /// names. The server may have forgotten those of operations that were first sent before `retention`.
  case ended(outcomes: [OperationOutcome], retention: Timestamp)
  /// The user is no member. Has the same values as `ended`.
  case revoked(outcomes: [OperationOutcome], retention: Timestamp)
  /// Only for a commit: the request was made under another membership than the present one, whose grant this is.
  case stale(GrantID)
  /// Only for a delta: another membership than the present one, whose grant this is, or a cursor that the server does
  /// not serve. The client loads the queue again.
  case reset(GrantID)
}

extension QueueRefusal: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    let reason = try reader.required("reason", .string)
    switch reason {
    case "NO_QUEUE": self = .noQueue
    case "ENDED", "REVOKED":
      let outcomes: [OperationOutcome] = try reader.required(
        "outcomes", .list(.message, atMost: ProtocolLimits.awaiting))
      let retention = try reader.required("retention", .timestamp)
      self =
        reason == "ENDED"
        ? .ended(outcomes: outcomes, retention: retention) : .revoked(outcomes: outcomes, retention: retention)
    case "STALE": self = .stale(try reader.required("grant", .id()))
    case "RESET": self = .reset(try reader.required("grant", .id()))
    default: throw MessageError(.unknownName, at: "reason")
    }
  }

  package var json: JSONValue {
    switch self {
    case .noQueue: Self.json("NO_QUEUE")
    case .ended(let outcomes, let retention):
      Self.json("ENDED", outcomes: .list(outcomes), retention: .time(retention))
    case .revoked(let outcomes, let retention):
      Self.json("REVOKED", outcomes: .list(outcomes), retention: .time(retention))
    case .stale(let grant): Self.json("STALE", grant)
    case .reset(let grant): Self.json("RESET", grant)
    }
  }

  private static func json(
    _ reason: String, _ grant: GrantID? = nil, outcomes: JSONValue = .null, retention: JSONValue = .null
  ) -> JSONValue {
    ["reason": .string(reason), "grant": .id(grant), "outcomes": outcomes, "retention": retention]
  }
}
