// Opens a store that an app with an older schema has written: its objects, its pending operations and its lists.

import Determinism
import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ClientStore

@Suite struct ChangedSchemaTests {
  private let folder: TemporaryFolder
  private let server = HandServer()
  private let box = QueueID.queue(1)

  init() throws { folder = try TemporaryFolder() }

  private func open(_ schema: any SchemaDescription.Type) throws -> ModelStore {
    try ModelStore(at: folder.url.path, schema: schema, user: UserID(high: 1, low: 1))
  }

  private func chore(_ number: UInt64) -> Older.Chore {
    Older.Chore(
      id: ObjectID(.object(number, in: box)), box: box, title: "chore \(number)",
      due: Int64(number * 7_919 % 10_007))
  }

  /// The newer schema has another filter, another order and sections for the list. The saved ends of the list come
  /// first, placed by the newer schema.
  @Test func changedListShowsItsSavedEndsFirst() async throws {
    let older = try open(Older.self)
    let objects = try (0..<2_500).map { try older.state(of: chore($0), revision: 1) }
    try await server.reveal(objects, upTo: 1, to: older, in: box)
    let before = older.list(Older.Chore.open)
    for await update in before.updates where update.isComplete { break }
    let ends = before.snapshot.ids.prefix(200) + before.snapshot.ids.suffix(200)
    let first = Set(ends.map(\.rawValue))
    before.core.saveWindow()
    older.abandon()

    let tasks = HeldTasks()
    let newer = try RuntimeEnvironment.$current.withValue(.seeded(1, spawning: tasks.spawn)) { try open(Newer.self) }
    let list = newer.list(Newer.Chore.open)
    let states = Mutex<[ListSnapshot<Newer.Chore, Int64>]>([])
    _ = list.core.consumers.add { [core = list.core] in
      let state = ListSnapshot<Newer.Chore, Int64>(base: core.newestWithoutWaiting, isDescending: true)
      states.withLock { $0.append(state) }
    }
    await tasks.run()
    let all = try newer.objects(Newer.Chore.self)
    let shown = states.withLock { $0 }
    #expect(shown.count == 2 && shown.map(\.isComplete) == [false, true])
    for (state, holds) in zip(shown, [{ first.contains($0.id.rawValue) }, { _ in true }] as [(Newer.Chore) -> Bool]) {
      let expected = plain(all.filter(holds))
      #expect(state.sections.map { $0.ids.map(\.rawValue) } == expected && !expected.joined().isEmpty)
    }
  }

  /// The ids of each section, worked out by a sort of all objects.
  private func plain(_ chores: [Newer.Chore]) -> [[UUIDValue]] {
    let listed = chores.filter { !$0.isDone && !$0.title.contains("7") }
    let hundreds = Dictionary(grouping: listed) { $0.due / 100 }.sorted { $0.key > $1.key }
    return hundreds.map { $0.value.sorted { $0.due > $1.due }.map(\.id.rawValue) }
  }

  @Test func pendingOperationOfOlderSchemaIsShownAndSent() async throws {
    let older = try open(Older.self)
    try await server.reveal([try older.state(of: chore(1), revision: 1)], upTo: 1, to: older, in: box)
    older.create(chore(2))
    older.update(chore(1).id) { $0.title = "changed before" }
    try await older.waitUntilSaved()
    older.abandon()

    let newer = try open(Newer.self)
    let list = newer.list(Newer.Chore.open)
    for await update in list.updates where update.isComplete { break }
    let (first, second) = (Newer.Chore.ID(chore(1).id.rawValue), Newer.Chore.ID(chore(2).id.rawValue))
    #expect(try newer.object(first)?.title == "changed before" && newer.object(second)?.isDone == false)
    #expect(list.snapshot.contains(first) && list.snapshot.contains(second))
    newer.update(second) { $0.isDone = true }
    #expect(!list.snapshot.contains(second))
    try await newer.waitUntilSaved()
    #expect(try await newer.send(in: box).count == 3)
    newer.abandon()

    // The older schema again, as if the app was downgraded. It keeps the fields that it does not know.
    let again = try open(Older.self)
    again.update(chore(2).id) { $0.title = "changed after" }
    try await again.waitUntilSaved()
    again.abandon()
    let last = try open(Newer.self)
    #expect(try last.object(second)?.isDone == true && last.object(second)?.title == "changed after")
  }
}

// Two versions of a schema, as the generator would write them.

private enum Older: SchemaDescription {
  static let name = "Chores"
  static let models: [any Model.Type] = [Chore.self]

  struct Chore: Model {
    let id: ObjectID<Chore>
    var box = QueueID.zero
    var title = ""
    var due: Int64 = 0
    var unknownFields = UnknownFields.none

    static let modelName = "chore"
    var queueID: QueueID? { box }

    init(zeroWithID id: ObjectID<Chore>) { self.id = id }

    init(id: ObjectID<Chore>, box: QueueID, title: String, due: Int64) {
      (self.id, self.box, self.title, self.due) = (id, box, title, due)
    }

    static let fieldTable = FieldTable(
      "chore", unknownFields: \Self.unknownFields, Field(1, "box", \Self.box), Field(2, "title", \Self.title),
      Field(3, "due", \Self.due))

    static let open = ListDefinition<Chore, Unsectioned>("chore.open") { (fields: Fields, _) in
      ListPlace(order: .ascending(fields.due))
    }

    private struct Fields: ListFields {
      var box = QueueID.zero
      var due: Int64 = 0

      static let fieldTable = FieldTable(projection: "chore", Field(1, "box", \Self.box), Field(3, "due", \Self.due))
      func queueID(of id: UUIDValue) -> QueueID? { box }
    }
  }
}

private enum Newer: SchemaDescription {
  static let name = "Chores"
  static let models: [any Model.Type] = [Chore.self]

  struct Chore: Model {
    let id: ObjectID<Chore>
    var box = QueueID.zero
    var title = ""
    var due: Int64 = 0
    var isDone = false
    var unknownFields = UnknownFields.none

    static let modelName = "chore"
    var queueID: QueueID? { box }

    init(zeroWithID id: ObjectID<Chore>) { self.id = id }

    static let fieldTable = FieldTable(
      "chore", unknownFields: \Self.unknownFields, Field(1, "box", \Self.box), Field(2, "title", \Self.title),
      Field(3, "due", \Self.due), Field(4, "isDone", \Self.isDone))

    static let open = ListDefinition<Chore, Int64>("chore.open", isDescending: true) { (fields: Fields, _) in
      guard !fields.isDone, !fields.title.contains("7") else { return nil }
      return ListPlace(section: .descending(fields.due / 100), order: .descending(fields.due))
    }

    private struct Fields: ListFields {
      var box = QueueID.zero
      var title = ""
      var due: Int64 = 0
      var isDone = false

      static let fieldTable = FieldTable(
        projection: "chore", Field(1, "box", \Self.box), Field(2, "title", \Self.title), Field(3, "due", \Self.due),
        Field(4, "isDone", \Self.isDone))
      func queueID(of id: UUIDValue) -> QueueID? { box }
    }
  }
}
