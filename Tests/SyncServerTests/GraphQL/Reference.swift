// graphql-core, asked by our tests: an implementation of GraphQL that is not ours.
import Foundation
import SyncProtocol
import TestSupport
import Testing

enum Reference {
  /// What it says to each case; nil where it is missing, which is said aloud and fails where `CI` is set.
  static func run(_ command: String, _ cases: [JSONValue]) throws -> [JSONValue]? {
    let folder = Repository.url(".build-python/bin").path
    guard let python = try Program.find("python3", first: [folder]) else { return nil }
    let script = Repository.url("Tests/SyncServerTests/reference.py").path
    let schema = Repository.url("docs/formats/sync-protocol.graphql").path
    let input = try TemporaryFolder()
    try input.write("cases.json", bytes: JSONValue.array(cases).encoded)
    let outcome = try python.run([script, command, schema, input.url("cases.json").path], in: Repository.root)
    if outcome.errors.contains("No module named 'graphql'") {
      print("Python has no graphql-core (Scripts/bootstrap installs it): nothing is compared with it")
      #expect(ProcessInfo.processInfo.environment["CI"] != "true", "Python has no graphql-core")
      return nil
    }
    try #require(outcome.status == 0, "\(outcome.text)")
    guard case .array(let answers) = try JSONValue(parsing: Array(outcome.output.utf8)) else { return [] }
    return answers
  }
}
