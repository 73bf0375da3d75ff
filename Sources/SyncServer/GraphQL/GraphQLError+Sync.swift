// The errors of the protocol as GraphQL's.

package import GraphQL
package import SyncProtocol

extension GraphQLError.Code {
  package init(_ code: RequestError.Code) { self.init(code.rawValue, status: code.status) }
}

extension GraphQLError {
  init(_ code: RequestError.Code, _ message: String) { self.init(Code(code), message) }
}

/// Clients hear what is thrown to them.
extension RequestError: GraphQLClientError {
  package var toClients: GraphQLError? { GraphQLError(code, message) }
  package var isInternal: Bool { false }
}
