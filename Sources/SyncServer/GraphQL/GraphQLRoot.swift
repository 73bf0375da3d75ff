// What stands behind a field of the schema's roots: a call of the protocol.

package import SyncProtocol

/// An error of ours whose text is for our own log, but which a client may do something about.
protocol ServedError: Error {
  /// What clients are told; nil where nothing helps them.
  var answer: RequestError? { get }
}

/// One field that can be executed. Its arguments are read before anything is: a request with a mistake does nothing.
package struct GraphQLRoot: Sendable {
  package typealias Run = @Sendable () async throws -> JSONValue

  /// Throws a `MessageError` where the arguments are no request.
  let prepare: @Sendable ([JSONValue.Member]) throws(MessageError) -> Run

  /// `serve` throws a `RequestError`; anything else is our own mistake, whose text no client sees.
  package init<Request: MessageValue, Answer: MessageValue>(
    _ serve: @escaping @Sendable (Request) async throws -> Answer
  ) {
    prepare = { arguments throws(MessageError) in
      let request = try Request(MessageReader(.object(arguments)))
      return { try await serve(request).json }
    }
  }

  /// Takes arguments as they are.
  init(raw serve: @escaping @Sendable ([JSONValue.Member]) async throws -> JSONValue) {
    prepare = { arguments throws(MessageError) in { try await serve(arguments) } }
  }

  /// For a field that is a list.
  package init<Request: MessageValue, Answer: MessageValue>(
    listing serve: @escaping @Sendable (Request) async throws -> [Answer]
  ) {
    prepare = { arguments throws(MessageError) in
      let request = try Request(MessageReader(.object(arguments)))
      return { .list(try await serve(request)) }
    }
  }
}
