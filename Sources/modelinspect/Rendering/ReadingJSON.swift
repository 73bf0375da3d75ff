// Rows as JSON. The keys must not change, because tools read them.
import ModelSupport

extension ObjectReading {
  var json: OrderedJSON {
    [
      "id": OrderedJSON(id), "model": OrderedJSON(model), "queue": queue.json,
      "revision": OrderedJSON(number: revision),
      "newestBy": OrderedJSON(number: newestBy), "createdBy": OrderedJSON(createdBy),
      "bytes": OrderedJSON(number: byteCount),
      "fields": fields.json, "problems": .array(problems.map { .string($0) }),
    ]
  }
}

extension OperationReading {
  var json: OrderedJSON {
    let common: OrderedJSON = [
      "number": OrderedJSON(number: number), "id": OrderedJSON(id), "operation": OrderedJSON(name), "queue": queue.json,
      "performedAt": OrderedJSON(performedAt), "attempt": OrderedJSON(number: attempt), "parameters": parameters.json,
      "changes": .array(changes.map(\.json)), "members": .array(members.map(\.json)),
      "files": .array(files.map { OrderedJSON($0) }),
      "dependencies": .array(dependencies.map { OrderedJSON($0) }),
    ]
    return common + fate.json + ["problems": .array(problems.map { .string($0) })]
  }
}

extension MemberChange {
  fileprivate var json: OrderedJSON {
    switch action {
    case .follow(let role): ["user": OrderedJSON(user), "change": .string("follow"), "role": .string("\(role)")]
    case .role(let role): ["user": OrderedJSON(user), "change": .string("role"), "role": .string("\(role)")]
    case .unfollow: ["user": OrderedJSON(user), "change": .string("unfollow")]
    }
  }
}

extension OperationReading.Fate {
  fileprivate var json: OrderedJSON {
    switch self {
    case .pending(let state):
      [
        "state": .string(state.word), "sent": .bool(state.isSent), "voided": .bool(state.isVoided),
        "hidden": .bool(state.isHidden),
        "outcome": OrderedJSON(state.outcome), "outcomeCode": OrderedJSON(state.outcomeCode),
        "outcomeAt": OrderedJSON(number: state.outcomeAt), "cursor": OrderedJSON(number: state.cursor),
        "firstSent": OrderedJSON(state.firstSent), "pendingBecause": .string(state.reason),
      ]
    case .failed(let reason, let message): ["reason": OrderedJSON(reason), "message": OrderedJSON(message)]
    case .retired(let state):
      ["state": .string("retired"), "decidedAt": OrderedJSON(state.decidedAt)]
    }
  }
}

extension SummaryReading {
  var json: OrderedJSON {
    [
      "schema": property("schema"), "user": property("user"), "library": property("library"),
      "version": OrderedJSON(number: version),
      "files": .array(files.map { ["name": .string($0.name), "bytes": OrderedJSON(number: $0.bytes)] }),
      "queues": .array(queues.map(\.json)), "outbox": OrderedJSON(number: outbox),
      "failed": OrderedJSON(number: failed), "retired": OrderedJSON(number: retired),
      "staged": OrderedJSON(number: staged),
    ]
  }

  private func property(_ name: String) -> OrderedJSON { OrderedJSON(properties.first { $0.name == name }?.value) }
}

extension SummaryReading.QueueSummary {
  fileprivate var json: OrderedJSON {
    [
      "queue": id.map { OrderedJSON($0) } ?? .string("device"), "cursor": OrderedJSON(number: state?.place.cursor),
      "history": OrderedJSON(state?.place.history), "home": .bool(isHome),
      "load": OrderedJSON(load.map { "\($0)" }), "position": OrderedJSON(number: state?.place.position),
      "invited": .bool(state?.isInvited ?? false), "failure": state?.failure.map(\.json) ?? .null,
      "models": .array(
        models.map {
          [
            "model": OrderedJSON($0.name), "objects": OrderedJSON(number: $0.count),
            "bytes": OrderedJSON(number: $0.bytes),
          ]
        }),
    ]
  }
}

extension QueueFailure {
  var json: OrderedJSON {
    [
      "attempts": OrderedJSON(number: attempts), "retryAt": OrderedJSON(retryAt == .zero ? nil : retryAt),
      "lastError": .string(message),
    ]
  }
}

extension OrderedJSON {
  /// The members of both objects. If one is not an object, the left value.
  static func + (left: Self, right: Self) -> Self {
    guard case .object(let first) = left, case .object(let second) = right else { return left }
    return .object(first + second)
  }
}
