// The calls of the protocol as fields of its GraphQL schema.

import SyncProtocol
package import WireFormat

extension SyncService {
  /// Answers the body of a request of a user whose identity is established.
  package func answer(_ body: [UInt8], by user: UUIDValue) async -> GraphQLResponse {
    await GraphQLService(schema: .sync).answer(body, by: user, roots(of: user))
  }

  private func roots(of user: UUIDValue) -> [String: GraphQLRoot] {
    [
      "commit": GraphQLRoot { request in try await self.translating { try await self.commit(request, by: user) } },
      "delta": GraphQLRoot(listing: { request in
        try await self.translating { try await self.delta(request, by: user) }
      }),
      "changed": GraphQLRoot { request in try await self.translating { try await self.changed(request, by: user) } },
      "objects": GraphQLRoot { request in try await self.translating { try await self.objects(request, by: user) } },
    ]
  }

  /// A storage that is busy or full may serve the same request later: nothing of it was applied.
  private func translating<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch let error as StorageError where error.code == .busy || error.code == .diskFull {
      throw ServedError(RequestError(.unavailable, "The server cannot write now."), cause: error)
    }
  }
}
