import Foundation
// Runs cases of these tests with graphql-core, the reference implementation.
import JSON
import SyncProtocol
import TestSupport

enum Reference {
  /// Returns the answers of graphql-core; nil if it is missing.
  static func run(_ command: String, _ cases: [JSONValue]) throws -> [JSONValue]? {
    let schema = Repository.url("docs/formats/sync-protocol.graphql").path
    let input = try TemporaryFolder()
    try input.write("cases.json", bytes: JSONValue.array(cases).encoded)
    let arguments = [command, schema, input.url("cases.json").path]
    let script = "Tests/SyncServerTests/reference.py"
    guard let output = try PythonPackage.graphQLCore.run(script, arguments) else { return nil }
    guard case .array(let answers) = try JSONValue(parsing: Array(output.utf8)) else { return [] }
    return answers
  }
}
