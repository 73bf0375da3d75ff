// The calls of the protocol: a document, and the types of the request and the answer.

import JSON
package import WireFormat

/// One call: turns a request into the body of a POST, and the body of the answer into a value.
package struct SyncCall<Request: Sendable, Answer: Sendable>: Sendable {
  /// The name of the GraphQL operation.
  package let name: String
  /// The GraphQL document that is sent.
  package let document: String
  private let variables: @Sendable (Request) -> JSONValue
  private let answer: MessageField<Answer>
  /// Reads the beginning of a body that broke off; nil if nothing of it can be used.
  private let readBeginning: @Sendable (Self, [UInt8], Request) -> Answer?

  /// A body of the media type `application/json`. Only queues of `schema` exist for the request; `version` is that of
  /// the schema. With `user`, the server refuses a token of another user; with `history`, a server with another history
  /// refuses the request.
  package func body(
    _ request: Request, schema: String? = nil, version: SchemaVersion? = nil, of user: UserID? = nil,
    history: HistoryID? = nil
  ) -> [UInt8] {
    guard case .object(let variables) = variables(request) else { preconditionFailure("a request is an object") }
    return GraphQLRequest(
      query: document, operationName: name, variables: variables, user: user, history: history,
      schema: schema, version: version
    ).body
  }

  /// Reads an answer of any status. Throws the server's `RequestError`, or a `MessageError` if the body is not of this
  /// protocol, because something between client and server has answered.
  package func answer(_ body: [UInt8]) throws -> Answer {
    let value = try JSONValue(body: body, atMost: ProtocolLimits.answerBytes)
    if let error = RequestError(answer: value) { throw error }
    return try MessageReader(value).required("data", MessageField<Answer>.named(field, answer))
  }

  /// What can be used of an answer that broke off: of a delta all up to the last whole object, of others nothing.
  package func beginning(of body: [UInt8], to request: Request) -> Answer? { readBeginning(self, body, request) }

  /// The field of the schema that the call asks for.
  package let field: String

  private init(
    _ name: String, _ document: String, field: String, answer: MessageField<Answer>,
    beginning: @escaping @Sendable (Self, [UInt8], Request) -> Answer? = { _, _, _ in nil }
  ) where Request: MessageValue {
    self.name = name
    self.document = document
    self.field = field
    self.variables = { $0.json }
    self.answer = answer
    readBeginning = beginning
  }
}

extension MessageField {
  fileprivate static func named(_ name: String, _ field: Self) -> Self {
    Self { value throws(MessageError) in try MessageReader(value).required(name, field) }
  }
}

extension SyncCall<CommitRequest, CommitAnswer> {
  /// Sends operations of one queue.
  package static let commit = Self("Commit", SyncDocuments.commit, field: "commit", answer: .message)
}

extension SyncCall<CommitsRequest, [CommitAnswer]> {
  package static let commits = Self(
    "Commits", SyncDocuments.commits, field: "commits", answer: .list(.message, atMost: ProtocolLimits.commitQueues))
}

extension SyncCall<DeltaRequest, [DeltaAnswer]> {
  /// Asks what has changed in queues since the client last read them.
  package static let delta = Self(
    "Delta", SyncDocuments.delta, field: "delta", answer: .list(.message, atMost: ProtocolLimits.deltaQueues),
    beginning: { $0.answers(inBeginning: $1, to: $2) })
}

extension SyncCall<ChangedRequest, ChangedAnswer> {
  /// Waits until a queue of the user has something to fetch.
  package static let changed = Self("Changed", SyncDocuments.changed, field: "changed", answer: .message)
}

extension SyncCall<SignalRequest, SignalAnswer> {
  /// Shows signals to queues, or takes them back.
  package static let signal = Self("Signal", SyncDocuments.signal, field: "signal", answer: .message)
}

extension SyncCall<ObjectsRequest, ObjectsPage> {
  /// Reads one queue without a store.
  package static let objects = Self("Objects", SyncDocuments.objects, field: "objects", answer: .message)

  /// Reads objects of one type. The document names the type, and the request's `types` are ignored.
  package static func objects(ofType type: String) -> Self {
    let name = SyncDocuments.objectsName(ofType: type)
    return Self(name, SyncDocuments.objects(ofType: type), field: "objects", answer: .message)
  }
}
