// The GraphQL documents of a schema, which graphql-core must accept.
import Foundation
import ModelEmitters
import ModelSchema
import ModelSupport
import TestSupport
import Testing

@Suite struct OperationsTests {
  /// DeltaQueryTests compares the documents that Swift sends.
  @Test func firstDocumentIsDeltaQueryOfSync() {
    let text = Schema.of().operations()
    #expect(text.contains("\n\(SyncCall.delta.document)\n"))
    #expect(Self.names(in: text) == ["Delta"])
  }

  @Test func eachSyncedModelHasQueryDocument() {
    let schema = Schema.of(
      .of(.of("photo", wireName: "picture", swiftName: "MomentPhoto", doc: "A picture.\nOf a mountain.")),
      .of(.of("draft", queue: .device)), .shared("shapes"), .of(.of("objects")))
    let text = schema.operations()
    #expect(Self.names(in: text) == ["Delta", "ObjectsOfPicture", "ObjectsOfObjects"])
    SwiftConstructTests.check(
      text,
      has: [
        """
        # Objects of the model photo in one queue, read without a store.
        # A picture.
        # Of a mountain.
        query ObjectsOfPicture(

        """, "\n    queue: $queue, types: [\"picture\"], history: $history,",
      ], not: ["draft", "Draft"])
    #expect(!schema.swift("Draft").contains("deltaQuery"))
    #expect(schema.swift("Photo").contains("deltaQuery"))
  }

  @Test func docsChangeNothingButComments() {
    let seed = HostileTextTests.seed + 3
    var texts = HostileText(seed: seed)
    let expected = Self.withoutComments(HostileText.schema("x").operations())
    #expect(expected.contains("query ObjectsOfPhoto("))
    for index in 0..<10_000 {
      let text = texts.next()
      let printed = HostileText.schema(text).operations()
      guard Self.withoutComments(printed) == expected else {
        Issue.record("seed \(seed), text \(index): \(text.debugDescription) leaves its comment")
        return
      }
    }
  }

  /// graphql-core accepts the committed documents, names of every length, and docs that try to leave their comments.
  @Test func graphQLCoreAcceptsGeneratedDocuments() throws {
    let folder = try TemporaryFolder()
    let seed = HostileTextTests.seed + 4
    var texts = HostileText(seed: seed)
    var schemas = [1, 2, 7, 64].map { NamesOfEveryLength.schema(length: $0) }
    schemas += (0..<100).map { _ in HostileText.schema(texts.next()) }
    var documents = ["Generated", "Tests/TypeMatrix/Generated"].map {
      Repository.url("\($0)/GraphQL/operations.graphql").path
    }
    for (index, schema) in schemas.enumerated() {
      try folder.write("\(index).graphql", schema.operations())
      documents.append(folder.url("\(index).graphql").path)
    }
    let protocolSchema = Repository.url("docs/formats/sync-protocol.graphql").path
    let said = try PythonPackage.graphQLCore.run("Tests/SyncProtocolTests/validate.py", [protocolSchema] + documents)
    guard let said else { return }
    #expect(said == "\(documents.count) documents, 0 errors\n", "seed \(seed)")
  }

  private static func names(in text: String) -> [String] {
    text.matches(of: /(?:query|mutation|subscription) (\w+)/).map { String($0.1) }
  }

  /// The lines that are no comment. A line ends at every character that some tool may take for its end.
  private static func withoutComments(_ text: String) -> [Substring] {
    text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
  }
}

extension Schema {
  fileprivate func operations() -> String { Emitter.graphql.emit(self).first?.contents ?? "" }
}
