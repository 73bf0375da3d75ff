// A GraphQL implementation that is not ours finds nothing wrong with our schema and our documents.
import Foundation
import TestSupport
import Testing

@testable import SyncProtocol

@Suite struct ValidationTests {
  @Test func theReferenceImplementationAcceptsSchemaAndDocuments() throws {
    let folder = GoldenTests.folder
    let documents = ["commit", "delta", "changed", "objects"].map { Repository.url("\(folder)/\($0).graphql").path }
    guard let said = try validate(documents) else { return }
    #expect(said == "4 documents, 0 errors\n")
  }

  @Test func itWouldFindAMistake() throws {
    let folder = try TemporaryFolder()
    try folder.write("wrong.graphql", "query { changed(queues: []) { when } }")
    guard let said = try validate([folder.url("wrong.graphql").path]) else { return }
    #expect(said.contains("Cannot query field 'when' on type 'ChangedAnswer'."))
  }

  /// What graphql-core says; nil where it is missing, which is said aloud and fails where `CI` is set.
  private func validate(_ documents: [String]) throws -> String? {
    let folder = Repository.url(".build-python/bin").path
    guard let python = try Program.find("python3", first: [folder]) else { return nil }
    let script = Repository.url("Tests/SyncProtocolTests/validate.py").path
    let schema = Repository.url("docs/formats/sync-protocol.graphql").path
    let outcome = try python.run([script, schema] + documents, in: Repository.root)
    if outcome.errors.contains("No module named 'graphql'") {
      print("Python has no graphql-core (Scripts/bootstrap installs it): the documents are not validated")
      #expect(ProcessInfo.processInfo.environment["CI"] != "true", "Python has no graphql-core")
      return nil
    }
    try #require(outcome.status == 0, "\(outcome.text)")
    return outcome.output
  }
}
