// Rows as JSON. The keys must not change, because tools read them.
import ModelSupport

extension ObjectReading {
  var json: JSONValue {
    [
      "id": JSONValue(id), "model": JSONValue(model), "queue": queue.json, "revision": JSONValue(number: revision),
      "newestBy": JSONValue(number: newestBy), "createdBy": JSONValue(createdBy), "bytes": JSONValue(number: byteCount),
      "fields": fields.json, "problems": .array(problems.map { .string($0) }),
    ]
  }
}

extension OperationReading {
  var json: JSONValue {
    let common: JSONValue = [
      "number": JSONValue(number: number), "id": JSONValue(id), "operation": JSONValue(name), "queue": queue.json,
      "performedAt": JSONValue(performedAt), "parameters": parameters.json,
      "changes": .array(changes.map(\.json)), "members": .array(members.map(\.json)),
      "files": .array(files.map { JSONValue($0) }),
      "dependencies": .array(dependencies.map { JSONValue($0) }),
    ]
    return common + fate.json + ["problems": .array(problems.map { .string($0) })]
  }
}

extension MemberChange {
  fileprivate var json: JSONValue {
    switch action {
    case .follow(let role): ["user": JSONValue(user), "change": .string("follow"), "role": .string("\(role)")]
    case .role(let role): ["user": JSONValue(user), "change": .string("role"), "role": .string("\(role)")]
    case .unfollow: ["user": JSONValue(user), "change": .string("unfollow")]
    }
  }
}

extension OperationReading.Fate {
  fileprivate var json: JSONValue {
    switch self {
    case .pending(let state):
      [
        "state": .string(state.word), "sent": .bool(state.isSent), "voided": .bool(state.isVoided),
        "outcome": JSONValue(state.outcome), "outcomeCode": JSONValue(state.outcomeCode),
        "outcomeAt": JSONValue(number: state.outcomeAt), "cursor": JSONValue(number: state.cursor),
        "firstSent": JSONValue(state.firstSent), "pendingBecause": .string(state.reason),
      ]
    case .failed(let reason, let message): ["reason": JSONValue(reason), "message": JSONValue(message)]
    case .retired(let state):
      [
        "state": .string("retired"), "decidedAt": JSONValue(state.decidedAt),
        "doubt": JSONValue(state.doubt.map { "\($0)" }),
      ]
    }
  }
}

extension SummaryReading {
  var json: JSONValue {
    [
      "schema": property("schema"), "user": property("user"), "library": property("library"),
      "version": JSONValue(number: version),
      "files": .array(files.map { ["name": .string($0.name), "bytes": JSONValue(number: $0.bytes)] }),
      "queues": .array(queues.map(\.json)), "outbox": JSONValue(number: outbox),
      "failed": JSONValue(number: failed), "retired": JSONValue(number: retired),
      "staged": JSONValue(number: staged),
    ]
  }

  private func property(_ name: String) -> JSONValue { JSONValue(properties.first { $0.name == name }?.value) }
}

extension SummaryReading.QueueSummary {
  fileprivate var json: JSONValue {
    [
      "queue": id.map { JSONValue($0) } ?? .string("device"), "cursor": JSONValue(number: state?.place.cursor),
      "epoch": JSONValue(state?.place.epoch.map { hexadecimal($0.rawValue.bytes) }), "home": .bool(isHome),
      "load": JSONValue(load.map { "\($0)" }), "position": JSONValue(number: state?.place.position),
      "invited": .bool(state?.isInvited ?? false), "failure": state?.failure.map(\.json) ?? .null,
      "models": .array(
        models.map {
          ["model": JSONValue($0.name), "objects": JSONValue(number: $0.count), "bytes": JSONValue(number: $0.bytes)]
        }),
    ]
  }
}

extension QueueFailure {
  var json: JSONValue {
    [
      "attempts": JSONValue(number: attempts), "retryAt": JSONValue(retryAt == .zero ? nil : retryAt),
      "lastError": .string(message),
    ]
  }
}

extension JSONValue {
  /// The members of both objects. If one is not an object, the left value.
  static func + (left: Self, right: Self) -> Self {
    guard case .object(let first) = left, case .object(let second) = right else { return left }
    return .object(first + second)
  }
}
