// Tests that no text traps: random bytes, random tokens, documents with parts changed.

import GraphQL
import JSON
import SyncProtocol
import SyncServer
import TestSupport
import Testing

@Suite struct HostileTests {
  @Test func randomBytesAreAnswered() async {
    let seed: UInt64 = 1
    var random = SeededRandom(seed: seed)
    for _ in 0..<3_000 {
      let bytes = (0..<random.below(80)).map { _ in UInt8(random.below(256)) }
      await check(String(decoding: bytes, as: UTF8.self), seed)
      _ = await GraphQLService(schema: .sync).answer(bytes, [:])
    }
  }

  /// Tokens in a random order. Most are no document, some are valid.
  @Test func randomTokensAreAnswered() async {
    let seed: UInt64 = 2
    var random = SeededRandom(seed: seed)
    let words = [
      "{", "}", "{", "}", "(", ")", "[", "]", ":", "!", "$", "@", "=", "...", "on", "query", "mutation", "fragment",
      "a",
      "changed", "ranges", "time", "__typename", "Query", "skip", "if", "true", "null", "5", "-1.5e9", "\"x\"",
      "\"\"\"y\"\"\"", "#\n",
    ]
    var valid = 0
    for _ in 0..<20_000 {
      let text = (0...random.below(14)).map { _ in words[Int(random.below(UInt64(words.count)))] }
      if await check(text.joined(separator: " "), seed) { valid += 1 }
    }
    #expect(valid > 0, "seed \(seed)")
  }

  @Test func changedDocumentsAreAnswered() async {
    let seed: UInt64 = 3
    var random = SeededRandom(seed: seed)
    for _ in 0..<5_000 { await check(Self.changedDocument(&random), seed) }
  }

  /// A valid document with bytes replaced, taken out and repeated.
  static func changedDocument(_ random: inout SeededRandom) -> String {
    let documents = Documents.valid + [SyncDocuments.commit, SyncDocuments.delta, SyncDocuments.objects]
    var bytes = Array(documents[Int(random.below(UInt64(documents.count)))].utf8)
    for _ in 0...random.below(3) {
      let place = Int(random.below(UInt64(bytes.count)))
      switch random.below(3) {
      case 0: bytes[place] = UInt8(random.below(128))
      case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int(random.below(9)) + 1))
      default: bytes.insert(contentsOf: bytes[place...].prefix(Int(random.below(40))), at: place)
      }
      if bytes.isEmpty { bytes = [0x7B] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Checks that an answer is JSON, and has data or errors. Returns whether it has data.
  @discardableResult
  private func check(_ text: String, _ seed: UInt64) async -> Bool {
    let response = await ExecutionTests.answer(GraphQLRequest(query: text))
    #expect(response.data != nil || !response.errors.isEmpty, "seed \(seed): \(text)")
    #expect(throws: Never.self, "seed \(seed): \(text)") { try JSONValue(parsing: response.body) }
    return response.data != nil
  }
}
