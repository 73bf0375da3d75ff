// What tests look at of an answer.

import SyncProtocol
import SyncServer

extension GraphQLResponse {
  /// Nil where nothing was executed, and where the body is no JSON.
  var data: JSONValue? { (try? JSONValue(body: body, atMost: body.count))?["data"] }
}
