// The top-level fields of the schema. Each is a call of the protocol.

package import SyncProtocol

/// An internal error. Its text is for the server's log, but clients may get an answer that helps them.
protocol ServedError: Error {
  /// The error that clients get; nil for the general internal error.
  var answer: RequestError? { get }
}

/// One field that can be executed. The arguments of all fields are read before any is executed, so that a request with
/// a mistake does nothing.
package struct GraphQLRoot: Sendable {
  package typealias Run = @Sendable () async throws -> Output
  /// Makes the JSON of an answer. Separate from `Run`, so that a worker thread can do it.
  package typealias Output = @Sendable () -> JSONValue

  /// Reads the arguments. Throws a `MessageError` if they are not a valid request.
  let prepare: @Sendable ([JSONValue.Member]) throws(MessageError) -> Run

  /// Clients see a `RequestError` that `serve` throws. Any other error is internal, and no client sees its text.
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

  /// A field that gets its arguments as JSON.
  init(raw serve: @escaping @Sendable ([JSONValue.Member]) async throws -> JSONValue) {
    prepare = { arguments throws(MessageError) in
      {
        let value = try await serve(arguments)
        return { value }
      }
    }
  }

  /// A field whose value is a list.
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
