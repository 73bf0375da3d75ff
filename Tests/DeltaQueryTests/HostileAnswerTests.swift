// A reader without a store against a foreign or broken server.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import TestSupport
import Testing

@Suite struct HostileAnswerTests {
  static let history = "00010203-0405-4607-8809-0a0b0c0d0e0f"
  static let queue = QueueID.queue(1)

  /// A page as a server would send it, without objects.
  static func page(cursor: Int, head: Int, scan: Int? = nil, history: String = history) -> [UInt8] {
    let scan = scan.map { #", "scan": {"newestBy": "\#($0)", "id": "\#(Self.history)"}"# } ?? ""
    let place = #""history": "\#(history)", "head": "\#(head)", "cursor": "\#(cursor)"\#(scan)"#
    return Array(#"{"data": {"objects": {"time": "1", \#(place), "objects": []}}}"#.utf8)
  }

  /// How many pages a reader takes from a server with these answers, which repeats the last one for ever. Stops a
  /// reader that takes more pages than there are answers.
  static func pages(_ answers: [[UInt8]]) async throws -> Int {
    let server = Replies(answers)
    var count = 0
    for try await _ in Photo.deltaQuery.pages(queue, post: { _ in await server.next() }) {
      count += 1
      if count > answers.count { break }
    }
    return count
  }

  @Test func takesPagesThatMakeProgress() async throws {
    let answers = [
      Self.page(cursor: 5, head: 5, scan: 9), Self.page(cursor: 5, head: 7, scan: 8), Self.page(cursor: 5, head: 8),
      Self.page(cursor: 7, head: 8), Self.page(cursor: 8, head: 8),
    ]
    #expect(try await Self.pages(answers) == answers.count)
    #expect(try await Self.pages([Self.page(cursor: 0, head: 0)]) == 1)
  }

  @Test(arguments: [
    [page(cursor: 5, head: 9)], [page(cursor: 5, head: 5, scan: 9)],
    [page(cursor: 5, head: 9), page(cursor: 4, head: 9)],
    [page(cursor: 5, head: 5, scan: 9), page(cursor: 5, head: 5, scan: 10)],
    [page(cursor: 5, head: 5, scan: 9), page(cursor: 6, head: 9, scan: 8)],
    [page(cursor: 5, head: 9), page(cursor: 6, head: 9, scan: 8)],
    [page(cursor: 5, head: 9), page(cursor: 6, head: 9, history: queue.description)],
  ])
  func stopsReadingFromServerThatMakesNoProgress(answers: [[UInt8]]) async throws {
    await #expect(throws: MessageError(.invalidValue, at: "data.objects.cursor")) { try await Self.pages(answers) }
  }

  @Test(arguments: [
    ("", MessageError(.notJSON)), ("<html>Please log in</html>", MessageError(.notJSON)),
    ("[]", MessageError(.wrongType)), ("{}", MessageError(.missing, at: "data")),
    (#"{"data": {}}"#, MessageError(.missing, at: "data.objects")),
    (#"{"data": {"objects": {}}}"#, MessageError(.missing, at: "data.objects.time")),
  ])
  func rejectsMalformedAnswer(text: String, error: MessageError) {
    #expect(throws: error) { try Photo.deltaQuery.page(Array(text.utf8)) }
  }

  /// A server that ignores the filter sends an object of another type. It counts as unknown, and is not decoded.
  @Test func anObjectOfAnotherTypeIsUnknown() throws {
    let system = #""createdBy": "\#(Self.history)", "createdAt": "0", "updatedAt": "0""#
    let live = #"{"type": "member", "content": "", \#(system)}"#
    let object = #"{"id": "\#(Self.history)", "revision": "1", "live": \#(live)}"#
    let text = String(decoding: Self.page(cursor: 1, head: 1), as: UTF8.self).replacing("[]", with: "[\(object)]")
    let page = try Photo.deltaQuery.page(Array(text.utf8))
    #expect(page.changes.map(\.state) == [.unknown(type: "member")])
  }

  /// An answer with changed bytes gives a page or an error, and nothing else.
  @Test func mutatedAnswersNeverTrap() throws {
    let seed: UInt64 = 20_261_122
    var random = SeededRandom(seed: seed)
    let valid = Self.page(cursor: 5, head: 9, scan: -3)
    var taken = 0
    for _ in 0..<20_000 {
      var bytes = valid
      for _ in 0...random.below(3) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      if (try? Photo.deltaQuery.page(bytes)) != nil { taken += 1 }
    }
    #expect(taken > 100 && taken < 19_000, "seed \(seed): \(taken) were taken")
  }
}

/// Gives one answer after the other, and the last one for ever.
private actor Replies {
  private var answers: [[UInt8]]

  init(_ answers: [[UInt8]]) { self.answers = answers }

  func next() -> [UInt8] { answers.count > 1 ? answers.removeFirst() : answers[0] }
}
