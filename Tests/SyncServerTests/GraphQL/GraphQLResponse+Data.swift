// Reads the data of an answer, for tests.

import GraphQL
import JSON
import SyncProtocol
import SyncServer

extension GraphQLResponse {
  /// Nil if nothing was executed, or if the body is no JSON.
  var data: JSONValue? { (try? JSONValue(body: body, atMost: body.count))?["data"] }
}
