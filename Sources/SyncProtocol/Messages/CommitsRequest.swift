// A request that commits to several queues.

package import JSON

/// Commits of several queues in one request. The server decides each by itself, and sends all answers together.
package struct CommitsRequest: Hashable, Sendable {
  /// At most `ProtocolLimits.commitQueues`, each of another queue, with at most `ProtocolLimits.mutations` mutations in
  /// total.
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
