// The reasons for which the server refuses a request for a queue.

package import JSON
package import WireFormat

/// Why the server refuses a request for a queue. Nothing was applied, and the client sends nothing before it has
/// pulled.
package enum QueueRefusal: Hashable, Sendable {
  /// The user is no member. Has the outcomes of the operations that the request names. The server may have forgotten
  /// those of operations that were first sent before `retention`.
  case revoked(outcomes: [OperationOutcome], retention: Timestamp)
  /// The queue has ended, for ever, and the user was a member then. Has the same values as `revoked`.
  case ended(outcomes: [OperationOutcome], retention: Timestamp)
  /// Only for a commit: the request was made under another membership than the present one.
  case stale(Membership)
  /// The history is not the one that the client has read.
  case epoch(Membership)
  /// Only for a delta: another membership, or a cursor older than what the server has kept. The client loads the queue
  /// again.
  case reset(Membership)
  /// There is no such queue.
  case absent

  /// The present epoch of the queue, and the present grant of the member.
  package struct Membership: Hashable, Sendable {
    package var epoch: EpochID
    package var grant: GrantID

    package init(epoch: EpochID, grant: GrantID) {
      self.epoch = epoch
      self.grant = grant
    }
  }
}

extension QueueRefusal: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    let reason = try reader.required("reason", .string)
    switch reason {
    case "REVOKED", "ENDED":
      let outcomes: [OperationOutcome] = try reader.required(
        "outcomes", .list(.message, atMost: ProtocolLimits.awaiting))
      let retention = try reader.required("retention", .timestamp)
      self =
        reason == "ENDED"
        ? .ended(outcomes: outcomes, retention: retention) : .revoked(outcomes: outcomes, retention: retention)
    case "STALE": self = .stale(try Membership(reader))
    case "EPOCH": self = .epoch(try Membership(reader))
    case "RESET": self = .reset(try Membership(reader))
    case "ABSENT": self = .absent
    default: throw MessageError(.unknownName, at: "reason")
    }
  }

  package var json: JSONValue {
    switch self {
    case .revoked(let outcomes, let retention):
      Self.json("REVOKED", outcomes: .list(outcomes), retention: .time(retention))
    case .ended(let outcomes, let retention):
      Self.json("ENDED", outcomes: .list(outcomes), retention: .time(retention))
    case .stale(let place): Self.json("STALE", place)
    case .epoch(let place): Self.json("EPOCH", place)
    case .reset(let place): Self.json("RESET", place)
    case .absent: Self.json("ABSENT")
    }
  }

  private static func json(
    _ reason: String, _ place: Membership? = nil, outcomes: JSONValue = .null, retention: JSONValue = .null
  ) -> JSONValue {
    [
      "reason": .string(reason), "epoch": .id(place?.epoch), "grant": .id(place?.grant), "outcomes": outcomes,
      "retention": retention,
    ]
  }
}

extension QueueRefusal.Membership {
  fileprivate init(_ reader: MessageReader) throws(MessageError) {
    epoch = try reader.required("epoch", .id())
    grant = try reader.required("grant", .id())
  }
}
