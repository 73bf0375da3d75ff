// Tests of answers that break off: what has come whole is used, and the next request goes on behind it.

import JSON
import SampleIDs
import Testing
import WireFormat

@testable import SyncProtocol

@Suite struct CutAnswerTests {
  private static let queue = QueueID.queue(1)

  private static func object(_ number: Int64, newestBy: Int64? = nil) -> ObjectState {
    ObjectState(
      id: UUIDValue(high: 7, low: UInt64(number)), revision: number,
      live: ObjectState.Live(
        type: "card", content: Array("{\"\\]}".utf8), newestBy: newestBy,
        system: SystemFields(createdBy: .queue(1), at: .zero)))
  }

  private static func page(
    _ objects: [ObjectState], head: Int64, cursor: Int64, scan: ScanCursor? = nil
  ) -> DeltaAnswer {
    let end = DeltaPage.End(outcomes: [], retention: .zero, digest: QueueDigest([]))
    return DeltaAnswer(
      queue: queue, time: .zero,
      result: .page(
        DeltaPage(
          grant: .queue(1), role: .writer, head: head, cursor: cursor, scan: scan, objects: objects,
          end: scan == nil && cursor == head ? end : nil)))
  }

  private static func body(_ answers: [DeltaAnswer]) -> [UInt8] {
    let data: JSONValue = ["data": ["delta": .list(answers)]]
    return data.encoded
  }

  private static func request(cursor: Int64?, scan: ScanCursor? = nil, queues: Int = 1) -> DeltaRequest {
    DeltaRequest(
      queues: (0..<queues).map { _ in DeltaRequest.Queue(queue: queue, cursor: cursor, scan: scan) })
  }

  /// At whatever byte a page of news breaks off, its whole objects count, and the cursor is behind the last one.
  @Test func newsGoOnBehindTheLastWholeObject() throws {
    let objects = (3...6).map { Self.object($0) }
    let body = Self.body([Self.page(objects, head: 6, cursor: 6)])
    var counts: Set<Int> = []
    for length in 0..<body.count {
      let answers = SyncCall.delta.beginning(of: Array(body[..<length]), to: Self.request(cursor: 2))
      guard case .page(let page)? = answers?.first?.result else { continue }
      guard page.end == nil else {
        #expect(page.objects == objects, "only the closing brackets are missing")
        continue
      }
      #expect(page.objects == Array(objects.prefix(page.objects.count)) && page.cursor == page.objects.last?.revision)
      #expect(page.cursor < page.head, "a page without its end is not the last one")
      counts.insert(page.objects.count)
    }
    #expect(counts == [1, 2, 3])
  }

  @Test func scanGoesOnBehindTheLastWholeObject() throws {
    let objects = (3...6).reversed().map { Self.object($0, newestBy: $0 * 10) }
    let body = Self.body([Self.page(objects, head: 6, cursor: 6)])
    var counts: Set<Int> = []
    for length in 0..<body.count {
      let answers = SyncCall.delta.beginning(of: Array(body[..<length]), to: Self.request(cursor: nil))
      guard case .page(let page)? = answers?.first?.result, page.end == nil else { continue }
      #expect(page.scan == page.objects.last.map { ScanCursor(newestBy: $0.live?.newestBy, id: $0.id) })
      #expect(page.cursor == 6, "the first page fixes the head")
      counts.insert(page.objects.count)
    }
    #expect(counts == [1, 2, 3, 4])
  }

  @Test func wholeAnswersBeforeTheCutCount() throws {
    let whole = Self.page([Self.object(3)], head: 3, cursor: 3)
    let body = Self.body([whole, whole])
    for length in 0..<body.count {
      let answers = SyncCall.delta.beginning(of: Array(body[..<length]), to: Self.request(cursor: 2, queues: 2)) ?? []
      #expect(answers.allSatisfy { $0 == whole })
    }
    #expect(SyncCall.delta.beginning(of: Array(body.dropLast(40)), to: Self.request(cursor: 2, queues: 2)) == [whole])
  }

  /// Bytes from outside never trap.
  @Test func otherBytesGiveNothing() {
    let texts = [
      "", "}", "]]]]]]]]", "{{{[{[{}", "{\"data\":{\"delta\":[{\"page\":{\"objects\":[{}", "<html></html>",
      "\"\\",
    ]
    for text in texts {
      #expect(SyncCall.delta.beginning(of: Array(text.utf8), to: Self.request(cursor: 2)) == nil, "\(text)")
    }
  }
}
