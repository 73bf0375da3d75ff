// Tests of apps that are too old to send changes: they read on, keep what their user did, and send it after an update.

import Foundation
import ModelSupport
import SyncProtocol
import Testing

@testable import ClientStore
@testable import ClientSync
@testable import SyncServer

/// The schema of a newer app.
private enum NewerCardsSchema: SchemaDescription {
  static let name = CardsSchema.name
  static let version = "1.4+"
  static let models = CardsSchema.models
}

/// The schema of an older app.
private enum OlderCardsSchema: SchemaDescription {
  static let name = CardsSchema.name
  static let version = "1.2"
  static let models = CardsSchema.models
}

@Suite struct OldestWriterTests {
  private let server: TestServer
  private let anna: TestDevice
  private let ben: TestDevice

  /// Anna and Ben share a box; Anna's app is old, Ben's is new. The server takes all.
  init() async throws {
    server = try TestServer()
    anna = try server.device(1, schema: OlderCardsSchema.self)
    ben = try server.device(2, schema: NewerCardsSchema.self)
    anna.store.create(Box())
    anna.store.create(Card(9))
    anna.store.perform(Member(card: Card.id(9), user: ben.store.user, change: .joins))
    try await anna.sync()
    try await ben.sync()
  }

  private func takeChanges(from oldest: String?) {
    var tables = AccessTables()
    tables.oldestWriters[CardsSchema.name] = oldest.flatMap { SchemaVersion($0) }
    server.service.serve(tables)
  }

  @Test(arguments: [true, false]) func oldAppReadsOnAndSendsAfterTheUpdate(isTold: Bool) async throws {
    takeChanges(from: "1.4")
    anna.transport.tellsOldestWriter = isTold
    ben.store.create(Card(1))
    try await ben.sync()
    anna.store.create(Card(2))
    await #expect(throws: SyncError.self) { try await anna.sync() }
    // `syncOnce` ends with the first failure, so each call gets a little further.
    for _ in 0..<3 { try? await anna.sync() }
    #expect(try anna.card(1) != nil, "it shows what others do")
    #expect(anna.store.pending == 1, "it keeps what its user did")
    let status = await anna.client.status
    #expect(status.problem?.code == .outdated && status.problem?.recovery == .updateApp && !status.isUpToDate)
    #expect(try ben.card(2) == nil)
    if isTold {
      #expect(anna.transport.messages.count { $0.call == "Commit" } == 1, "what init did, and nothing since")
    }
    // Everything that one batch or one queue may have caused is left as it was.
    #expect(await anna.client.machine.batch(of: .box) == ProtocolLimits.mutations)

    try await anna.store.close()
    let updated = try anna.secondProcess(seed: 7, schema: NewerCardsSchema.self)
    updated.transport.tellsOldestWriter = isTold
    #expect(updated.store.pending == 1)
    try await updated.sync()
    try await ben.sync()
    #expect(updated.store.pending == 0)
    #expect(try ben.card(2) != nil)
    #expect(await updated.client.status.problem == nil)
  }

  @Test(arguments: [true, false]) func oldAppSendsOnceTheServerTakesItAgain(isTold: Bool) async throws {
    takeChanges(from: "2")
    for device in [anna, ben] { device.transport.tellsOldestWriter = isTold }
    ben.store.create(Card(1))
    for _ in 0..<3 { try? await ben.sync() }
    #expect(ben.store.pending == 1, "1.4+ is older than 2 as well")
    takeChanges(from: nil)
    await ben.client.retry()
    try await ben.sync()
    #expect(ben.store.pending == 0)
    #expect(await ben.client.status.problem == nil)
  }

  @Test func oldAppWithoutChangesIsUpToDateAndSaysSo() async throws {
    takeChanges(from: "1.4")
    anna.transport.tellsOldestWriter = true
    ben.store.create(Card(1))
    try await ben.sync()
    try await anna.sync()
    #expect(try anna.card(1) != nil)
    #expect(await anna.client.status.problem?.code == .outdated, "before its user does anything")
  }

  @Test func appThatNamesNoVersionIsOlderThanAll() async throws {
    takeChanges(from: "0.1")
    let carl = try server.device(1, seed: 5)
    try await carl.sync()
    carl.transport.tellsOldestWriter = false
    carl.store.create(Card(3))
    await #expect(throws: SyncError.self) { try await carl.sync() }
    #expect(carl.store.pending == 1)
  }

  /// What was decided before the app became too old is not lost with the answer.
  @Test func outcomeComesThoughTheAppIsTooOldNow() async throws {
    anna.store.create(Card(1))
    try await anna.store.waitUntilSaved()
    anna.transport.goes { message, send in
      let answer = await send()
      if message.call == "Commit" { throw CancellationError() }
      return answer
    }
    try? await anna.client.syncOnce()
    #expect(anna.store.pending == 1)
    takeChanges(from: "1.4")
    anna.transport.goesStraight()
    for _ in 0..<4 { try? await anna.sync() }
    #expect(anna.store.pending == 0, "a delta has the outcome")
  }

  @Test func versionsAreComparedNumberByNumber() throws {
    let sorted = ["0", "0.1", "0.1+", "0.9", "0.10", "1", "1+", "1.0.0.1", "1.2", "10"]
    let versions = try sorted.map { try #require(SchemaVersion($0)) }
    #expect(versions.sorted(by: >).sorted() == versions)
    let release = try #require(SchemaVersion("0.10"))
    #expect(versions.filter { $0.stands(on: release) }.map(\.description) == Array(sorted.suffix(6)))
    #expect(SchemaVersion("1.0") == SchemaVersion("1"))
    #expect(try #require(SchemaVersion("0.10+")).stands(on: release))
    for text in ["", "+", "1.", ".1", "01", "1.02", "-1", "1.2.3.4.5", "1234567890", "1 ", "1++", "v1", "１"] {
      #expect(SchemaVersion(text) == nil, "\(text)")
    }
  }
}
