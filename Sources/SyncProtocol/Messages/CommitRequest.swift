// The changes that a client wants to make to one queue.

package import JSON
package import WireFormat

/// Operations of one queue, in the order in which they were performed.
package struct CommitRequest: Hashable, Sendable {
  package var queue: QueueID
  /// The grant of the membership that the client knows; nil if it has never read the queue.
  package var grant: GrantID?
  /// At most `ProtocolLimits.mutations`.
  package var mutations: [Mutation]

  package init(queue: QueueID, grant: GrantID? = nil, mutations: [Mutation]) {
    self.queue = queue
    self.grant = grant
    self.mutations = mutations
  }

  /// An operation as it is sent.
  ///
  /// A repetition has the same bytes, but `isVoid` may be set, `attempt` may grow, and `firstSent` may be earlier.
  package struct Mutation: Hashable, Sendable {
    /// The operation's id, which is random and never changes.
    package var operation: OperationID
    /// The newest server time that the client knew when it first sent the operation. In a commit without a grant, no
    /// later than the server's last answer in the present history.
    package var firstSent: Timestamp
    /// How often the user has tried the operation again after a refusal, at most `ProtocolLimits.attempts`.
    package var attempt: Int
    /// The changes as in docs/formats/operation-format.md, at most `ProtocolLimits.mutationBytes`.
    package var changes: [UInt8]
    /// Whether the server should settle the operation without applying it.
    package var isVoid: Bool

    package init(
      operation: OperationID, firstSent: Timestamp, attempt: Int = 0, changes: [UInt8], isVoid: Bool = false
    ) {
      self.operation = operation
      self.firstSent = firstSent
      self.attempt = attempt
      self.changes = changes
      self.isVoid = isVoid
    }
  }
}

extension CommitRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      queue: try reader.required("queue", .id()),
      grant: try reader.optional("grant", .id()),
      mutations: try reader.required("mutations", .list(.message, atMost: ProtocolLimits.mutations)))
  }

  package var json: JSONValue {
    ["queue": .id(queue), "grant": .id(grant), "mutations": .list(mutations)]
  }
}

extension CommitRequest.Mutation: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      operation: try reader.required("operation", .id()),
      firstSent: try reader.required("firstSent", .timestamp),
      attempt: try reader.optional("attempt", .attempt) ?? 0,
      changes: try reader.required("changes", .bytes(atMost: ProtocolLimits.mutationBytes)),
      isVoid: try reader.optional("void", .bool) ?? false)
  }

  package var json: JSONValue {
    [
      "operation": .id(operation), "firstSent": .time(firstSent), "attempt": .count(attempt),
      "changes": .base64(changes), "void": .bool(isVoid),
    ]
  }
}
