// The fields of the schema's roots: each is a call of the protocol.

package import SyncProtocol

/// An error of ours whose text is for our own log, but which a client may do something about.
protocol ServedError: Error {
  /// The message for clients; nil where nothing helps them.
  var answer: RequestError? { get }
}

/// One field that can be executed. Its arguments are read before anything is: a request with a mistake does nothing.
package struct GraphQLRoot: Sendable {
  package typealias Run = @Sendable () async throws -> Output
  /// An answer that becomes JSON where there is time for it.
  package typealias Output = @Sendable () -> JSONValue

  /// Throws a `MessageError` where the arguments are no request.
  let prepare: @Sendable ([JSONValue.Member]) throws(MessageError) -> Run

  /// `serve` throws a `RequestError`; anything else is our own mistake, whose text no client sees.
  package init<Request: MessageValue, Answer: MessageValue>(
    _ serve: @escaping @Sendable (Request) async throws -> Answer
  ) {
    prepare = { arguments throws(MessageError) in
      let request = try Request(MessageReader(.object(arguments)))
      return {
        let answer = try await serve(request)
        return { answer.json }
      }
    }
  }

  /// Takes arguments as they are.
  init(raw serve: @escaping @Sendable ([JSONValue.Member]) async throws -> JSONValue) {
    prepare = { arguments throws(MessageError) in
      {
        let value = try await serve(arguments)
        return { value }
      }
    }
  }

  /// For a field that is a list.
  package init<Request: MessageValue, Answer: MessageValue>(
    listing serve: @escaping @Sendable (Request) async throws -> [Answer]
  ) {
    prepare = { arguments throws(MessageError) in
      let request = try Request(MessageReader(.object(arguments)))
      return {
        let answers = try await serve(request)
        return { .list(answers) }
      }
    }
  }
}
