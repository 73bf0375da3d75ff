// The outcomes of the operations of a commit.

package import JSON
package import WireFormat

/// The answer to a commit of one queue.
package struct CommitAnswer: Hashable, Sendable {
  /// The server's clock.
  package var time: Timestamp
  package var result: Result

  package init(time: Timestamp, result: Result) {
    self.time = time
    self.result = result
  }

  /// The outcomes, or a refusal of the whole commit.
  package enum Result: Hashable, Sendable {
    case decided(Decided)
    /// Nothing was applied.
    case refused(QueueRefusal)
  }

  /// A mutation in neither list was skipped, mostly because one before it, of the same object, waits or was rejected.
  /// The client sends it again.
  package struct Decided: Hashable, Sendable {
    /// The grant of the sender's membership.
    package var grant: GrantID
    /// The sender's role after the commit, or the last one if the commit has ended the membership.
    package var role: QueueRole
    /// The outcomes of the operations that this commit or an earlier one has decided.
    package var outcomes: [OperationOutcome]
    /// Operations without an outcome, because files that they wait for have not arrived.
    package var waiting: [Waiting]

    package init(grant: GrantID, role: QueueRole, outcomes: [OperationOutcome], waiting: [Waiting] = []) {
      self.grant = grant
      self.role = role
      self.outcomes = outcomes
      self.waiting = waiting
    }
  }

  /// An operation without an outcome, because these files have not arrived. The client uploads them and sends it again.
  package struct Waiting: Hashable, Sendable {
    package var operation: OperationID
    package var files: [ContentHash]

    package init(operation: OperationID, files: [ContentHash]) {
      self.operation = operation
      self.files = files
    }
  }
}

extension CommitAnswer: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    time = try reader.required("time", .timestamp)
    if let refusal = try reader.optional("refusal", MessageField<QueueRefusal>.message) {
      result = .refused(refusal)
    } else {
      result = .decided(try reader.required("decided", .message))
    }
  }

  package var json: JSONValue {
    switch result {
    case .decided(let decided): ["time": .time(time), "decided": decided.json, "refusal": .null]
    case .refused(let refusal): ["time": .time(time), "decided": .null, "refusal": refusal.json]
    }
  }
}

extension CommitAnswer.Decided: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      grant: try reader.required("grant", .id()),
      role: try reader.required("role", .role),
      outcomes: try reader.required("outcomes", .list(.message, atMost: ProtocolLimits.mutations)),
      waiting: try reader.required("waiting", .list(.message, atMost: ProtocolLimits.mutations)))
  }

  package var json: JSONValue {
    [
      "grant": .id(grant), "role": .string(role.name), "outcomes": .list(outcomes), "waiting": .list(waiting),
    ]
  }
}

extension CommitAnswer.Waiting: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      operation: try reader.required("operation", .id()),
      files: try reader.required("files", .list(.hash, atMost: ProtocolLimits.files)))
  }

  package var json: JSONValue { ["operation": .id(operation), "files": .list(texts: files)] }
}
