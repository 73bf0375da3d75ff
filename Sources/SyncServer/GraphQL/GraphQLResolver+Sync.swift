// Calls of the protocol as fields of its GraphQL schema.

package import GraphQL
import JSON
package import SyncProtocol

extension GraphQLResolver {
  /// Clients see a `RequestError` that `serve` throws. Any other error is internal, and no client sees its text.
  package init<Request: MessageValue, Answer: MessageValue>(
    _ serve: @escaping @Sendable (Request) async throws -> Answer
  ) {
    self.init(prepare: { arguments in
      let request = try Request(MessageReader(.object(arguments)))
      return {
        let answer = try await serve(request)
        return { answer.json }
      }
    })
  }

  /// A field whose value is a list.
  package init<Request: MessageValue, Answer: MessageValue>(
    listing serve: @escaping @Sendable (Request) async throws -> [Answer]
  ) {
    self.init(prepare: { arguments in
      let request = try Request(MessageReader(.object(arguments)))
      return {
        let answers = try await serve(request)
        return { .list(answers) }
      }
    })
  }
}
