// Tests of pages: everything comes once, in order, and the last page says that it is the last.

import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite(.onEachStorage) struct DeltaTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  @Test func pagesOfAnyLimitGiveTheSame() async throws {
    for number in 1...23 {
      try await server.statuses([.init(UInt64(number), .create(UInt64(number), "a", newestBy: Int64(number % 5)))])
    }
    try await server.statuses([.init(50, .delete(3)), .init(51, .set(4, "b")), .init(52, .delete(9))])
    let whole = try #require(try await server.page(after: 0, withMembers: true))
    for limit in [1, 2, 3, 7, 25, 26, 1000] {
      var objects: [ObjectState] = []
      var cursor: Int64 = 0
      var end: DeltaPage.End?
      while end == nil {
        let page = try #require(try await server.page(after: cursor, limit: limit, withMembers: true))
        #expect(page.objects.count <= limit && page.cursor > cursor)
        objects += page.objects
        (cursor, end) = (page.cursor, page.end)
      }
      #expect(objects == whole.objects && end == whole.end, "limit \(limit)")
    }
    #expect(whole.objects.map(\.revision) == whole.objects.map(\.revision).sorted())
    #expect(whole.end?.digest == QueueDigest(whole.objects))
  }

  /// As while memory is short: pages get smaller, and the first object comes all the same.
  @Test func pagesShrinkToTheRoomForAnswers() async throws {
    for number in 1...9 as ClosedRange<UInt64> {
      try await server.statuses([.init(number, .create(number, String(repeating: "x", count: 1_000)))])
    }
    for (room, count) in [(Int.max, 10), (5_000, 3), (0, 1), (-100, 1)] {
      let request = DeltaRequest(queues: [.init(queue: .queue, cursor: 0)], limit: nil)
      let page = try #require(try await server.service.delta(request, by: .anna, room: room).first?.result.page)
      #expect(page.objects.count == count && (page.end == nil) == (count < 10), "\(room)")
      let read = ObjectsRequest(queue: .queue, cursor: 0)
      #expect(try await server.service.objects(read, by: .anna, room: room).objects.count == count)
    }
  }

  @Test func scanBringsNewestObjectsFirstAndChangesFollow() async throws {
    for number in 1...20 {
      let newestBy = number % 4 == 0 ? nil : Int64(number % 7) - 3
      try await server.statuses([.init(UInt64(number), .create(UInt64(number), "a", newestBy: newestBy))])
    }
    for limit in [1, 3, 19, 20] {
      var seen: [UUIDValue: ObjectState] = [:]
      var places: [ScanCursor] = []
      var page = try #require(try await server.page(limit: limit, withMembers: true))
      let start = page.cursor
      var step: UInt64 = 0
      while true {
        for object in page.objects {
          seen[object.id] = object
          #expect(object.revision <= start, "what has changed since comes later, and once")
          places.append(ScanCursor(newestBy: object.live?.newestBy, id: object.id))
        }
        guard let scan = page.scan else { break }
        // Changes objects that were sent, and objects that are still to come.
        step += 1
        try await server.statuses([.init(UInt64(limit) * 1_000 + step, .set(step % 20 + 1, "b\(limit).\(step)"))])
        page = try #require(try await server.page(after: page.cursor, scan: scan, limit: limit, withMembers: true))
        #expect(page.cursor == start)
      }
      #expect(places.map { "\($0)" } == places.sorted { ($1.newestBy, $1.id) < ($0.newestBy, $0.id) }.map { "\($0)" })
      var cursor = start
      repeat {
        page = try #require(try await server.page(after: cursor, limit: limit, withMembers: true))
        for object in page.objects { seen[object.id] = object }
        cursor = page.cursor
      } while page.end == nil
      #expect(QueueDigest(seen.values) == page.end?.digest, "limit \(limit)")
    }
  }

  @Test func awaitedOutcomesComeOnTheLastPage() async throws {
    try await server.statuses([.init(1, .create(1, "a")), .init(2, .create(2, "b"))])
    let awaiting: [OperationID] = [.number(1), .number(2), .number(3)]
    #expect(try await server.page(after: 0, limit: 1, awaiting: awaiting)?.end == nil)
    let end = try await server.page(after: 2, limit: 1, awaiting: awaiting)?.end
    #expect(end?.outcomes.map(\.operation) == [.number(1), .number(2)])
  }

  /// A cursor above the head changes nothing: the client loads the queue again, and nobody else.
  @Test func refusesStrangersAndPlacesThatItDoesNotServe() async throws {
    #expect(try await server.delta(.init(queue: .queue)) == .refused(.noQueue))
    try await server.statuses([.init(1, .create(1, "a")), .init(2, .delete(1)), .init(3, .create(2, "b"))])
    let page = try #require(try await server.page())
    func isServed(_ grant: GrantID?, _ cursor: Int64?) async throws -> Bool {
      let result = try await server.delta(.init(queue: .queue, grant: grant, cursor: cursor))
      #expect(try await server.page() == page)
      return result != .refused(.reset(page.grant))
    }
    for (grant, cursor, expected) in [
      (page.grant, 0, true), (page.grant, 4, true), (nil, 4, true), (nil, nil, true), (.number(1), nil, true),
      (.number(1), 4, false), (page.grant, 5, false), (nil, .max, false),
    ] as [(GrantID?, Int64?, Bool)] {
      #expect(try await isServed(grant, cursor) == expected, "\(grant as Any) \(cursor as Any)")
    }
    try await server.service.collectTombstones(in: .queue, upTo: 3)
    for (cursor, expected) in [(2, false), (3, true), (4, true), (5, false)] as [(Int64, Bool)] {
      #expect(try await isServed(page.grant, cursor) == expected, "\(cursor)")
    }
    #expect(try await server.page(after: 3)?.objects.map(\.id) == [.object(2)])
    let told = try await server.delta(.init(queue: .queue, awaiting: [.number(1)]), by: .ben)
    #expect(told?.refusal?.outcomesOfRevoked?.map(\.status) == [.applied])
  }

  @Test func queuesShareTheSizeLimitOfAnAnswer() async throws {
    let queues = (1...5).map { QueueID.queue($0) }
    for (number, queue) in queues.enumerated() {
      let text = String(repeating: "x", count: 400_000)
      try await server.statuses([.init(UInt64(number), .create(1, text, newestBy: 1, in: queue))], in: queue)
    }
    let request = DeltaRequest(queues: queues.map { .init(queue: $0) })
    let answers = try await server.service.delta(request, by: .anna)
    #expect(answers.map(\.queue) == Array(queues.prefix(2)), "a third one has no room in 1 MiB")
    #expect(try await server.service.delta(DeltaRequest(queues: request.queues, limit: 1), by: .anna).count == 1)
  }

  @Test func oneShotReadsFilterByType() async throws {
    for number in 1...9 {
      let type = number % 3 == 0 ? "photo" : "note"
      try await server.statuses([.init(UInt64(number), .create(UInt64(number), "a", type: type))])
    }
    var request = ObjectsRequest(queue: .queue, types: ["photo"], limit: 2)
    var found: [UUIDValue] = []
    while true {
      let page = try await server.service.objects(request, by: .anna)
      found += page.objects.map(\.id)
      if page.scan == nil && page.cursor == page.head { break }
      (request.history, request.cursor, request.scan) = (page.history, page.cursor, page.scan)
    }
    #expect(Set(found) == [.object(3), .object(6), .object(9)])
    #expect(request.history == server.storage.history.current)
    for (history, cursor) in [(.number(1), 1), (request.history, 100)] as [(HistoryID?, Int64)] {
      await #expect {
        _ = try await server.service.objects(ObjectsRequest(queue: .queue, history: history, cursor: cursor), by: .anna)
      } throws: {
        ($0 as? RequestError)?.code == .reset
      }
    }
  }
}
