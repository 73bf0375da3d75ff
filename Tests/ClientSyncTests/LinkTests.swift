// What an exchange says of the speed of the network, in both directions.

import Foundation
import ModelSupport
import SyncProtocol
import Testing

@testable import ClientSync

@Suite struct LinkTests {
  @Test func directionThatCarriedLessIsAtLeastSoFast() {
    var link = Link()
    link.measure(sent: 100, received: 50_000, took: 5_000)
    for _ in 0..<20 { link.fail() }
    let slowest = link.down.bytesPerSecond
    // More goes up than comes down: what has come down shows nevertheless that the network is faster than it was.
    link.measure(sent: 12_000, received: 4_000, took: 400)
    #expect(link.down.bytesPerSecond == 10_000 && slowest == 1)
    link.measure(sent: 12_000, received: 400, took: 4_000)
    #expect(link.down.bytesPerSecond == 10_000, "a little in a long time makes it no slower")
  }

  @Test func nothingIsKnownOfADirectionThatWasNotMeasured() {
    var link = Link()
    link.measure(sent: 100_000, received: 100, took: 1_000)
    #expect(link.down.bytesPerSecond == nil, "the first page has its usual size")
  }

  @Test func refusedConnectionSaysNothingOfTheSpeed() async throws {
    let anna = try TestServer().device(1)
    try await anna.client.syncOnce()
    let before = await anna.client.link
    anna.transport.goes { _, _ in throw TestTransport.Lost() }
    for _ in 0..<5 { _ = try? await anna.client.syncOnce() }
    #expect(await anna.client.link == before)
  }

  /// The ids of what a device has sent go up once, not with each page of its load.
  @Test func pageThatGoesOnWithAScanAsksForNoOutcomes() async throws {
    let anna = try TestServer().device(1)
    anna.store.create(Box())
    for number in 1...UInt64(14) { anna.store.create(Card(number, title: String(repeating: "a", count: 200_000))) }
    try await anna.client.syncOnce()
    #expect(anna.store.pendingOperations.isEmpty)
    var asked: [Bool: [Int]] = [:]
    for message in anna.transport.messages where message.call == "Delta" {
      let text = String(decoding: message.body, as: UTF8.self)
      guard text.contains("\(QueueID.box)"),
        let list = text.split(separator: "\"awaiting\":[").dropFirst().first
      else { continue }
      asked[!text.contains("\"scan\":null"), default: []].append(list.prefix { $0 != "]" }.split(separator: ",").count)
    }
    let (scanning, others) = (asked[true] ?? [], asked[false] ?? [])
    #expect(scanning.count > 1 && scanning.allSatisfy { $0 == 0 }, "\(asked)")
    #expect(others.last.map { $0 > 0 } == true, "\(asked)")
  }

  /// What a device has sent may be in the pages of its load, so the load is not shown before its outcomes are known.
  @Test func loadIsShownOnceItsOutcomesAreKnown() async throws {
    let anna = try TestServer().device(1)
    anna.store.create(Box())
    for number in 1...UInt64(8) { anna.store.create(Card(number, title: String(repeating: "a", count: 200_000))) }
    let (store, asked) = (anna.store, Asked())
    anna.transport.goes { message, send in
      let text = String(decoding: message.body, as: UTF8.self)
      if message.call == "Delta", text.contains("\(QueueID.box)") {
        asked.note(scanning: !text.contains("\"scan\":null"), store.place(of: .box).load)
      }
      return await send()
    }
    try await anna.client.syncOnce()
    #expect(asked.loads.first { $0.isBehindTheScan }?.load == .loading, "\(asked.loads)")
    #expect(anna.store.place(of: .box).load == .loaded)
  }

  /// The requests for pages of one queue. `@unchecked Sendable`: `lock` guards them.
  private final class Asked: @unchecked Sendable {
    private let lock = NSLock()
    private var hasScanned = false
    private(set) var loads: [(isBehindTheScan: Bool, load: QueuePlace.Load)] = []

    func note(scanning: Bool, _ load: QueuePlace.Load) {
      lock.withLock {
        if scanning { hasScanned = true }
        loads.append((hasScanned && !scanning, load))
      }
    }
  }

  /// The queue ends while a device that has sent much loads it. What was applied before is not reported as lost.
  @Test func refusalInTheMidstOfAScanTellsOutcomesToo() async throws {
    let server = try TestServer()
    let (anna, tablet) = (try server.device(1), try server.device(1, seed: 9))
    anna.store.create(Box())
    for number in 1...UInt64(30) {
      anna.store.create(Card(number, title: String(repeating: "a", count: 200_000)))
    }
    let scans = Counter()
    anna.transport.goes { message, send in
      let isScan = message.call == "Delta" && !String(decoding: message.body, as: UTF8.self).contains("\"scan\":null")
      if isScan { scans.add() }
      if isScan, scans.value == 1 {
        try await tablet.sync()
        tablet.store.delete(Box.id())
        try await tablet.sync()
      }
      return await send()
    }
    for _ in 0..<3 { try await anna.client.syncOnce() }
    #expect(scans.value > 0 && anna.store.place(of: .box).load == .ended)
    #expect(anna.store.reasons == [])
  }
}
