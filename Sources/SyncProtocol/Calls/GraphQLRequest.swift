// The body of a GraphQL request over HTTP.

package import JSON
package import WireFormat

/// `{query, operationName, variables, extensions}`; other members are ignored.
package struct GraphQLRequest: Hashable, Sendable {
  package var query: String
  package var operationName: String?
  package var variables: [JSONValue.Member]
  /// The user for whom the client asks, as `extensions.syncUser`. The server refuses a token of another user.
  package var user: UserID?
  /// The server history that the client knows, as `extensions.syncHistory`. A server with another history refuses the
  /// request.
  package var history: HistoryID?
  /// The name of the client's schema, as `extensions.syncSchema`. Queues of other schemas do not exist for the request.
  package var schema: String?
  /// The version of that schema, as `extensions.syncVersion`. The server counts who uses which.
  package var version: SchemaVersion?

  package init(
    query: String, operationName: String? = nil, variables: [JSONValue.Member] = [], user: UserID? = nil,
    history: HistoryID? = nil, schema: String? = nil, version: SchemaVersion? = nil
  ) {
    self.query = query
    self.operationName = operationName
    self.variables = variables
    self.user = user
    self.history = history
    self.schema = schema
    self.version = version
  }

  package var body: [UInt8] {
    var members = [JSONValue.Member("query", .string(query))]
    if let operationName { members.append(JSONValue.Member("operationName", .string(operationName))) }
    var extensions: [JSONValue.Member] = []
    if let user { extensions.append(JSONValue.Member("syncUser", .id(user))) }
    if let history { extensions.append(JSONValue.Member("syncHistory", .id(history))) }
    if let schema { extensions.append(JSONValue.Member("syncSchema", .string(schema))) }
    if let version { extensions.append(JSONValue.Member("syncVersion", .string(version.description))) }
    if !extensions.isEmpty { members.append(JSONValue.Member("extensions", .object(extensions))) }
    members.append(JSONValue.Member("variables", .object(variables)))
    return JSONValue.object(members).encoded
  }

  /// Reads a body. Throws a `MessageError`: `tooLarge` above `ProtocolLimits.requestBytes`.
  package init(body: [UInt8]) throws(MessageError) {
    let reader = try MessageReader(try JSONValue(body: body, atMost: ProtocolLimits.requestBytes))
    query = try reader.required("query", .string)
    operationName = try reader.optional("operationName", .string)
    variables = try reader.optional("variables", .members) ?? []
    let extensions = try reader.optional("extensions", .extensions)
    user = extensions?.user
    history = extensions?.history
    schema = extensions?.schema
    version = extensions?.version
  }
}

/// The extensions that sync uses. Others are ignored.
private struct SyncExtensions: Sendable {
  var user: UserID?
  var history: HistoryID?
  var schema: String?
  var version: SchemaVersion?
}

extension MessageField<SyncExtensions> {
  fileprivate static var extensions: Self {
    Self { value throws(MessageError) in
      let reader = try MessageReader(value)
      return SyncExtensions(
        user: try reader.optional("syncUser", .id()), history: try reader.optional("syncHistory", .id()),
        schema: try reader.optional("syncSchema", .typeName),
        version: try reader.optional("syncVersion", .schemaVersion))
    }
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
  /// Parses a whole body. A body above `maximum` bytes is refused before it is read.
  package init(body: [UInt8], atMost maximum: Int) throws(MessageError) {
    guard body.count <= maximum else { throw MessageError(.tooLarge) }
    do { try self.init(parsing: body) } catch { throw MessageError(error.isTooLarge ? .tooLarge : .notJSON) }
  }
}
