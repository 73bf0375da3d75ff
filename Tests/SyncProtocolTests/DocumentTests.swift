// Compares docs/formats/sync-protocol.md with the code: tables, vectors and version.
import Foundation
import ModelTypes
import TestSupport
import Testing
import WireFormat

@testable import SyncProtocol

@Suite struct DocumentTests {
  static let path = "docs/formats/sync-protocol.md"

  /// Fails when the schema, a document or a vector changes. Then the history in the document has to say so, and the
  /// version grows if an older side would misunderstand.
  @Test func theHistoryHasTheFingerprintOfThisVersion() throws {
    let folder = Repository.url(GoldenTests.folder)
    var text = SyncSchema.text
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
      text += try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    text += try vectors()
    let fingerprint = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let last = try #require(try rows(of: "version").last)
    #expect(last[0] == "\(ProtocolVersion.current)")
    #expect(last[1] == String(fingerprint, radix: 16), "what is promised has changed: see History in \(Self.path)")
    #expect(try document().hasPrefix("# The sync protocol, version \(ProtocolVersion.current)\n"))
  }

  @Test func schemaFileEqualsSchemaInCode() throws {
    let file = try String(contentsOf: Repository.url("docs/formats/sync-protocol.graphql"), encoding: .utf8)
    #expect(file == SyncSchema.text)
    #expect(file.hasPrefix("# The sync protocol, version \(ProtocolVersion.current),"))
  }

  @Test func errorsInDocumentEqualThoseInCode() throws {
    let written = try rows(of: "code").filter { Int($0[1]) != nil }.map { "\($0[0]) \($0[1])" }
    #expect(Set(written) == Set(RequestError.Code.allCases.map { "\($0.rawValue) \($0.status)" }))
    #expect(written.count == RequestError.Code.allCases.count)
  }

  @Test func limitsInDocumentEqualThoseInCode() throws {
    let source = try String(
      contentsOf: Repository.url("Sources/SyncProtocol/ProtocolLimits.swift"), encoding: .utf8)
    let names = source.matches(of: /package static let (\w+) = ([0-9_]+)(?: << ([0-9]+))?\n/).map { match in
      let number = Int(match.2.replacing("_", with: ""))! << (match.3.flatMap { Int($0) } ?? 0)
      return "`\(match.1)` \(number)"
    }
    let written = try rows(of: "limit").map { "\($0[0]) \($0[1])" }
    #expect(written.count == 28)
    #expect(Set(written) == Set(names.filter { !$0.hasPrefix("`current`") }))
  }

  @Test func vectorsInDocumentEqualThoseOfCode() throws {
    let computed = try vectors()
    let document = try document()
    let begin = try #require(document.range(of: "```vectors\n"))
    let end = try #require(document.range(of: "```\n", range: begin.upperBound..<document.endIndex))
    if Golden.isRecording {
      try document.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: computed)
        .write(to: Repository.url(Self.path), atomically: true, encoding: .utf8)
    } else {
      #expect(document[begin.upperBound..<end.lowerBound] == computed)
    }
  }

  private func vectors() throws -> String {
    let objects = Samples.objects
    let queue = Samples.queue
    let membership = QueueMembership(queue: queue, role: .writer, grant: Samples.grant)
    let content = try membership.encoded()
    #expect(try QueueMembership(content: content) == membership)
    let user = UserID(queue.rawValue)
    let home = SyncID.homeQueue(ofUser: user, schema: "Moments")
    #expect(home != SyncID.homeQueue(ofUser: user, schema: "Wallet"))
    let acceptance = try QueueAcceptance(queue: queue, grant: Samples.grant, history: Samples.history)
      .change(inHome: home)
    let accepted = try #require(try acceptance.applied(to: nil))
    #expect(
      try QueueAcceptance(content: accepted)
        == QueueAcceptance(queue: queue, grant: Samples.grant, history: Samples.history))
    let secret = LinkSecret(queue.rawValue)
    let link = LinkRecord(
      secret.hash, role: .reader, uses: 20, until: Timestamp(millisecondsSince1970: 1_700_000_000_000))
    let linked = try link.encoded()
    #expect(try LinkRecord(content: linked) == link)
    let digests = [[], [objects[0]], objects].map { QueueDigest($0) }
    return """
      \(digests.map { "digest \($0.live) \($0.sum)" }.joined(separator: "\n"))
      user \(queue) \(SyncID.user(subject: queue.description, issuer: "https://example.org"))
      user anna \(SyncID.user(subject: "anna", issuer: "https://example.org"))
      user anna-of-nobody \(SyncID.user(subject: "anna", issuer: nil))
      home \(home)
      membership \(SyncID.membership(of: queue, inHome: home))
      member \(SyncID.member(user, inQueue: queue))
      acceptance \(SyncID.acceptance(of: queue, inHome: home))
      content \(content.map { String(format: "%02x", $0) }.joined())
      accepted \(accepted.map { String(format: "%02x", $0) }.joined())
      link \(SyncID.link(secret.hash, inQueue: queue))
      linked \(linked.map { String(format: "%02x", $0) }.joined())

      """
  }

  private func document() throws -> String {
    try String(contentsOf: Repository.url(Self.path), encoding: .utf8)
  }

  /// The cells of each row of the tables whose first heading is `heading`.
  private func rows(of heading: String) throws -> [[String]] {
    let lines = try document().split(separator: "\n", omittingEmptySubsequences: false)
    var rows: [[String]] = []
    for start in lines.indices where lines[start].hasPrefix("| \(heading) |") {
      rows += lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      }
    }
    return rows
  }
}
