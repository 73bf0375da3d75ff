// Sync over GraphQL: the schema, and how the body of a request is read and admitted.

package import GraphQL
import JSON
package import SyncProtocol
import WireFormat

extension GraphQLService {
  /// Answers the body of a request by these resolvers.
  package func answer(_ body: [UInt8], _ resolvers: [String: GraphQLResolver]) async -> GraphQLResponse {
    do throws(GraphQLError) {
      return await job(try GraphQLRequest(admitting: body), resolvers).answer()
    } catch {
      return await GraphQLJob(refusing: [error]).answer()
    }
  }

  package func job(_ request: GraphQLRequest, _ resolvers: [String: GraphQLResolver]) -> GraphQLJob {
    job(request.query, operation: request.operationName, variables: request.variables, resolvers)
  }
}

extension GraphQLRequest {
  /// Reads a body. `user` is the sender, if known: a request that names another user is refused. `history` is the
  /// server's: a request that names another one than the present is refused too.
  init(admitting body: [UInt8], by user: UserID? = nil, history: HistoryTable? = nil) throws(GraphQLError) {
    do throws(MessageError) { self = try GraphQLRequest(body: body) } catch {
      let code: RequestError.Code = error.code == .tooLarge ? .tooLarge : .badRequest
      throw GraphQLError(code, "The body is not a GraphQL request: \(Self.words(for: error)).")
    }
    if let user, let meant = self.user, meant != user {
      throw GraphQLError(.unauthenticated, "The token is of another user than the request.")
    }
    if let history, let meant = self.history, meant != history.current {
      throw GraphQLError(
        RequestError(
          .historyChanged, "The server's history is another one than the request's; the answer names it.",
          since: history.since(after: meant)))
    }
  }

  /// Words an error for people who try the server out by hand.
  private static func words(for error: MessageError) -> String {
    let types = ["query": "a string", "operationName": "a string", "variables": "an object", "extensions": "an object"]
    guard error.code == .wrongType, let type = types[error.path] else { return "\(error)" }
    return "`\(error.path)` is not \(type)"
  }
}

extension GraphQLSchema {
  /// The schema of the protocol. The text is part of this program and tested, so it cannot fail.
  package static let sync = try! GraphQLSchema(SyncSchema.text, publishedAs: "docs/formats/sync-protocol.graphql")
}

extension GraphQLLimits {
  /// No answer is larger than clients read.
  package static var sync: Self {
    var limits = Self()
    limits.answerBytes = ProtocolLimits.answerBytes
    return limits
  }
}
