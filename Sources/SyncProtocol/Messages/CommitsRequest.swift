// The request of a client that commits to several queues.

/// Commits of several queues in one request: each is decided by itself, and all of their answers come together.
package struct CommitsRequest: Hashable, Sendable {
  /// At most `ProtocolLimits.commitQueues`, each of another queue; together at most `ProtocolLimits.mutations` mutations.
  package var commits: [CommitRequest]

  package init(commits: [CommitRequest]) { self.commits = commits }
}

extension CommitsRequest: MessageValue {
  package init(_ reader: MessageReader) throws(MessageError) {
    commits = try reader.required("commits", .list(.message, atMost: ProtocolLimits.commitQueues))
    guard Set(commits.map(\.queue)).count == commits.count else { throw MessageError(.invalidValue, at: "commits") }
    guard commits.reduce(0, { $0 + $1.mutations.count }) <= ProtocolLimits.mutations else {
      throw MessageError(.tooLarge, at: "commits")
    }
  }

  package var json: JSONValue { ["commits": .list(commits)] }
}
