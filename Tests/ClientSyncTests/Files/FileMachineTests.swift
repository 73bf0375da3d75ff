// Tests of the decisions of `FileMachine`, without a store and a network.

import ModelSupport
import SampleIDs
import Testing

@testable import ClientSync

@Suite struct FileMachineTests {
  private var machine = FileMachine(FileLimits())
  private var now = Timestamp(millisecondsSince1970: 1_000_000)

  private static func place(_ number: UInt64) -> FileKey {
    FileKey(queue: QueueID(high: 1, low: 1), hash: ContentHash(words: (number, 0, 0, 0)))
  }

  private static func facts(
    uploads: Int = 0, fetches: Int = 0, size: Int64 = 100 << 20, request: Int = 1
  ) -> FileFacts {
    func find(
      _ kind: FileWork.Kind, _ numbers: Range<Int>, _ limit: Int, _ isFree: (FileKey, Int) -> Bool
    ) -> [FileWork] {
      numbers.map { place(UInt64($0)) }.filter { isFree($0, request) }.prefix(limit).map {
        FileWork(place: $0, kind: kind, size: size, request: request)
      }
    }
    return FileFacts(
      counts: (uploads, fetches), uploads: { find(.upload, 0..<uploads, $0, $1) },
      fetches: { find(.fetch, 1_000..<1_000 + fetches, $0, $1) })
  }

  private mutating func pass(_ milliseconds: Int64) {
    now = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + milliseconds)
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (7, 4), (300, 4)])
  mutating func addsTransferWhenMoreThanTwiceAsManyFilesWait(waiting: Int, transfers: Int) {
    #expect(machine.begin(Self.facts(uploads: waiting), at: now).count == transfers)
    #expect(machine.begin(Self.facts(uploads: waiting), at: now).isEmpty, "no more while these are under way")
  }

  @Test mutating func finishesEveryUploadExactlyOnce() {
    var left = Set((0..<50).map { Self.place($0) })
    var underWay: [FileTurn] = []
    while !left.isEmpty {
      let all = left.sorted()
      let facts = FileFacts(
        counts: (left.count, 0),
        uploads: { limit, isFree in
          all.filter { isFree($0, 0) }.prefix(limit).map { FileWork(place: $0, kind: .upload, size: 10) }
        }, fetches: { _, _ in [] })
      underWay += machine.begin(facts, at: now)
      #expect(underWay.count == FileMachine.transfers(for: left.count, atMost: 4), "none is lost")
      let turn = underWay.removeFirst()
      switch turn.kind {
      case .ask: machine.end(turn, .moved(to: 0, bytes: 0), at: now, chance: 0)
      case .part(offset: 0, count: 10, size: 10):
        machine.end(turn, .done(bytes: 10), at: now, chance: 0)
        #expect(left.remove(turn.place) != nil)
      default: Issue.record("\(turn.kind)")
      }
    }
    #expect(!machine.isBusy)
  }

  @Test mutating func continuesUploadAtOffsetOfServer() throws {
    var turn = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
    #expect(turn.kind == .ask)
    machine.end(turn, .moved(to: 5_000, bytes: 0), at: now, chance: 0)
    turn = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
    guard case .part(offset: 5_000, let count, _) = turn.kind else { throw Unexpected(turn) }
    // The server has taken only half of the part.
    machine.end(turn, .moved(to: 5_000 + count / 2, bytes: count / 2), at: now, chance: 0)
    turn = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
    guard case .part(offset: 5_000 + count / 2, _, _) = turn.kind else { throw Unexpected(turn) }
    // After a failure the machine asks again how far the upload is.
    machine.end(turn, .unreachable(SyncFailure(.waitForServer, .unreachable, "why")), at: now, chance: 0)
    #expect(machine.begin(Self.facts(uploads: 1), at: now).isEmpty)
    pass(1_000)
    #expect(machine.begin(Self.facts(uploads: 1), at: now).first?.kind == .ask)
  }

  private struct Unexpected: Error {
    var turn: FileTurn
    init(_ turn: FileTurn) { self.turn = turn }
  }

  @Test mutating func quickPartsGrowAndSlowOnesShrink() throws {
    var sizes: [Int64] = []
    for took in [100, 100, 100, 100, 100, 7_000, 7_000, 3_000] as [Int64] {
      let turn = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
      if case .part(_, let count, _) = turn.kind { sizes.append(count >> 20) }
      pass(took)
      machine.end(turn, .moved(to: 0, bytes: 0), at: now, chance: 0)
    }
    #expect(sizes == [2, 4, 4, 4, 4, 2, 1])
  }

  @Test mutating func proxyThatRefusesLargePartsGetsSmallerOnes() throws {
    machine.end(machine.begin(Self.facts(uploads: 1), at: now)[0], .moved(to: 0, bytes: 0), at: now, chance: 0)
    var counts: [Int64] = []
    for _ in 0..<7 {
      guard let turn = machine.begin(Self.facts(uploads: 1), at: now).first else { break }
      if case .part(_, let count, _) = turn.kind { counts.append(count >> 10) }
      machine.end(turn, .tooLargePart, at: now, chance: 0)
    }
    #expect(counts == [2_048, 1_024, 512, 256, 128, 64])
  }

  @Test mutating func failingFileWaitsAndOthersGoOn() throws {
    let turn = try #require(machine.begin(Self.facts(uploads: 2), at: now).first)
    let error = FileError(.forbidden, "why")
    let note = machine.end(turn, .failed(error, retryAfterMilliseconds: 0), at: now, chance: 500)
    #expect(note?.failure?.attempts == 1)
    let next = try #require(machine.begin(Self.facts(uploads: 2), at: now).first)
    #expect(next.place == Self.place(1))
    machine.end(next, .done(bytes: 0), at: now, chance: 0)
    #expect(machine.begin(Self.facts(uploads: 1), at: now).isEmpty)
    #expect(machine.wait(at: now) == 500)
    pass(500)
    #expect(machine.begin(Self.facts(uploads: 1), at: now).count == 1)
  }

  @Test mutating func finalFailureIsNotTriedAgain() throws {
    let turn = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
    machine.end(turn, .failed(FileError(.lost, "why"), retryAfterMilliseconds: 0), at: now, chance: 500)
    pass(10 * Backoff.longestMilliseconds)
    #expect(machine.begin(Self.facts(uploads: 1), at: now).isEmpty)
    #expect(machine.wait(at: now) == nil)
    var other = machine
    #expect(other.begin(Self.facts(uploads: 1, request: 2), at: now).count == 1, "the user has added the file again")
    machine.beginAgain()
    #expect(machine.begin(Self.facts(uploads: 1), at: now).count == 1)
  }

  @Test mutating func keepsRetryTimeOfEarlierRun() throws {
    let retryAt = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + 5_000)
    let failure = QueueFailure(attempts: 3, retryAt: retryAt, message: "why")
    let facts = FileFacts(
      counts: (2, 0),
      uploads: { limit, isFree in
        let files = [
          FileWork(place: Self.place(0), kind: .upload, size: 1, failure: failure),
          FileWork(place: Self.place(1), kind: .upload, size: 1),
        ]
        return Array(files.filter { isFree($0.place, 0) }.prefix(limit))
      }, fetches: { _, _ in [] })
    #expect(machine.begin(facts, at: now).map(\.place) == [Self.place(1)], "the next one takes its turn")
    #expect(machine.wait(at: now) == 5_000)
  }

  @Test mutating func expensiveNetworkTakesNoUploads() {
    machine.isExpensive = true
    #expect(machine.begin(Self.facts(uploads: 3, fetches: 1), at: now).map(\.place) == [Self.place(1_000)])
    machine.limits.uploadsOnExpensiveNetworks = true
    #expect(machine.begin(Self.facts(uploads: 3, fetches: 1), at: now).count == 2)
  }

  @Test mutating func limitOfBytesHoldsOverTime() throws {
    machine.limits = FileLimits(maximumTransfers: 1, bytesPerSecond: 1 << 20)
    let start = now.millisecondsSince1970
    var sent: Int64 = 0
    for _ in 0..<50 {
      pass(machine.wait(at: now) ?? 0)
      let turn = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
      pass(1)
      if case .part(let offset, let count, _) = turn.kind {
        sent += count
        machine.end(turn, .moved(to: offset + count, bytes: count), at: now, chance: 0)
      } else {
        machine.end(turn, .moved(to: 0, bytes: 0), at: now, chance: 0)
      }
    }
    pass(machine.wait(at: now) ?? 0)
    let seconds = Double(now.millisecondsSince1970 - start) / 1_000
    let rate = Double(sent) / seconds / Double(1 << 20)
    #expect(0.9...1.0 ~= rate, "\(rate) of the limit")
  }

  @Test mutating func limitOfBytesCountsFilesOfOnePart() throws {
    machine.limits = FileLimits(maximumTransfers: 1, bytesPerSecond: 1_000)
    let facts = Self.facts(fetches: 2)
    let turn = try #require(machine.begin(facts, at: now).first)
    machine.end(turn, .done(bytes: 3_000), at: now, chance: 0)
    #expect(machine.begin(facts, at: now).isEmpty)
    #expect(machine.isMoving(facts, at: now), "the limit is no end")
    pass(3_000)
    #expect(machine.begin(facts, at: now).count == 1)
  }

  @Test mutating func fetchesAreReplacedAsTheyEnd() throws {
    let facts = Self.facts(uploads: 50, fetches: 50)
    var underWay = machine.begin(facts, at: now)
    for _ in 0..<20 {
      #expect(underWay.filter { if case .fetch = $0.kind { true } else { false } }.count == 4)
      machine.end(underWay.removeFirst(), .moved(to: 10, bytes: 10), at: now, chance: 0)
      underWay += machine.begin(facts, at: now)
    }
  }

  @Test mutating func newRequestOfAFileWaitsForNoEarlierFailure() throws {
    let turn = try #require(machine.begin(Self.facts(fetches: 1), at: now).first)
    machine.end(turn, .failed(FileError(.absent, "why"), retryAfterMilliseconds: 0), at: now, chance: 500)
    #expect(machine.begin(Self.facts(fetches: 1), at: now).isEmpty)
    #expect(machine.begin(Self.facts(fetches: 1, request: 2), at: now).count == 1)
  }

  @Test mutating func clockThatWasSetBackDelaysNothing() throws {
    machine.limits.bytesPerSecond = 1
    let ask = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
    machine.end(ask, .moved(to: 0, bytes: 0), at: now, chance: 0)
    let turn = try #require(machine.begin(Self.facts(uploads: 1), at: now).first)
    machine.end(turn, .moved(to: 64 << 10, bytes: 64 << 10), at: now, chance: 0)
    now = Timestamp(millisecondsSince1970: 0)
    #expect(machine.begin(Self.facts(uploads: 1), at: now).count == 1)
  }
}
