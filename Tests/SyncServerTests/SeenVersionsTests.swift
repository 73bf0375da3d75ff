// Tests of the counts of versions: who was seen with which version of a schema, and when last.

import GraphQL
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite struct SeenVersionsTests {
  private let folder: TemporaryFolder
  private let service: SyncService
  private let time = SettableTime()

  init() throws {
    folder = try TemporaryFolder()
    service = try time.service(folder)
  }

  /// Any request names the version; this one reads nothing.
  private func ask(_ user: UserID, _ version: String?, schema: String = "Cards") async {
    let body = SyncCall.changed.body(
      ChangedRequest(sums: nil, waitSeconds: 0), schema: schema, version: version.flatMap { SchemaVersion($0) })
    _ = await service.answer(body, by: user)
  }

  private func counts(since first: Int64 = 0) throws -> [VersionCount] {
    try #require(service.storage as? SQLiteStorage).versionCounts(since: first, on: service.today)
  }

  @Test func usersAreCountedByTheDaysOnWhichTheyWereSeen() async throws {
    await ask(.anna, "1.2")
    await ask(.anna, "1.2")
    await ask(.anna, "1.10")
    await ask(.ben, nil)
    try await service.storeTime()
    time.pass(days: 8)
    // The server does so every minute; a request before that counts for the day before.
    try await service.storeTime()
    await ask(.anna, "1.10")
    await ask(.ben, "1.10", schema: "Wallet")
    try await service.storeTime()
    let rows = try counts().map {
      "\($0.schema) \($0.version) \($0.today) \($0.week) \($0.month) \($0.year) \($0.lastSeen)"
    }
    let (first, last) = ("2023-11-14", "2023-11-22")
    #expect(
      rows == [
        "Cards  0 0 1 1 \(first)", "Cards 1.2 0 0 1 1 \(first)", "Cards 1.10 1 1 1 1 \(last)",
        "Wallet 1.10 1 1 1 1 \(last)",
      ])
    #expect(try counts(since: service.today).map(\.version) == ["1.10", "1.10"])
  }

  @Test func whoWasNotSeenForAYearIsForgotten() async throws {
    await ask(.anna, "1.2")
    try await service.storeTime()
    time.pass(days: 365)
    try await service.performUpkeep(UpkeepRules())
    #expect(try counts().map(\.version) == ["1.2"])
    time.pass(days: 1)
    try await service.performUpkeep(UpkeepRules())
    #expect(try counts().isEmpty)
  }

  /// A user may name any versions, and takes no more room than others.
  @Test func ofOneUserTheLatestVersionsAreKept() async throws {
    await ask(.ben, "7")
    for day in 0..<30 as Range<Int> {
      for part in 0..<5 as Range<Int> { await ask(.anna, "\(day + 1).\(part)") }
      try await service.storeTime()
      time.pass(days: 1)
    }
    let counts = try counts()
    #expect(counts.count == 51 && counts.contains { $0.version == "7" })
    #expect(counts.filter { $0.version != "7" }.allSatisfy { SchemaVersion("21")! <= SchemaVersion($0.version)! })
  }

  /// What a crash takes comes again: nothing is thought written that is not.
  @Test func whatWasNotWrittenIsWrittenLater() async throws {
    await ask(.anna, "1.2")
    let seen = service.versions.next(10, on: 1)
    #expect(seen.count == 1)
    await ask(.anna, "1.2")
    #expect(service.versions.next(10, on: 1) == seen, "once")
    service.versions.didWrite(seen)
    await ask(.anna, "1.2")
    #expect(service.versions.next(10, on: 1).isEmpty, "not again on this day")
    await ask(.anna, "1.2")
    #expect(service.versions.next(10, on: 2).isEmpty)
    await ask(.anna, "1.2")
    #expect(service.versions.next(10, on: 2) == seen, "but on the next one")
  }

  @Test func versionThatIsNoneIsRefused() async throws {
    let body = SyncCall.changed.body(
      ChangedRequest(sums: nil, waitSeconds: 0), schema: "Cards", version: SchemaVersion("1.2"))
    let text = String(decoding: body, as: UTF8.self)
    #expect(text.contains(#""syncVersion":"1.2""#))
    for wrong in ["", "latest", "1.2.3.4.5"] {
      let changed = text.replacing("1.2\"", with: "\(wrong)\"")
      let response = await service.answer(Array(changed.utf8), by: .anna)
      #expect(response.errors.first?.code == .init(.badRequest), "\(wrong)")
    }
  }
}
