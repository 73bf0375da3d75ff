// Views that count, add up and look for the newest of other objects, and lists that are filtered and ordered by such
// views, against a flat recount after each change.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import TestSupport
import Testing
import TypeMatrix

@testable import ClientStore

@Suite struct ChildAnswerTests {
  @Test(arguments: UInt64(1)...6) func answersAreThoseOfARecount(seed: UInt64) throws {
    let world = try ChildWorld(seed: seed)
    for step in 0..<150 {
      let change = try world.change()
      // Often several changes come before somebody looks.
      if step % 3 == 1 { continue }
      let recounts = try world.recounts()
      let lists = try world.expectedLists(recounts)
      // A look at the lists of children starts the task that places what has arrived.
      for board in world.boards { _ = try world.tallies.view(board) }
      repeat {
        // Between two tasks a list may be incomplete, but it is never complete and wrong.
        for (shown, expected) in zip(world.shownLists(), lists) where shown != nil {
          try #require(shown == expected, "seed \(seed), step \(step), \(change), between two tasks")
        }
      } while world.runOne()
      for board in world.boards {
        let expected = recounts[board]?.answers
        let (live, once) = try (world.tallies.view(board), world.store.view(Board.Tally.self, of: board))
        try #require(Recount(live) == expected, "seed \(seed), step \(step), \(change)")
        try #require(Recount(once) == expected, "seed \(seed), step \(step), \(change), read once")
      }
      try #require(world.shownLists() == lists, "seed \(seed), step \(step), \(change), lists")
      if step % 10 == 0 { try #require(try world.listsReadOnce() == lists, "seed \(seed), step \(step), read once") }
    }
    #expect(world.seen == ChildWorld.Seen(unread: true, small: true, ties: true, absent: true, empty: true))
  }

  /// A table draws a row again where an answer has changed, and only there.
  @Test func rowIsUpdatedByItsChildren() async throws {
    let folder = try TemporaryFolder()
    let store = try ModelStore(at: folder.url.path, schema: TypeMatrixSchema.self, user: UserID(high: 1, low: 1))
    let (first, second) = (Board(name: "First"), Board(name: "Second"))
    store.create(contentsOf: [first, second])
    let tallies = store.list(Board.all, as: Board.Tally.self)
    for await update in tallies.updates where update.isComplete && update.snapshot.count == 2 { break }
    #expect(try tallies.view(first.id)?.votes == 0 && tallies.view(second.id)?.votes == 0)

    store.create(Card(board: first.id, title: "Tent", state: .open, weight: 1, size: 4))
    var drawn: Set<Board.ID> = []
    for await update in tallies.updates {
      drawn.formUnion(update.changes.updates.map { update.snapshot.id(of: $0.row) })
      if try tallies.view(first.id)?.size == 4 { break }
    }
    #expect(
      try tallies.view(first.id)?.unread == 1 && tallies.view(first.id)?.states == [ValueCount(value: .open, count: 1)])
    #expect(!drawn.contains(second.id))
  }
}

/// Two boards with cards of few different values. `@unchecked Sendable`: one thread runs the test and the store's tasks.
private final class ChildWorld: @unchecked Sendable {
  struct Seen: Equatable { var unread = false, small = false, ties = false, absent = false, empty = false }

  private let time = HandTime(1_000_000)
  private let executor: SeededExecutor
  private let folder: TemporaryFolder
  private let server = HandServer()
  private let user = UserID(high: 1, low: 1)
  private var random: SeededRandom
  private var revision: Int64 = 0
  private var handles: [OperationHandle] = []
  let store: ModelStore
  let boards = (1...4).map { Board.ID.queue($0) }
  let tallies: ViewList<Board.Tally, Unsectioned>
  private let busy: ListHandle<Board, Unsectioned>
  private let lately: ListHandle<Board, Timestamp?>
  private let led: ListHandle<Board, Unsectioned>
  /// What has occurred.
  private(set) var seen = Seen()

  init(seed: UInt64) throws {
    (random, executor, folder) = (SeededRandom(seed: seed), SeededExecutor(seed: seed), try TemporaryFolder())
    let (user, path) = (user, folder.url.path)
    store = try RuntimeEnvironment.$current.withValue(time.environment(seed: seed, spawning: executor.spawn)) {
      try ModelStore.$placedAtOnce.withValue([0, 2, 256][Int(seed % 3)]) {
        try ModelStore(at: path, schema: TypeMatrixSchema.self, user: user)
      }
    }
    tallies = store.list(Board.all, as: Board.Tally.self)
    (busy, lately, led) = (store.list(Board.busy), store.list(Board.lately), store.list(Board.led))
    for board in boards { store.create(Board(id: board, name: "\(board)")) }
    run()
  }

  func run() { executor.runUntilIdle() }

  /// Runs a part of a task; returns whether there was one.
  func runOne() -> Bool { executor.runOne() }

  /// Makes a random change, and returns its name.
  func change() throws -> String {
    let board = boards[Int(random.below(4))]
    time.set(to: time.now + Int64(random.below(3)))
    switch random.below(12) {
    case 0: return try changeBoard(board)
    case 1: return try changeSeat(board)
    case 2, 3: return try confirm(board)
    case 4:
      handles.randomElement(using: &random)?.cancel()
      return "cancel"
    default: return try changeCard(board)
    }
  }

  private func changeBoard(_ board: Board.ID) throws -> String {
    let most: Int32? = random.chance(30) ? nil : Int32(random.below(4))
    handles.append(store.update(board) { $0.most = most })
    return "most"
  }

  private func changeSeat(_ board: Board.ID) throws -> String {
    let seat = Seat.id(in: board.queueID, person: user)
    let since: Timestamp? =
      random.chance(20) ? nil : Timestamp(millisecondsSince1970: time.now - Int64(random.below(9)))
    if try store.object(seat) == nil {
      store.create(Seat(board: board, person: user, name: "me", since: since))
      store.update(board) { $0.lead = seat }
    } else {
      handles.append(store.update(seat) { $0.since = since })
    }
    return "seat"
  }

  private func changeCard(_ board: Board.ID) throws -> String {
    let id = Card.ID.object(random.below(12), in: board)
    guard let card = try store.object(id) else {
      var card = Card(id: id, board: board, title: "t", state: .open, weight: 1, size: 0)
      fill(&card)
      store.create(card)
      return "create"
    }
    if random.chance(25) {
      handles.append(store.delete(id))
      return "delete"
    }
    if random.chance(20) {
      handles.append(store.perform(Card.Vote(id, amount: Int64(random.below(5)) - 2)))
      return "vote"
    }
    var edited = card
    fill(&edited)
    handles.append(store.update(id) { $0 = edited })
    return "update"
  }

  private func fill(_ card: inout Card) {
    card.title = ["a", "A", "b"][Int(random.below(3))]
    card.note = [nil, "", "x"][Int(random.below(3))]
    card.state = [.open, .done][Int(random.below(2))]
    card.size = Int32(random.below(4)) - 1
    card.parent = random.chance(50) ? nil : Card.ID.object(random.below(12), in: card.board)
    card.changedAt = random.chance(30) ? nil : Timestamp(millisecondsSince1970: Int64(random.below(4)))
  }

  /// Brings cards of others, and a delete.
  private func confirm(_ board: Board.ID) throws -> String {
    revision += 1
    var states: [ObjectState] = []
    for number in 0..<random.below(6) {
      let id = Card.ID.object(random.below(12), in: board)
      if states.contains(where: { $0.id == id.rawValue }) { continue }
      var card = Card(id: id, board: board, title: "t", state: .open, weight: 1, size: 0)
      fill(&card)
      let system = SystemFields(
        createdBy: UserID(high: 2, low: 2), at: Timestamp(millisecondsSince1970: time.now - Int64(random.below(9))))
      let live = ObjectState.Live(type: Card.modelName, content: try card.encoded(), system: system)
      states.append(ObjectState(id: id.rawValue, revision: revision, live: number == 0 ? nil : live))
    }
    try executor.run { [states, revision, store, server] in
      try await store.waitUntilSaved()
      try await server.reveal(states, upTo: revision, to: store, in: board.queueID)
    }
    return "confirm"
  }
}

// The recount.
extension ChildWorld {
  typealias Recounted = (answers: Recount, last: Card?)

  func recounts() throws -> [Board.ID: Recounted] {
    let cards = Dictionary(grouping: try store.objects(Card.self), by: \.board)
    return Dictionary(uniqueKeysWithValues: try boards.map { ($0, try recount($0, cards[$0] ?? [])) })
  }

  private func recount(_ board: Board.ID, _ cards: [Card]) throws -> Recounted {
    let open = cards.filter { $0.state == .open }
    let since = try store.object(Seat.id(in: board.queueID, person: user))?.since
    let lead = try store.object(board)?.lead
    let most = try lead.flatMap { try store.object($0) }.flatMap { try store.object($0.board) }?.most
    func isUnread(_ card: Card) throws -> Bool {
      guard let since else { return true }
      return try store.systemFields(of: card.id).map { $0.createdAt > since } ?? false
    }
    let last = cards.min { left, right in
      if left.changedAt == right.changedAt { return left.id < right.id }
      guard let first = left.changedAt, let second = right.changedAt else { return left.changedAt != nil }
      return first > second
    }
    var recount = Recount()
    recount.unread = try open.count(where: isUnread)
    recount.small = cards.count { card in most.map { card.size <= $0 } ?? false }
    recount.states = counts(cards.map(\.state)) { $0.rawValue < $1.rawValue }
    recount.notes = counts(cards.map(\.note)) { ($0 == nil ? 1 : 0, $0 ?? "") < ($1 == nil ? 1 : 0, $1 ?? "") }
    recount.titles = counts(open.map(\.title)) { ($0.lowercased(), $0) < ($1.lowercased(), $1) }
    recount.votes = cards.reduce(0) { $0 + $1.votes }
    recount.size = cards.reduce(0) { $0 + Int64($1.size) }
    recount.last = [last?.title, try last?.parent.flatMap { try store.object($0) }?.title, last?.note]
    recount.biggest = cards.max { ($0.size, $0.id) < ($1.size, $1.id) }?.id
    note(cards, recount, open.count)
    return (recount, last)
  }

  private func counts<Value: Hashable & Sendable>(
    _ values: [Value], _ precedes: (Value, Value) -> Bool
  ) -> [ValueCount<Value>] {
    let counts = Dictionary(grouping: values) { $0 }.map { ValueCount(value: $0.key, count: $0.value.count) }
    return counts.sorted { $0.count == $1.count ? precedes($0.value, $1.value) : $0.count > $1.count }
  }

  private func note(_ cards: [Card], _ recount: Recount, _ open: Int) {
    if recount.unread > 0, recount.unread < open { seen.unread = true }
    if recount.small > 0, recount.small < cards.count { seen.small = true }
    if Set(cards.map(\.size)).count < cards.count { seen.ties = true }
    if Set(cards.map { $0.changedAt == nil }).count == 2 { seen.absent = true }
    if cards.isEmpty { seen.empty = true }
  }
}

// Lists by what the view shows.
extension ChildWorld {
  /// Nil for one that is not complete.
  func shownLists() -> [[[Board.ID]]?] {
    [
      busy.isComplete ? busy.snapshot.sections.map { Array($0.ids) } : nil,
      lately.isComplete ? lately.snapshot.sections.map { Array($0.ids) } : nil,
      led.isComplete ? led.snapshot.sections.map { Array($0.ids) } : nil,
    ]
  }

  /// The same lists, read anew by a reader that has none of them open. The store's own are forgotten with their handles.
  func listsReadOnce() throws -> [[[Board.ID]]?] {
    let found = Locked<[[[Board.ID]]?]>([])
    try executor.run { [store] in
      let utc = ListCalendar(timeZone: .gmt)
      let busy = try await store.snapshot(of: Board.busy, calendar: utc).sections.map { Array($0.ids) }
      let lately = try await store.snapshot(of: Board.lately, calendar: utc).sections.map { Array($0.ids) }
      let led = try await store.snapshot(of: Board.led, calendar: utc).sections.map { Array($0.ids) }
      found.withLock { $0 = [busy, lately, led] }
    }
    return found.withLock { $0 }
  }

  func expectedLists(_ recounts: [Board.ID: Recounted]) throws -> [[[Board.ID]]?] {
    let rows = try boards.sorted().compactMap { id -> Row? in
      guard let board = try store.object(id), let (answers, last) = recounts[id] else { return nil }
      let leader = try board.lead.flatMap { try store.object($0) }?.name
      let since = try store.object(Seat.id(in: id.queueID, person: user))?.since
      return Row(board: board, answers: answers, last: last, leader: leader, since: since)
    }
    let busy = rows.filter { $0.answers.unread > 0 && $0.leader != nil }.sorted { left, right in
      (-left.answers.size, left.board.name) < (-right.answers.size, right.board.name)
    }
    let lately = rows.sorted { left, right in
      let (first, second) = (left.last?.changedAt, right.last?.changedAt)
      if first == second { return left.board.id < right.board.id }
      guard let first, let second else { return first != nil }
      return first > second
    }
    var sections: [[Row]] = []
    for row in lately.prefix(3) {
      if sections.last?.last?.last?.changedAt != row.last?.changedAt || sections.isEmpty { sections.append([]) }
      sections[sections.count - 1].append(row)
    }
    let led = rows.filter { row in
      row.leader?.contains("e") == true || row.since.map { $0.millisecondsSince1970 > time.now } ?? false
        || row.answers.small <= 1
    }.sorted { left, right in
      if left.answers.votes != right.answers.votes { return left.answers.votes < right.answers.votes }
      if left.last?.note == right.last?.note { return left.board.id < right.board.id }
      guard let first = left.last?.note, let second = right.last?.note else { return left.last?.note != nil }
      return first > second
    }
    var titles: Set<String> = []
    let distinct = led.filter { row in row.last.map { titles.insert($0.title).inserted } ?? true }
    func ids(_ rows: [Row]) -> [[Board.ID]] { rows.isEmpty ? [] : [rows.map(\.board.id)] }
    return [ids(busy), sections.map { $0.map(\.board.id) }, ids(distinct)]
  }

  private struct Row {
    var board: Board
    var answers: Recount
    var last: Card?
    var leader: String?
    var since: Timestamp?
  }
}

/// The answers that a view shows.
private struct Recount: Equatable {
  var unread = 0
  var small = 0
  var states: [ValueCount<Card.State>] = []
  var notes: [ValueCount<String?>] = []
  var titles: [ValueCount<String>] = []
  var votes: Int64 = 0
  var size: Int64 = 0
  var last: [String?] = [nil, nil, nil]
  var biggest: Card.ID?
}

extension Recount {
  init?(_ tally: Board.Tally?) {
    guard let tally else { return nil }
    (unread, small, votes, size) = (tally.unread, tally.small, tally.votes, tally.size)
    (states, notes, titles) = (tally.states, tally.notes, tally.titles)
    (last, biggest) = ([tally.last, tally.lastParent, tally.lastNote], tally.biggest)
  }
}
