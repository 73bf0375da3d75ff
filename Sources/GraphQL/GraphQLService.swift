// Turns a GraphQL request into the body of its answer: parsing, validation and planning. Knows no HTTP and no storage.

package import JSON

package struct GraphQLService: Sendable {
  let schema: GraphQLSchema
  let limits: GraphQLLimits
  private let documents = GraphQLDocuments()

  package init(schema: GraphQLSchema, limits: GraphQLLimits = GraphQLLimits()) {
    self.schema = schema
    self.limits = limits
  }

  /// Parses, validates and plans a request: the text of a document, which of its operations is meant, and values of its
  /// variables. The job of a refused request has its answer already.
  package func job(
    _ text: String, operation name: String? = nil, variables: [JSONValue.Member] = [],
    _ resolvers: [String: GraphQLResolver]
  ) -> GraphQLJob {
    let source = Array(text.utf8)
    guard source.count <= limits.bytes else {
      return GraphQLJob(refusing: [GraphQLError(.validationFailed, "The document is too large.")])
    }
    do throws(GraphQLError) {
      let document: GraphQLDocument
      if let known = documents[text] {
        document = known
      } else {
        document = try GraphQLParser.document(source, limits: limits)
        let errors = GraphQLValidator.errors(in: document, schema, limits)
        guard errors.isEmpty else { return GraphQLJob(refusing: errors, source: source) }
        documents.keep(document, text)
      }
      let operation = try Self.operation(name, in: document)
      let input = try GraphQLInput(schema, operation.variables, given: variables)
      guard let root = schema.root(of: operation.kind) else { preconditionFailure("the document was validated") }
      let plans = try GraphQLPlan.fields([operation.selections], of: root, schema, input, document.fragmentsByName)
      let execution = try GraphQLExecution(plans, of: root, input, resolvers, answerBytes: limits.answerBytes)
      return GraphQLJob(execution, source: source)
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
