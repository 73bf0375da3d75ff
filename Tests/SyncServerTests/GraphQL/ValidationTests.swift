// Tests that each mistake in a document is reported at its place, and that a document without one is not refused.

import Foundation
import JSON
import SyncProtocol
import SyncServer
import TestSupport
import Testing

@testable import GraphQL

@Suite struct ValidationTests {
  @Test(arguments: Documents.unreadable.indices) func refusesTextThatIsNoDocument(index: Int) async {
    await check(Documents.unreadable[index], .parseFailed)
  }

  @Test(arguments: Documents.invalid.indices) func refusesDocumentsThatDoNotFitTheSchema(index: Int) async {
    await check(Documents.invalid[index], .validationFailed)
  }

  @Test(arguments: Documents.valid) func acceptsValidDocuments(text: String) throws {
    let document = try GraphQLParser.document(Array(text.utf8), limits: GraphQLLimits())
    #expect(GraphQLValidator.errors(in: document, .sync, GraphQLLimits()) == [])
  }

  @Test(arguments: [
    SyncDocuments.commit, SyncDocuments.commits, SyncDocuments.delta, SyncDocuments.changed, SyncDocuments.objects,
  ])
  func acceptsDocumentsThatClientsSend(text: String) throws {
    try acceptsValidDocuments(text: text)
  }

  /// Documents beyond a limit, and the beginning of the first error.
  private static let beyondLimits = [
    WrongDocument("{ __schema { types { name } } }", "1:3 Introspection is not offered"),
    WrongDocument(
      "{ a: leaf b: leaf c: leaf d: leaf e: leaf }", "1:1 The operation has more than 4 fields at the top."),
    WrongDocument(deep(11), "1:61 The document is nested too deeply."),
    WrongDocument("query ($a: " + repeated("["), "1:22 The document is nested too deeply."),
    WrongDocument("{ leaf(a: " + repeated("["), "1:20 The document is nested too deeply."),
    WrongDocument("{ leaf(a: " + repeated("{a:"), "1:38 The document is nested too deeply."),
    WrongDocument(repeated("{a"), "1:21 The document is nested too deeply."),
    WrongDocument("{ " + repeated("leaf "), "1:4998 The document has too many tokens."),
    WrongDocument(doubling(60), "1:1 The operation asks for more than 200 fields."),
    WrongDocument(doubling(8), "1:1 The operation asks for more than 200 fields."),
    WrongDocument(deepByFragments(11), "1:1 The operation is more than 10 levels deep."),
  ]

  /// Uses a schema that leads back to itself, so that nothing but a limit ends a document.
  @Test(arguments: beyondLimits.indices) func refusesDocumentsBeyondLimits(index: Int) async throws {
    let document = Self.beyondLimits[index]
    let schema = try GraphQLSchema("type Query { inner: Query leaf: Int }")
    let response = await GraphQLService(schema: schema).job(GraphQLRequest(query: document.text), [:]).answer()
    #expect(response.status == 400)
    let first = lines(response).first ?? ""
    #expect(first.hasPrefix(document.errors[0]), "\(first)")
  }

  @Test func acceptsDocumentsWithinLimits() throws {
    let schema = try GraphQLSchema("type Query { inner: Query leaf: Int }")
    for text in [Self.deep(10), Self.doubling(7), Self.deepByFragments(10)] {
      let document = try GraphQLParser.document(Array(text.utf8), limits: GraphQLLimits())
      #expect(GraphQLValidator.errors(in: document, schema, GraphQLLimits()) == [])
    }
  }

  /// A document with 20,000 mistakes, all far from its start. Only twenty are reported.
  @Test func reportsAtMostTwentyMistakes() async {
    let uses = String(repeating: "$a ", count: 246)
    let text =
      String(repeating: " ", count: 60_000) + "fragment F on Query{delta(queues:[\(uses)]){time}}"
      + (0..<82).map { "query Q\($0){...F}" }.joined()
    let response = await Self.answer(text)
    #expect(response.errors.count == 20)
    #expect(lines(response).allSatisfy { $0.hasPrefix("1:6") })
    #expect(response.status == 400)
  }

  @Test func theReferenceImplementationAgrees() throws {
    let wrong = Documents.unreadable + Documents.invalid
    let documents = wrong.map(\.text) + Documents.valid
    guard let judged = try Reference.run("validate", documents.map { .string($0) }) else { return }
    let expected = wrong.map { _ in JSONValue.bool(false) } + Documents.valid.map { _ in .bool(true) }
    #expect(judged.count == documents.count)
    for (text, (judgement, expected)) in zip(documents, zip(judged, expected)) {
      #expect(judgement == expected, "\(text)")
    }
  }

  /// The same with documents with parts changed, most of which are wrong.
  @Test func referenceAgreesOnRandomlyChangedDocuments() throws {
    let seed: UInt64 = 7
    var random = SeededRandom(seed: seed)
    let texts = Set((0..<4_000).map { _ in HostileTests.changedDocument(&random) }).sorted()
    guard let judged = try Reference.run("validate", texts.map { .string($0) }) else { return }
    var limits = GraphQLLimits()
    (limits.fieldsAtTheTop, limits.fields) = (1_000, 1_000)
    var valid = 0
    for (text, judgement) in zip(texts, judged) {
      let document = try? GraphQLParser.document(Array(text.utf8), limits: limits)
      let isValid = document.map { GraphQLValidator.errors(in: $0, .sync, limits).isEmpty } ?? false
      #expect(judgement == .bool(isValid), "seed \(seed): \(text)")
      if isValid { valid += 1 }
    }
    #expect(valid > 50 && valid < texts.count / 2)
  }

  static func answer(_ text: String) async -> GraphQLResponse {
    await GraphQLService(schema: .sync).job(GraphQLRequest(query: text), [:]).answer()
  }

  private func check(_ document: WrongDocument, _ code: GraphQLError.Code) async {
    let response = await Self.answer(document.text)
    #expect(lines(response) == document.errors, "\(document.text)")
    #expect(response.errors.allSatisfy { $0.code == code })
    #expect(response.data == nil && response.status == 400 && response.legacyStatus == 200)
  }

  /// `line:column message` of each error, as the body has them.
  private func lines(_ response: GraphQLResponse) -> [String] {
    guard let body = try? JSONValue(parsing: response.body), case .array(let errors)? = body["errors"] else {
      return []
    }
    return errors.map { error in
      guard case .string(let message)? = error["message"], case .array(let places)? = error["locations"],
        case .number(let line)? = places.first?["line"], case .number(let column)? = places.first?["column"]
      else { return "\(error)" }
      return "\(line):\(column) \(message)"
    }
  }

  /// Repeats a text 12,000 times, which the limit of bytes still lets through.
  private static func repeated(_ text: String) -> String { String(repeating: text, count: 12_000) }

  /// A document with `depth` levels of fields.
  private static func deep(_ depth: Int) -> String {
    String(repeating: "{inner", count: depth - 1) + "{leaf" + String(repeating: "}", count: depth)
  }

  /// Each fragment spreads the next twice.
  private static func doubling(_ count: Int) -> String {
    let fragments = (0..<count).map { "fragment f\($0) on Query { ...f\($0 + 1) ...f\($0 + 1) }" }
    return "{ ...f0 } " + fragments.joined(separator: " ") + " fragment f\(count) on Query { leaf }"
  }

  /// No definition is deep, but all together have `depth` levels.
  private static func deepByFragments(_ depth: Int) -> String {
    let fragments = (1..<depth).map { "fragment f\($0) on Query { inner { ...f\($0 + 1) } }" }
    return "{ ...f1 } " + fragments.joined(separator: " ") + " fragment f\(depth) on Query { leaf }"
  }
}
