// The errors of the protocol as GraphQL's.

package import GraphQL
import JSON
package import SyncProtocol

extension GraphQLError.Code {
  package init(_ code: RequestError.Code) { self.init(code.rawValue, status: code.status) }
}

extension GraphQLError {
  init(_ error: RequestError) {
    self.init(Code(error.code), error.message, extensions: error.details)
  }

  init(_ code: RequestError.Code, _ message: String) { self.init(RequestError(code, message)) }
}

/// Clients hear what is thrown to them.
extension RequestError: GraphQLClientError {
  package var toClients: GraphQLError? { GraphQLError(self) }
  package var isInternal: Bool { false }
}
