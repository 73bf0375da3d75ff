// The calls of the protocol as fields of its GraphQL schema.

package import SyncProtocol
package import WireFormat

extension SyncService {
  /// Those that may be answered a minute later: they hold no worker and no memory meanwhile.
  package static let waitingCalls: Set = ["changed", "changedAll"]

  /// Answers the body of a request of a user whose identity is established.
  package func answer(_ body: [UInt8], by user: UUIDValue) async -> GraphQLResponse {
    await job(body, by: user).answer(by: DirectCalls())
  }

  /// The rest of such a request once it was read; a poll waits with that, and without the body.
  package func job(_ body: [UInt8], by user: UUIDValue, onLeaving: @escaping OnLeaving = { _ in }) -> GraphQLJob {
    graphQL.job(body, by: user, history: history, roots(of: user, onLeaving))
  }

  private func roots(of user: UUIDValue, _ onLeaving: @escaping OnLeaving) -> [String: GraphQLRoot] {
    [
      "commit": GraphQLRoot { try await commit($0, by: user) },
      "commits": GraphQLRoot(listing: { try await commits($0, by: user) }),
      "delta": GraphQLRoot(listing: { try await delta($0, by: user) }),
      "changed": GraphQLRoot { try await changed($0, by: user, onLeaving: onLeaving) },
      "changedAll": GraphQLRoot { try await changedAll($0, by: user, onLeaving: onLeaving) },
      "objects": GraphQLRoot { try await objects($0, by: user) },
    ]
  }
}

extension StorageError: ServedError {
  /// A storage that is busy or full may serve the same request later: nothing of it was applied.
  package var answer: RequestError? {
    code == .busy || code == .diskFull ? RequestError(.unavailable, "The server cannot write now.") : nil
  }
}
