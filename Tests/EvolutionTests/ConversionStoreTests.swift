// A store that last year's app has written, opened by the apps that came after it: lists, operations and what is pending.

import ClientStore
import ModelTypes
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct ConversionStoreTests {
  private static let user = UserID(subject: "anna", issuer: nil)

  private func open(_ schema: any SchemaDescription.Type, in folder: TemporaryFolder) throws -> ModelStore {
    try ModelStore(at: folder.url("store"), schema: schema, user: Self.user)
  }

  /// A store with chores that version 1.0 made, due on the days 3, 1 and 2; the ids in this order.
  private func oldStore(in folder: TemporaryFolder) async throws -> [UUIDValue] {
    let store = try open(C0Schema.self, in: folder)
    let chores = ["3", "1", "2"].map { day in
      C0Chore(
        title: day, due: day, count: 2, status: day == "1" ? "done" : "open", label: "red", latitude: 0, longitude: 0,
        name: "Ada Byron", weight: 1)
    }
    for chore in chores { store.create(chore) }
    store.perform(C0Chore.Schedule(chores[0].id, due: "0"))
    store.create(C0Ballot(chore: chores[0].id, user: Self.user, isYes: true))
    try await store.waitUntilSaved()
    try await store.close()
    return chores.map(\.id.rawValue)
  }

  @Test func listsAndConditionsSeeConvertedValues() async throws {
    let folder = try TemporaryFolder()
    let ids = try await oldStore(in: folder)
    let store = try open(C1Schema.self, in: folder)
    #expect(try await store.objects(in: C1Chore.byDue).map(\.title) == ["3", "1", "2"])
    #expect(try await store.objects(in: C1Chore.open).map(\.title).sorted() == ["2", "3"])
    #expect(try await store.objects(in: C1Chore.marked).isEmpty)
    store.perform(C1Chore.Sum(ObjectID(ids[1]), total: 4))
    #expect(try await store.objects(in: C1Chore.marked).map(\.title) == ["1"])
    let ballots = try store.objects(C1Ballot.self)
    #expect(ballots.map(\.choice) == [.yes])
    #expect(ballots.map(\.id) == [C1Ballot.id(in: ObjectID<C1Chore>(ids[0]).queueID, user: Self.user)])
    try await store.close()
  }

  @Test func operationsWriteBothFields() async throws {
    let folder = try TemporaryFolder()
    let ids = try await oldStore(in: folder)
    let noon = Timestamp(millisecondsSince1970: 5 * DayText.day + DayText.day / 2)
    do {
      let store = try open(C2Schema.self, in: folder)
      let chore = C2Chore.ID(ids[0])
      store.perform(C2Chore.Plan(chore, at: noon))
      store.perform(C2Chore.Mark(chore, label: "blue"))
      store.perform(C2Chore.Rename(chore, first: "Augusta"))
      store.perform(C2Chore.Weigh(chore, amount: 2.5))
      store.perform(C2Chore.Finish(chore))
      store.perform(C2Chore.Elect(chore))
      store.perform(C2Chore.Unplan(C2Chore.ID(ids[1])))
      store.perform(C2Chore.Schedule(C2Chore.ID(ids[2]), due: "9"))
      let object = try #require(try store.object(chore))
      #expect(object.dueAt == noon && object.first == "Augusta" && object.last == "Byron" && object.amount == 2.5)
      #expect(object.labels == ["blue", "red"] && object.state == .done && object.feeling == .done)
      #expect(try store.objects(C2Ballot.self).map(\.choice) == [.perhaps])
      #expect(try store.object(C2Chore.ID(ids[1]))?.dueAt == nil)
      #expect(try store.object(C2Chore.ID(ids[2]))?.dueAt == DayText.time("9"))
      try await store.waitUntilSaved()
      try await store.close()
    }
    // Last year's app, beside them.
    let store = try open(C0Schema.self, in: folder)
    let object = try #require(try store.object(C0Chore.ID(ids[0])))
    #expect(object.due == "5" && object.name == "Augusta Byron" && object.count == 3 && object.weight == 2.5)
    #expect(object.status == "done" && object.mood == "done" && object.label == "red")
    #expect(try store.objects(C0Ballot.self).map(\.isYes) == [false])
    store.perform(C0Chore.Schedule(object.id, due: "6"))
    store.perform(C0Chore.Mark(object.id, label: "green"))
    try await store.waitUntilSaved()
    try await store.close()
    let newest = try open(C2Schema.self, in: folder)
    let again = try #require(try newest.object(C2Chore.ID(ids[0])))
    #expect(again.dueAt == DayText.time("6") && again.labels == ["blue", "green"] && again.amount == 2.5)
    try await newest.close()
  }

  @Test func partsThatAreWrittenTogetherAreOnePatch() throws {
    var chore = C2Chore(zeroWithID: .new())
    chore._name = "Ada Byron"
    let before = chore
    #expect(chore.first == "Ada" && chore.last == "Byron")
    chore.first = "Augusta"
    #expect(try chore.changes(since: before).tags == [14, 15, 16])
    let edited = chore
    chore.last = "King"
    #expect(try chore.changes(since: edited).tags == [14, 15, 16], "also the part that stays")
    let again = chore
    chore.title = "another field"
    #expect(try chore.changes(since: again).tags == [1])
    chore._due = "5"
    let due = chore
    chore.dueAt = nil
    #expect(try chore.changes(since: due).tags == [2, 3], "also the one that is absent before and after")
  }

  // Found by an attack on the rules.

  private func chore() -> C2Chore {
    C2Chore(
      title: "", amount: 0, labels: ["a", "b"], first: "Ada", last: "Byron", heft: 0)
  }

  /// The patch of the last operation, of one object.
  private func patch(of store: ModelStore) throws -> Patch {
    let change = try #require(store.pendingOperations.last?.changes.objects.last)
    switch change.action {
    case .create(_, let patch, _), .patch(let patch): return patch
    case .delete: return .none
    }
  }

  @Test func anOperationOnTheOlderFieldLeavesTheSet() throws {
    let folder = try TemporaryFolder()
    let store = try open(C2Schema.self, in: folder)
    let chore = chore()
    store.create(chore)
    store.perform(C2Chore.Relabel(chore.id, label: "c"))
    #expect(try patch(of: store).tags == [9])
    #expect(try store.object(chore.id)?.labels == ["a", "b", "c"])
  }

  @Test func anInsertIsSentThoughTheElementSeemsToBeThere() throws {
    let folder = try TemporaryFolder()
    let store = try open(C2Schema.self, in: folder)
    let chore = chore()
    store.create(chore)
    store.perform(C2Chore.Mark(chore.id, label: "b"))
    #expect(try patch(of: store).tags == [10])
    store.perform(C2Chore.Unmark(chore.id, label: "x"))
    #expect(try patch(of: store).tags == [10])
  }

  @Test func twoRemovalsBringNothingBack() throws {
    let chore = chore()
    let content = try chore.encoded()
    let removals = try ["a", "b"].map { label in
      var other = chore
      other.labels.remove(label)
      return try other.changes(since: chore)
    }
    for order in [removals, removals.reversed()] {
      let merged = try order.reduce(content) { try $1.merged(into: $0) }
      #expect(try C2Chore(id: chore.id, blob: merged).labels.isEmpty)
    }
  }

  @Test func aValueThatIsAssignedUnchangedLeavesWhatWasWritten() throws {
    var chore = chore()
    chore._due = "soon"
    let before = chore
    #expect(chore.dueAt == nil)
    chore.dueAt = nil
    chore.first = "Ada"
    chore.amount = 0
    #expect(try chore.changes(since: before).isEmpty && chore._due == "soon")
  }

  @Test func aTextWithoutACaseIsHeard() throws {
    var chore = chore()
    chore.state = .done
    chore._status = "waiting"
    #expect(chore.state == .open, "the default")
    chore._status = ""
    #expect(chore.state == .open)
    // A case of a newer schema, under its name there.
    chore.__state = .unknown(9)
    chore._status = "postponed"
    #expect(chore.state == .unknown(9))
  }

  @Test func defaultsOfConvertedFieldsNeedNoRight() async throws {
    let folder = try TemporaryFolder()
    let store = try open(C2Schema.self, in: folder)
    store.create(chore())
    #expect(try Set(patch(of: store).tags).isDisjoint(with: [4, 5, 6]))
    store.create(C2Chore(title: "", amount: 2, first: "", last: "", heft: 0))
    #expect(try Set(patch(of: store).tags).isSuperset(of: [4, 5, 6]))
    try await store.close()
  }
}
