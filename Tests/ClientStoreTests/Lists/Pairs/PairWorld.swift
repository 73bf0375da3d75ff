// A store with all lists of both models open, and random changes of their objects.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import TypeMatrix

@testable import ClientStore

/// The source of a change of a list.
enum PairSource: String, CaseIterable {
  case local, pending, confirmed, rejected, cancelled, deleted, reset, time
}

/// `@unchecked Sendable`: one thread runs the test and the tasks of the store.
final class PairWorld: @unchecked Sendable {
  private let time: HandTime
  private let executor: SeededExecutor
  private let folder: TemporaryFolder
  private let server = HandServer()
  private let board = Board.ID.queue(1)
  private let user = UserID(high: 1, low: 1)
  private let calendar = ListCalendar(timeZone: TimeZone(identifier: "Europe/Vienna")!, firstWeekday: .monday)
  private var random: SeededRandom
  private var handles: [OperationHandle] = []
  private var revision: Int64 = 0
  let store: ModelStore
  let lists: [OpenPairList]
  let listsHere: [OpenPairList]

  /// Shortly before the change to winter time.
  private static let start: Int64 = 1_761_400_000_000

  init(seed: UInt64) throws {
    (random, time, executor) = (SeededRandom(seed: seed), HandTime(Self.start), SeededExecutor(seed: seed))
    let folder = try TemporaryFolder()
    let user = user
    store = try RuntimeEnvironment.$current.withValue(time.environment(seed: seed, spawning: executor.spawn)) {
      try ModelStore.$placedAtOnce.withValue([0, 2, 256][Int(seed % 3)]) {
        try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: user)
      }
    }
    self.folder = folder
    (lists, listsHere) = (Ranked.openAll(store, calendar), RankedHere.openAll(store, calendar))
    run()
  }

  var moment: PairMoment { PairMoment(now: time.now, zone: calendar.timeZone, me: user) }

  /// Runs all tasks, so that the lists read what they have to.
  func run() { executor.runUntilIdle() }

  /// Makes a random change, and returns its source; nil if there was nothing to change.
  func change() throws -> PairSource? {
    switch random.below(16) {
    case 0...2: return try changeHere()
    case 3...5: return try changePending()
    case 6, 7: return try confirm()
    case 8, 9: return try reject()
    case 10, 11:
      guard let handle = handles.randomElement(using: &random) else { return nil }
      handle.cancel()
      return .cancelled
    case 12:
      guard let object = try store.objects(Ranked.self).randomElement(using: &random) else { return nil }
      handles.append(store.delete(object.id))
      return .deleted
    case 13:
      try executor.run { [store, board] in
        try await store.waitUntilSaved()
        try await store.receiveReset(of: board.queueID)
      }
      _ = try confirm()
      return .reset
    default:
      run()
      time.pass(Int64(random.below(20)) * 3_600_000) { run() }
      return .time
    }
  }

  private func changeHere() throws -> PairSource {
    let id = RankedHere.numbered(random.below(30))
    if try store.object(id) == nil {
      var object = RankedHere(id: id)
      fill(&object)
      store.create(object)
    } else if random.chance(20) {
      store.delete(id)
    } else {
      store.update(id) { self.edit(&$0) }
    }
    return .local
  }

  private func changePending() throws -> PairSource {
    let id = Ranked.numbered(random.below(40))
    if try store.object(id) == nil {
      var object = Ranked(id: id, board: board)
      fill(&object)
      store.create(object)
    } else {
      handles.append(store.update(id) { self.edit(&$0) })
    }
    return .pending
  }

  /// Brings changes of others, and outcomes of some of the operations that are sent.
  private func confirm() throws -> PairSource {
    revision += 1
    var objects = Dictionary(try store.objects(Ranked.self).map { ($0.id, $0) }) { first, _ in first }
    for _ in 0..<4 {
      let id = Ranked.numbered(random.below(40))
      var object = objects[id] ?? Ranked(id: id, board: board)
      edit(&object)
      objects[id] = object
    }
    let gone = random.chance(40) ? objects.keys.min() : nil
    var states = try objects.values.filter { $0.id != gone }.sorted { $0.id < $1.id }
      .map { try state(of: $0) }
    if let gone { states.append(ObjectState(id: gone.rawValue, revision: revision, live: nil)) }
    let share = random.below(3)
    try executor.run { [states, revision, store, server, board] in
      try await store.waitUntilSaved()
      let sent = try await store.send(in: board.queueID)
      let outcomes = sent.prefix(sent.count * Int(share) / 2).map {
        OperationOutcome(operation: $0.operation, status: .applied, at: revision)
      }
      try await server.reveal(states, upTo: revision, outcomes: outcomes, to: store, in: board.queueID)
    }
    return .confirmed
  }

  /// The state of an object on the server. Of some objects others are the creators.
  private func state(of object: Ranked) throws -> ObjectState {
    let number = Int64(object.id.rawValue.low % 8)
    var state = try store.state(of: object, revision: revision)
    state.live?.system = SystemFields(
      createdBy: number < 3 ? user : UserID(high: 2, low: 2), createdAt: .at(Self.start + number * 9_000_000),
      updatedAt: .at(Self.start + max(number * 9_000_000, revision * 20_000_000)))
    return state
  }

  private func reject() throws -> PairSource? {
    guard let item = store.pendingOperations.filter({ $0.queue == board.queueID }).randomElement(using: &random) else {
      return nil
    }
    try executor.run { [store, server, board, revision] in
      try await store.waitUntilSaved()
      guard try await store.send(in: board.queueID).contains(where: { $0.operation == item.id }) else { return }
      try await server.answer(.rejected("forbidden"), to: item.id, at: revision, to: store, in: board.queueID)
    }
    return .rejected
  }
}

// Values. There are few of each type, so that many are equal.
extension PairWorld {
  private func fill(_ object: inout some PairFields) { for field in 0..<18 { edit(&object, field) } }

  private func edit(_ object: inout some PairFields) {
    for _ in 0...random.below(4) { edit(&object, Int(random.below(18))) }
  }

  private func edit<Object: PairFields>(_ object: inout Object, _ field: Int) {
    func some<Value>(_ value: Value) -> Value? { random.chance(25) ? nil : value }
    let number = random.below(4)
    switch field {
    case 0: object.aBool = some(number % 2 == 0)
    case 1: object.aInt32 = some(Int32(number) - 2)
    case 2: object.aInt64 = some(Int64(number) - 1)
    case 3: object.aUint32 = some(UInt32(number))
    case 4: object.aUint64 = some(UInt64(number))
    case 5: object.aFloat = some(Float(number) / 2)
    case 6: object.aDouble = some(Double(number) - 1.5)
    case 7: object.aString = some(["", "ant", "Bee", "bee", "cat", "7 up", "zoo", "Zebra"][Int(random.below(8))])
    case 8: object.aData = some([UInt8(number)])
    case 9: object.aUuid = some(UUIDValue(high: 1, low: UInt64(number)))
    case 10: object.aTimestamp = some(.at(Self.start + (Int64(random.below(400)) - 200) * 3_600_000))
    case 11:
      object.aFile = some(
        FileReference(hash: ContentHash(words: (UInt64(number), 2, 3, 4)), size: 1, mime: "image/jpeg", name: "a.jpg"))
    case 12: object.aUser = some(number < 2 ? user : UserID(high: 2, low: 2))
    case 13: object.aOther = some(EverySingle.ID(UUIDValue(high: 3, low: UInt64(number))))
    case 14: object.aColor = some([RainbowColor.red, .green, .blue, .lowest][Int(number)])
    case 15: object.parent = some(Object.numbered(random.below(8)).rawValue)
    case 16: object.aPoint = some(Point(x: 1, y: Double(number)))
    default: object.aTags = SortedSet(["a", "b", "c"].prefix(Int(number)))
    }
  }
}
