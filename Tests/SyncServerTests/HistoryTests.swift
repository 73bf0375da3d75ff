// Tests of the histories of a server: what clients learn after it has lost something, and what stays as it was.

import Determinism
import Foundation
import GRDB
import GraphQL
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct HistoryTests {
  private let folder: TemporaryFolder
  private let time = SettableTime()

  init() throws { folder = try TemporaryFolder() }

  private func storage() throws -> SQLiteStorage { try SQLiteStorage(path: folder.url("server.sqlite").path) }

  /// Adds a history, as a restore does before the server starts. Returns its `since`.
  @discardableResult
  private func change(to number: UInt64, since: Int64? = nil) throws -> Int64 {
    let storage = try storage()
    let told = try storage.changeHistory(since: since.map(Timestamp.init(millisecondsSince1970:)), to: .number(number))
    try storage.close()
    return told.millisecondsSince1970
  }

  @Test func sinceIsTheEarliestOfAllNewerHistories() throws {
    let (identity, first) = (try storage().identity, try storage().history.current)
    for (number, since) in [(2, 50), (3, 30), (4, 70)] as [(UInt64, Int64)] {
      #expect(try change(to: number, since: since) == since)
      #expect(try storage().history.current == .number(number))
    }
    let histories = try storage().history
    for (known, since) in [
      (first, 30), (.number(2), 30), (.number(3), 70), (.number(4), 0), (.number(9), 0),
    ] as [(HistoryID, Int64)] {
      #expect(histories.since(after: known).millisecondsSince1970 == since, "\(known)")
    }
    #expect(try storage().identity == identity)
  }

  /// Clients date outcomes ahead by `firstSent`. What the server has noted of its clock bounds that.
  @Test(
    arguments: [
      (nil, false, 0), (60_000, false, SettableTime.start - 540_000), (-1_000, false, SettableTime.start - 600_000),
      (UpkeepRules.day, true, SettableTime.start - 600_000), (-1_000, true, SettableTime.start - 600_000),
    ] as [(Int64?, Bool, Int64)])
  func sinceIsTenMinutesBeforeTheNewestOutcome(ahead: Int64?, isNoted: Bool, expected: Int64) async throws {
    let service = try time.service(folder)
    if let ahead {
      var create = CommitRequest.Mutation(1, .create(1, "a"))
      create.firstSent = Timestamp(millisecondsSince1970: SettableTime.start + ahead)
      try await service.commit(CommitRequest(queue: .queue, mutations: [create]), by: .anna)
    }
    if isNoted { try await service.storeTime() }
    #expect(try change(to: 2) == expected)
  }

  /// Places in queues go on: clients compare the digest.
  @Test func aNewHistoryChangesNoQueue() async throws {
    func page() async throws -> DeltaAnswer.Result? {
      let grant = try await time.service(folder).grant(of: .anna, in: .queue)
      let place = DeltaRequest.Queue(queue: .queue, grant: grant, cursor: 1, awaiting: [.number(1)])
      return try await time.service(folder).delta(DeltaRequest(queues: [place]), by: .anna).first?.result
    }
    let commit = CommitRequest(queue: .queue, mutations: [.init(1, .create(1, "a"))])
    try await time.service(folder).commit(commit, by: .anna)
    let before = try await page()
    try change(to: 2)
    #expect(try await page() == before)
  }

  @Test func aRequestOfAnotherHistoryLearnsWhatMayBeLost() async throws {
    let first = try storage().history.current
    try change(to: 2, since: 50)
    try change(to: 3, since: 70)
    let storage = try storage()
    let service = SyncService(storage: storage, history: storage.history)
    for (named, since) in [(first, 50), (.number(2), 70), (.number(9), 0), (.number(3), nil), (nil, nil)]
      as [(HistoryID?, Int64?)]
    {
      let home = SyncID.homeQueue(ofUser: .anna)
      let body = SyncCall.delta.body(DeltaRequest(queues: [.init(queue: home)]), history: named)
      let response = await service.answer(body, by: .anna)
      guard let since else {
        #expect(response.status == 200 && response.errors == [])
        continue
      }
      #expect(response.status == 412 && response.calls == [], "nothing is done")
      #expect {
        _ = try SyncCall.delta.answer(response.body)
      } throws: { error in
        guard let error = error as? RequestError else { return false }
        return error.code == .historyChanged && error.since == Timestamp(millisecondsSince1970: since)
      }
    }
  }
}
