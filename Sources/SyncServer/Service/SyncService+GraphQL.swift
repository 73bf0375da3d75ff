// The calls of the protocol as fields of its GraphQL schema.

package import SyncProtocol
package import WireFormat

extension SyncService {
  /// The long poll, which may wait for a minute and holds no worker meanwhile.
  package static let waitingCalls: Set = ["changed"]

  /// Answers the body of a request of an authenticated user.
  package func answer(_ body: [UInt8], by user: UserID) async -> GraphQLResponse {
    await job(body, by: user).answer(by: DirectCalls())
  }

  /// Parses the body of such a request. A waiting poll keeps the job, but not the body. `room` says how many bytes of
  /// objects an answer may have now; pages are made no larger, but for their first object.
  package func job(
    _ body: [UInt8], by user: UserID, room: @escaping @Sendable () -> Int = { .max },
    onLeaving: @escaping OnLeaving = { _ in }
  ) -> GraphQLJob {
    graphQL.job(body, by: user, history: history) { schema, version in
      let asker = Asker(user, schema: schema, version: version)
      versions.note(asker)
      return roots(of: asker, room, onLeaving)
    }
  }

  private func roots(
    of asker: Asker, _ room: @escaping @Sendable () -> Int, _ onLeaving: @escaping OnLeaving
  ) -> [String: GraphQLRoot] {
    [
      "commit": GraphQLRoot { try await commit($0, by: asker) },
      "commits": GraphQLRoot(listing: { try await commits($0, by: asker) }),
      "delta": GraphQLRoot(listing: { try await delta($0, by: asker, room: room()) }),
      "changed": GraphQLRoot { try await changed($0, by: asker, onLeaving: onLeaving) },
      "objects": GraphQLRoot { try await objects($0, by: asker, room: room()) },
    ]
  }
}

extension StorageError: ServedError {
  /// A storage that is busy or full may serve the same request later. It has applied nothing of this one.
  package var answer: RequestError? {
    code == .busy || code == .diskFull ? RequestError(.unavailable, "The server cannot write now.") : nil
  }
}
