// The calls of the protocol as fields of its GraphQL schema.

package import GraphQL
package import SyncProtocol
package import WireFormat

extension SyncService {
  /// The long poll, which may wait for a minute and holds no worker meanwhile.
  package static let waitingCalls: Set = ["changed"]

  /// Answers the body of a request of an authenticated user.
  package func answer(_ body: [UInt8], by user: UserID) async -> GraphQLResponse {
    await job(body, by: user).job.answer()
  }

  /// Parses the body of such a request, and returns the schema that it names too; that is empty if it names none. A
  /// waiting poll keeps the job, but not the body. `room` says how many bytes of objects an answer may have now; pages
  /// are made no larger, but for their first object.
  package func job(
    _ body: [UInt8], by user: UserID, room: @escaping @Sendable () -> Int = { .max },
    onLeaving: @escaping OnLeaving = { _ in }
  ) -> (job: GraphQLJob, schema: String) {
    do throws(GraphQLError) {
      let request = try GraphQLRequest(admitting: body, by: user, history: history)
      let asker = Asker(user, schema: request.schema ?? "", version: request.version)
      versions.note(asker)
      return (graphQL.job(request, resolvers(for: asker, room, onLeaving)), asker.schema)
    } catch {
      return (GraphQLJob(refusing: [error]), "")
    }
  }

  private func resolvers(
    for asker: Asker, _ room: @escaping @Sendable () -> Int, _ onLeaving: @escaping OnLeaving
  ) -> [String: GraphQLResolver] {
    [
      "commit": GraphQLResolver { try await commit($0, by: asker) },
      "commits": GraphQLResolver(listing: { try await commits($0, by: asker) }),
      "delta": GraphQLResolver(listing: { try await delta($0, by: asker, room: room()) }),
      "changed": GraphQLResolver { try await changed($0, by: asker, onLeaving: onLeaving) },
      "signal": GraphQLResolver { try await signal($0, by: asker) },
      "objects": GraphQLResolver { try await objects($0, by: asker, room: room()) },
    ]
  }
}

extension StorageError: GraphQLClientError {
  /// A storage that is busy, full or away may serve the same request later. One that went away may have applied it: then
  /// it gives the same outcomes again.
  package var answer: RequestError? {
    switch code {
    case .busy, .diskFull: RequestError(.unavailable, "The server cannot write now.")
    case .away: RequestError(.unavailable, "The server's database cannot be reached now.")
    case .damaged, .readOnly, .inputOutput, .newerVersion, .olderVersion, .foreign: nil
    }
  }

  package var toClients: GraphQLError? { answer?.toClients }
  package var isInternal: Bool { true }
}
