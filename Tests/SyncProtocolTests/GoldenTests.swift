import Foundation
// Compares docs/formats/sync-protocol/ with the code: a body of every request and every kind of answer, and the
// documents. RECORD_GOLDEN=1 writes the files again, to be read in review.
import JSON
import TestSupport
import Testing
import WireFormat

@testable import SyncProtocol

@Suite struct GoldenTests {
  static let folder = "docs/formats/sync-protocol"

  @Test func requestsAreAsRecorded() throws {
    try checkRequests(.commit, Samples.commitRequests)
    try checkRequests(.commits, Samples.commitsRequests)
    try checkRequests(.delta, Samples.deltaRequests)
    try checkRequests(.changed, Samples.changedRequests)
    try checkRequests(.signal, Samples.signalRequests)
    try checkRequests(.objects, Samples.objectsRequests)
  }

  @Test func answersAreAsRecorded() throws {
    try checkAnswers(.commit, Samples.commitAnswers) { $0.json }
    try checkAnswers(.commits, Samples.commitsAnswers) { .list($0) }
    try checkAnswers(.delta, Samples.deltaAnswers) { .list($0) }
    try checkAnswers(.changed, Samples.changedAnswers) { $0.json }
    try checkAnswers(.signal, Samples.signalAnswers) { $0.json }
    try checkAnswers(.objects, Samples.objectsAnswers) { $0.json }
    for (name, error) in Samples.errors {
      let body = try recorded(name, error.json)
      #expect(throws: error) { try SyncCall.commit.answer(body) }
    }
  }

  @Test func documentsAreAsRecorded() throws {
    let documents = [
      "commit": SyncDocuments.commit, "commits": SyncDocuments.commits, "delta": SyncDocuments.delta,
      "changed": SyncDocuments.changed, "signal": SyncDocuments.signal, "objects": SyncDocuments.objects,
    ]
    for (name, document) in documents {
      #expect(try Golden.text("\(Self.folder)/\(name).graphql", recording: document + "\n") == document + "\n")
    }
  }

  /// The folder has no file that no test reads.
  @Test func everyVectorIsChecked() throws {
    let found = try FileManager.default.contentsOfDirectory(atPath: Repository.url(Self.folder).path)
    let names =
      Set(Samples.commitRequests.keys).union(Samples.commitAnswers.keys).union(Samples.commitsRequests.keys)
      .union(Samples.commitsAnswers.keys).union(Samples.deltaRequests.keys)
      .union(Samples.deltaAnswers.keys).union(Samples.changedRequests.keys).union(Samples.changedAnswers.keys)
      .union(Samples.signalRequests.keys).union(Samples.signalAnswers.keys)
      .union(Samples.objectsRequests.keys).union(Samples.objectsAnswers.keys).union(Samples.errors.keys)
    let documents = ["commit", "commits", "delta", "changed", "signal", "objects"]
    let expected = names.map { "\($0).json" } + documents.map { "\($0).graphql" }
    #expect(Set(found) == Set(expected))
  }

  private func checkRequests<Request: MessageValue & Equatable, Answer>(
    _ call: SyncCall<Request, Answer>, _ samples: [String: Request]
  ) throws {
    for (name, sample) in samples {
      let user = name == "changed-request" ? UserID(Samples.queue.rawValue) : nil
      let written = GraphQLRequest(
        query: call.document, operationName: call.name, variables: members(sample.json), user: user)
      #expect(call.body(sample, of: user) == written.body, "\(name)")
      let read = try GraphQLRequest(body: try recorded(name, try JSONValue(parsing: written.body)))
      #expect(read == written, "\(name)")
      #expect(try Request(MessageReader(.object(read.variables))) == sample, "\(name)")
    }
  }

  private func checkAnswers<Request, Answer: Equatable>(
    _ call: SyncCall<Request, Answer>, _ samples: [String: Answer], _ json: (Answer) -> JSONValue
  ) throws {
    for (name, sample) in samples {
      let body = try recorded(name, ["data": .object([JSONValue.Member(call.field, json(sample))])])
      #expect(try call.answer(body) == sample, "\(name)")
    }
  }

  /// Returns the recorded file, which must have this value.
  private func recorded(_ name: String, _ value: JSONValue) throws -> [UInt8] {
    let text = try Golden.text("\(Self.folder)/\(name).json", recording: value.lines() + "\n")
    #expect(text == value.lines() + "\n", "\(name)")
    return Array(text.utf8)
  }

  private func members(_ value: JSONValue) -> [JSONValue.Member] {
    guard case .object(let members) = value else { return [] }
    return members
  }
}

extension JSONValue {
  /// One member or element a line, to be read in review.
  func lines(_ indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .array(let values) where !values.isEmpty:
      return "[\n" + values.map { inner + $0.lines(inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        inner + String(decoding: JSONValue.string(member.name).encoded, as: UTF8.self) + ": "
          + member.value.lines(inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    default: return String(decoding: encoded, as: UTF8.self)
    }
  }
}
