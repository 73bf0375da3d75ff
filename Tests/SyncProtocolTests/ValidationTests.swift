// Validates the schema and the documents with a GraphQL implementation that is not ours.
import Foundation
import TestSupport
import Testing

@testable import SyncProtocol

@Suite struct ValidationTests {
  @Test func graphQLCoreAcceptsSchemaAndDocuments() throws {
    let folder = GoldenTests.folder
    let names = ["commit", "commits", "delta", "changed", "signal", "objects"]
    let documents = names.map { Repository.url("\(folder)/\($0).graphql").path }
    guard let said = try validate(documents) else { return }
    #expect(said == "6 documents, 0 errors\n")
  }

  @Test func graphQLCoreFindsUnknownField() throws {
    let folder = try TemporaryFolder()
    try folder.write("wrong.graphql", "query { changed { when } }")
    guard let said = try validate([folder.url("wrong.graphql").path]) else { return }
    #expect(said.contains("Cannot query field 'when' on type 'ChangedAnswer'."))
  }

  private func validate(_ documents: [String]) throws -> String? {
    let schema = Repository.url("docs/formats/sync-protocol.graphql").path
    return try PythonPackage.graphQLCore.run("Tests/SyncProtocolTests/validate.py", [schema] + documents)
  }
}
