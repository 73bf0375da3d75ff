// An error of a GraphQL request, with its place in the document.

package import JSON

/// One entry of an answer's `errors`.
package struct GraphQLError: Error, Hashable, Sendable {
  package var code: Code
  package var message: String
  /// The place in the document, in bytes.
  package var offset: Int?
  /// The place in the answer, from the outermost field: names of fields, and indices in lists.
  package var path: [JSONValue]
  /// What programs are told beside the code.
  package var extensions: [JSONValue.Member]

  package init(
    _ code: Code, _ message: String, at offset: Int? = nil, path: [JSONValue] = [], extensions: [JSONValue.Member] = []
  ) {
    self.code = code
    self.message = message
    self.offset = offset
    self.path = path
    self.extensions = extensions
  }

  static func syntax(_ message: String, at offset: Int) -> Self { Self(.parseFailed, message, at: offset) }
  static func invalid(_ message: String, at offset: Int) -> Self { Self(.validationFailed, message, at: offset) }

  func json(_ places: GraphQLPlaces) -> JSONValue {
    var members = [JSONValue.Member("message", .string(message))]
    if let offset {
      let (line, column) = places.place(of: offset)
      members.append(JSONValue.Member("locations", [["line": .count(line), "column": .count(column)]]))
    }
    if !path.isEmpty { members.append(JSONValue.Member("path", .array(path))) }
    members.append(
      JSONValue.Member("extensions", .object([JSONValue.Member("code", .string(code.name))] + extensions)))
    return .object(members)
  }
}

extension GraphQLError {
  /// The kind of an error, as `extensions.code` names it. Resolvers have codes of their own beside these.
  package struct Code: Hashable, Sendable {
    package let name: String
    /// The HTTP status of an answer that has nothing but this error.
    package let status: Int

    package init(_ name: String, status: Int) {
      self.name = name
      self.status = status
    }

    /// The document is not GraphQL.
    package static let parseFailed = Self("GRAPHQL_PARSE_FAILED", status: 400)
    /// The document does not fit the schema, or exceeds a limit.
    package static let validationFailed = Self("GRAPHQL_VALIDATION_FAILED", status: 400)
    /// A variable or an argument is not of its type, or its resolver refuses it.
    package static let badUserInput = Self("BAD_USER_INPUT", status: 400)
    /// The answer has too many bytes.
    package static let tooLarge = Self("TOO_LARGE", status: 413)
    package static let internalServerError = Self("INTERNAL_SERVER_ERROR", status: 500)
  }
}

/// An error of a resolver that says what clients hear of it. Of any other error clients hear only that something went
/// wrong, and the log gets the rest.
package protocol GraphQLClientError: Error {
  /// What clients hear, without a place; nil for the general internal error.
  var toClients: GraphQLError? { get }
  /// Whether the log gets the error as well.
  var isInternal: Bool { get }
}
