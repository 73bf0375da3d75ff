// The states of a file's row: where each event moves it.

import Foundation
import GRDB
import ModelSupport
import MomentsModels
import SampleIDs
import StoreTestSupport
import SyncProtocol
import TestSupport
import Testing

@testable import ClientStore

@Suite struct FileStateTests {
  private let temporary: TemporaryStore
  private let server = HandServer()
  private let moment = Moment(title: "Summit")
  private var store: ModelStore { temporary.store }
  private var queue: QueueID { moment.id.queueID }

  init() async throws {
    temporary = try TemporaryStore()
    try await server.reveal([store.state(of: moment, revision: 1)], upTo: 1, to: store, in: queue)
  }

  private func place(_ byte: UInt8) -> FileKey {
    FileKey(queue: queue, hash: ContentHash(of: [byte]))
  }

  @Test(arguments: FileEvent.all)
  func eventMovesRow(_ event: FileEvent) async throws {
    let states: [StoredFiles.State?] = [nil, .fetched, .toUpload, .uploaded, .kept]
    for (number, (state, expected)) in zip(states, event.expected).enumerated() {
      let place = place(UInt8(number))
      try await store.writer.put(state, of: place, namedBy: moment.id.rawValue)
      try await store.writer.perform(event, on: place)
      let row = try await store.writer.row(of: place)
      #expect(row?.state == expected, "from \(state.map { "\($0)" } ?? "no row")")
      guard let row, row.state != state else { continue }
      #expect(row.hasTime == [.uploaded, .kept].contains(row.state))
      #expect(row.attempts == 0, "a new state forgets failed attempts")
    }
  }

  @Test func neededFileIsNotKept() async throws {
    let place = place(1)
    try await store.writer.put(.toUpload, of: place, namedBy: moment.id.rawValue)
    #expect(try await !store.writer.keep(place, at: .zero) { true })
    #expect(try store.reader.state(of: place) == .toUpload)
  }

  /// A second look found that a file was needed, because its queue had gone meanwhile, and uploaded it there.
  @Test func fileOfGoneQueueIsNotUploadedAgain() async throws {
    let place = place(1)
    try await store.writer.put(.toUpload, of: place, namedBy: moment.id.rawValue)
    let refusal = QueueRefusal.revoked(outcomes: [], retention: .zero)
    try await store.receive(refusal, in: queue)
    #expect(try await store.writer.bringAgain([place.hash], in: queue).isEmpty)
    #expect(try store.reader.state(of: place) == .kept)
  }
}

/// Something that happens to a file, and the states that it leads to.
struct FileEvent: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// The states that follow no row, `fetched`, `toUpload`, `uploaded` and `kept`.
  var expected: [StoredFiles.State?]
  var perform: @Sendable (FileKey, _ queue: Int64, StoreTransaction) throws -> Void

  init(
    _ name: String, _ expected: [StoredFiles.State?],
    perform: @escaping @Sendable (FileKey, _ queue: Int64, StoreTransaction) throws -> Void
  ) {
    (testDescription, self.expected, self.perform) = (name, expected, perform)
  }

  static let all = [
    FileEvent("seen", [.fetched, .fetched, .toUpload, .uploaded, .kept]) {
      try StoredFiles.storeFetched($0.hash, $1, $2.database)
    },
    FileEvent("seen without a right", [nil, nil, .toUpload, .uploaded, .kept]) {
      try StoredFiles.forgetFetched($0.hash, $1, $2.database)
    },
    FileEvent("uploaded", [nil, .fetched, .uploaded, .uploaded, .kept]) {
      try StoredFiles.move($0, .toUpload, to: .uploaded, since: .zero, $2)
    },
    FileEvent("not needed", [nil, .fetched, .kept, .uploaded, .kept]) {
      try StoredFiles.move($0, .toUpload, to: .kept, since: .zero, $2)
    },
    FileEvent("lacking at the server", [.toUpload, .toUpload, .toUpload, .toUpload, .toUpload]) {
      _ = try StoredFiles.bringAgain([$0.hash], in: $0.queue, $2)
    },
    FileEvent("named by a decided operation", [nil, .fetched, .toUpload, .toUpload, .kept]) {
      _ = try StoredFiles.doubt([$0.hash], in: $1, $2.database)
    },
    FileEvent("the queue is loaded again", [nil, .fetched, .toUpload, .toUpload, .kept]) {
      try StoredFiles.doubt($1, since: .zero, $2.database)
    },
    FileEvent("another history", [nil, .fetched, .toUpload, .toUpload, .kept]) {
      try StoredFiles.doubt(nil, since: .zero, $2.database)
    },
    FileEvent("salvaged", [nil, .fetched, .toUpload, .toUpload, .kept]) {
      try StoredFiles.doubtNewest($2.database)
    },
    FileEvent("its object is there", [nil, .fetched, .toUpload, .uploaded, .toUpload]) {
      _ = try StoredFiles.bringKept($1, $2.database)
    },
    FileEvent("the queue has gone", [nil, nil, .kept, nil, .kept]) {
      _ = try StoredFiles.drop($1, at: .zero, $2.database)
    },
    FileEvent("kept for a week", [nil, .fetched, .toUpload, .uploaded, nil]) {
      _ = try StoredFiles.dropKept(before: .now, but: [], $2.database)
    },
  ]
}

extension StoreWriter {
  fileprivate func perform(_ event: FileEvent, on place: FileKey) throws {
    try transaction { try event.perform(place, $0.number(queue: place.queue), $0) }
  }

  /// Gives a file a row in a state, or none.
  fileprivate func put(_ state: StoredFiles.State?, of place: FileKey, namedBy object: UUIDValue) throws {
    try transaction { transaction in
      let (queue, hash) = (try transaction.number(queue: place.queue), Data(place.hash.bytes))
      try transaction.database.execute(
        sql: "DELETE FROM file WHERE queue = ? AND hash = ?", arguments: [queue, hash])
      guard let state else { return }
      let hasTime = state == .uploaded || state == .kept
      try transaction.database.execute(
        sql: """
          INSERT INTO file (queue, hash, state, number, objects, since, attempts) VALUES (?, ?, ?, 1, ?, ?, ?)
          """,
        arguments: [
          queue, hash, state.rawValue, object.stored, hasTime ? Int64(0) : nil, state == .toUpload ? 2 : 0,
        ])
    }
  }

  fileprivate func row(of place: FileKey) throws -> (state: StoredFiles.State?, hasTime: Bool, attempts: Int)? {
    try transaction { transaction in
      let row = try Row.fetchOne(
        transaction.database, sql: "SELECT state, since IS NOT NULL, attempts FROM file WHERE queue = ? AND hash = ?",
        arguments: [transaction.number(queue: place.queue), Data(place.hash.bytes)])
      return row.map { (StoredFiles.State(rawValue: $0[0]), $0[1], $0[2]) }
    }
  }
}
