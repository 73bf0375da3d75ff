// The answer to a GraphQL request (the GraphQL-over-HTTP draft).

import JSON

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
