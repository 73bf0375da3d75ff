// Turns the body of a GraphQL request into the body of its answer: parsing, validation and planning. Knows no HTTP and
// no storage.

package import SyncProtocol
package import WireFormat

/// An answer, and its HTTP status.
package struct GraphQLResponse: Sendable {
  /// Whether something was executed.
  package private(set) var hasData = false
  package private(set) var errors: [GraphQLError]
  /// The top-level fields that were executed.
  package private(set) var calls: [String] = []
  /// Internal errors, for the server's log.
  package private(set) var causes: [any Error] = []
  /// The body as JSON.
  package private(set) var body: [UInt8]

  /// An answer to a request of which nothing was executed.
  init(errors: [GraphQLError], source: [UInt8] = []) {
    self.errors = errors
    body = Self.body(data: nil, errors, source)
  }

  init(_ execution: GraphQLExecution, _ source: [UInt8]) {
    errors = execution.errors
    body = Self.body(data: execution.data, errors, source)
    calls = execution.calls
    causes = execution.causes
    hasData = true
  }

  private static func body(data: [UInt8]?, _ errors: [GraphQLError], _ source: [UInt8]) -> [UInt8] {
    var bytes = Array("{".utf8)
    if !errors.isEmpty {
      let places = GraphQLPlaces(source)
      bytes += Array(#""errors":"#.utf8) + JSONValue.array(errors.map { $0.json(places) }).encoded
    }
    if let data {
      bytes.reserveCapacity(bytes.count + data.count + 16)
      if !errors.isEmpty { bytes.append(UInt8(ascii: ",")) }
      bytes += Array(#""data":"#.utf8)
      bytes += data
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// The status of an `application/graphql-response+json` answer.
  package var status: Int { hasData ? 200 : errors.first?.code.status ?? 500 }

  /// The status of an `application/json` answer. It is 200 even if the document or its variables are wrong, because
  /// clients that ask for this type take another status for that of a proxy.
  package var legacyStatus: Int {
    guard !hasData, let code = errors.first?.code else { return status }
    return [.parseFailed, .validationFailed, .badUserInput].contains(code) ? 200 : status
  }
}

package struct GraphQLService: Sendable {
  let schema: GraphQLSchema
  let limits: GraphQLLimits
  private let documents = GraphQLDocuments()

  package init(schema: GraphQLSchema, limits: GraphQLLimits = GraphQLLimits()) {
    self.schema = schema
    self.limits = limits
  }

  package func answer(_ body: [UInt8], _ roots: [String: GraphQLRoot]) async -> GraphQLResponse {
    await job(body) { _, _ in roots }.answer(by: DirectCalls())
  }

  /// Parses, validates and plans a request. The job of a refused request has its answer already.
  ///
  /// `roots` gives the implementation of each top-level field for the schema and the version that the request names; an
  /// empty name if it names none. `user` is the sender, if known: a request that names another user is refused.
  /// `history` is the server's: a request that names another history than the present one is refused too.
  package func job(
    _ body: [UInt8], by user: UserID? = nil, history: HistoryTable? = nil,
    _ roots: (_ schema: String, _ version: SchemaVersion?) -> [String: GraphQLRoot]
  ) -> GraphQLJob {
    let request: GraphQLRequest
    do throws(MessageError) {
      request = try GraphQLRequest(body: body)
    } catch {
      let code: RequestError.Code = error.code == .tooLarge ? .tooLarge : .badRequest
      return GraphQLJob(refusing: [GraphQLError(code, "The body is not a GraphQL request: \(Self.words(for: error)).")])
    }
    if let user, let meant = request.user, meant != user {
      return GraphQLJob(refusing: [GraphQLError(.unauthenticated, "The token is of another user than the request.")])
    }
    if let history, let meant = request.history, meant != history.current {
      return GraphQLJob(refusing: [
        GraphQLError(
          .historyChanged, "The server's history is another one than the request's; the answer names it.",
          since: history.since(after: meant))
      ])
    }
    let schema = request.schema ?? ""
    return job(request, roots(schema, request.version)).of(schema)
  }

  /// Words an error for people who try the server out by hand.
  private static func words(for error: MessageError) -> String {
    let types = ["query": "a string", "operationName": "a string", "variables": "an object", "extensions": "an object"]
    guard error.code == .wrongType, let type = types[error.path] else { return "\(error)" }
    return "`\(error.path)` is not \(type)"
  }

  func job(_ request: GraphQLRequest, _ roots: [String: GraphQLRoot]) -> GraphQLJob {
    let source = Array(request.query.utf8)
    guard source.count <= limits.bytes else {
      return GraphQLJob(refusing: [GraphQLError(.validationFailed, "The document is too large.")])
    }
    do throws(GraphQLError) {
      let document: GraphQLDocument
      if let known = documents[request.query] {
        document = known
      } else {
        document = try GraphQLParser.document(source, limits: limits)
        let errors = GraphQLValidator.errors(in: document, schema, limits)
        guard errors.isEmpty else { return GraphQLJob(refusing: errors, source: source) }
        documents.keep(document, request.query)
      }
      let operation = try Self.operation(request.operationName, in: document)
      let input = try GraphQLInput(schema, operation.variables, given: request.variables)
      let fragments = Dictionary(uniqueKeysWithValues: document.fragments.map { ($0.name, $0) })
      guard let root = schema.root(of: operation.kind) else { preconditionFailure("the document was validated") }
      let plans = try GraphQLPlan.fields([operation.selections], of: root, schema, input, fragments)
      return GraphQLJob(try GraphQLExecution(plans, of: root, input, roots), source: source)
    } catch {
      return GraphQLJob(refusing: [error], source: source)
    }
  }

  /// The operation to execute (section 6.1, GetOperation).
  private static func operation(
    _ name: String?, in document: GraphQLDocument
  ) throws(GraphQLError) -> GraphQLOperation {
    let found = document.operations.filter { name == nil || $0.name == name }
    if found.count == 1 { return found[0] }
    let message =
      name.map { "The document has no operation `\($0)`." }
      ?? "The document has \(document.operations.count) operations, and `operationName` names none of them."
    throw GraphQLError(.badUserInput, message)
  }
}

extension GraphQLSchema {
  /// The schema of the protocol. The text is part of this program and tested, so it cannot fail.
  package static let sync = try! GraphQLSchema(SyncSchema.text)
}
