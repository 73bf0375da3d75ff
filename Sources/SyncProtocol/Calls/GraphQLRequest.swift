// The body of a GraphQL request over HTTP.

/// `{query, operationName, variables}`; other members are ignored.
package struct GraphQLRequest: Hashable, Sendable {
  package var query: String
  package var operationName: String?
  package var variables: [JSONValue.Member]

  package init(query: String, operationName: String? = nil, variables: [JSONValue.Member] = []) {
    self.query = query
    self.operationName = operationName
    self.variables = variables
  }

  package var body: [UInt8] {
    var members = [JSONValue.Member("query", .string(query))]
    if let operationName { members.append(JSONValue.Member("operationName", .string(operationName))) }
    members.append(JSONValue.Member("variables", .object(variables)))
    return JSONValue.object(members).encoded
  }

  /// Bounded by `ProtocolLimits.requestBytes`.
  package init(body: [UInt8]) throws(MessageError) {
    let reader = try MessageReader(try JSONValue(body: body, atMost: ProtocolLimits.requestBytes))
    query = try reader.required("query", .string)
    operationName = try reader.optional("operationName", .string)
    variables = try reader.optional("variables", .members) ?? []
  }
}

extension MessageField<[JSONValue.Member]> {
  fileprivate static var members: Self {
    Self { value throws(MessageError) in
      guard case .object(let members) = value else { throw MessageError(.wrongType) }
      return members
    }
  }
}

extension JSONValue {
  /// A whole body; a larger one is refused before it is read.
  package init(body: [UInt8], atMost maximum: Int) throws(MessageError) {
    guard body.count <= maximum else { throw MessageError(.tooLarge) }
    do { try self.init(parsing: body) } catch { throw MessageError(error.isTooLarge ? .tooLarge : .notJSON) }
  }
}
