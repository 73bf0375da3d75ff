// A queue with a member of each role, entries of each member, and the changes that they attempt. The store's changes go
// to the server as they are, also those that the store refuses.

import ClientStore
import Foundation
import ModelSupport
import SampleIDs
import SyncProtocol
import SyncServer
import TestSupport

/// The rights of entries and shelves, for stores that are opened while it is set.
enum EntryAccess {
  @TaskLocal static var current = ObjectAccess.byRole
}

/// The text is field 2, the mark field 3, the author field 4.
struct Entry: Model {
  let id: ObjectID<Entry>
  var text: String?
  var mark: String?
  var author: UserID?
  var unknownFields = UnknownFields.none

  static let modelName = "entry"
  static var objectAccess: ObjectAccess { EntryAccess.current }
  var queueID: QueueID? { .box }

  init(zeroWithID id: ObjectID<Entry>) { self.id = id }

  init(_ id: ID, text: String? = nil, mark: String? = nil, author: UserID? = nil) {
    (self.id, self.text, self.mark, self.author) = (id, text, mark, author)
  }

  static let fieldTable = FieldTable(
    "entry", unknownFields: \Self.unknownFields, Field(2, "text", \Self.text), Field(3, "mark", \Self.mark),
    Field(4, "author", \Self.author))
}

/// The root of the queue of entries.
struct Shelf: QueueModel {
  let id: ObjectID<Shelf>
  var unknownFields = UnknownFields.none

  static let modelName = "shelf"
  static var objectAccess: ObjectAccess { EntryAccess.current }
  static let root = ObjectID<Shelf>(QueueID.box.root)
  var queueID: QueueID? { id.queueID }

  init(zeroWithID id: ObjectID<Shelf>) { self.id = id }

  static let fieldTable = FieldTable("shelf", unknownFields: \Self.unknownFields)
}

private enum ShelfSchema: SchemaDescription {
  static let name = "Shelves"
  static let models: [any Model.Type] = [Shelf.self, Entry.self]
}

/// A change of one entry. For some kinds the entry exists before, created by the user (`isOwn`) or by somebody else. Its
/// author is the user (`isNamed`) or somebody else.
struct Attempt: ModelOperation {
  var kind: Kind
  var entry: Entry.ID
  var author: UserID
  var isOwn: Bool
  var isNamed: Bool

  enum Kind: CaseIterable {
    case editText, editMark, editBoth, editAuthor, delete, createOver, upsertTextOver, upsertMarkOver
    case create, createMarked, upsertText, upsertMark

    var isOverEntry: Bool { ![.create, .createMarked, .upsertText, .upsertMark].contains(self) }
  }

  /// One attempt for each kind and creator, each on an entry of its own.
  static func all(by user: UInt64) -> [Attempt] {
    Kind.allCases.enumerated().flatMap { index, kind in
      (kind.isOverEntry ? [true, false] : [true]).flatMap { isOwn in
        [true, false].map { isNamed in
          let number = 100 * user + 4 * UInt64(index) + (isOwn ? 1 : 0) + (isNamed ? 2 : 0)
          return Attempt(
            kind: kind, entry: .object(number, in: .box), author: AccessWorld.user(isNamed ? user : user + 1),
            isOwn: isOwn, isNamed: isNamed)
        }
      }
    }
  }

  static let operationName = "entry.attempt"
  static let fieldTable = FieldTable(projection: "entry.attempt", Field(1, "entry", \Self.entry))

  func evaluate(in context: inout OperationContext) throws {
    var (text, mark, both) = (PatchBuilder(), PatchBuilder(), PatchBuilder())
    text.set(2, "text")
    mark.set(3, "mark")
    both.set(2, "text")
    both.set(3, "mark")
    var name = PatchBuilder()
    name.set(4, AccessWorld.user(9))
    switch kind {
    case .editAuthor: try context.edit(entry, name)
    case .editText: try context.edit(entry, text)
    case .editMark: try context.edit(entry, mark)
    case .editBoth: try context.edit(entry, both)
    case .delete: try context.delete(entry)
    case .create: try context.create(Entry(entry, text: "text", author: author))
    case .createOver, .createMarked: try context.create(Entry(entry, text: "text", mark: "mark", author: author))
    case .upsertText, .upsertTextOver: try context.upsert(Entry(entry, author: author), text)
    case .upsertMark, .upsertMarkOver: try context.upsert(Entry(entry, author: author), mark)
    }
  }
}

/// Changes members, or ends the queue.
struct ShelfAttempt: ModelOperation {
  var shelf = Shelf.root
  /// Nil for the end.
  var member: MemberChange?

  static let operationName = "shelf.attempt"
  static let fieldTable = FieldTable(projection: "shelf.attempt", Field(1, "shelf", \Self.shelf))

  func evaluate(in context: inout OperationContext) throws {
    guard let member else { return try context.delete(shelf) }
    let user = member.user
    switch member.action {
    case .follow(let role): try context.follow(user, as: role, inQueueOf: shelf)
    case .role(let role): try context.setRole(of: user, to: role, inQueueOf: shelf)
    case .unfollow: try context.unfollow(user, inQueueOf: shelf)
    }
  }
}

/// A server with a queue of the writer. It enforces the table of `EntryAccess` only once all entries exist.
struct AccessWorld {
  /// The owner comes last, because an owner may end the queue.
  static let members: [(user: UInt64, role: QueueRole)] = [(1, .reader), (2, .writer), (3, .owner)]
  static let owner: UInt64 = 3
  /// Another writer, who created the entries that are not the owner's own.
  static let fourth: UInt64 = 4

  private let server: TestServer

  init(with others: [UInt64] = []) async throws {
    server = try TestServer()
    var begin = OperationChanges(objects: [try Self.create(Shelf(zeroWithID: Shelf.root))])
    begin.members = ([1, 3, Self.fourth] + others).map { .follow(Self.user($0)) }
    try await commit([begin], by: 2)
    for user: UInt64 in 1...4 {
      let previous = user == 1 ? 4 : user - 1
      let made = Attempt.all(by: user).filter(\.isOwn) + Attempt.all(by: previous).filter { !$0.isOwn }
      let entries = try made.filter(\.kind.isOverEntry).map { try Self.create(Entry($0.entry, author: $0.author)) }
      try await commit([OperationChanges(objects: entries)], by: user)
    }
    let roles: [MemberChange] = [.role(Self.user(3), .owner), .role(Self.user(1), .reader)]
    try await commit([OperationChanges(members: roles + [.role(Self.user(2), .writer)])], by: 2)
    let access = EntryAccess.current
    let table = AccessTable(types: [Entry.modelName: access, Shelf.modelName: access])
    server.service.serve(AccessTables([ShelfSchema.name: table]))
  }

  static func user(_ number: UInt64) -> UserID { UserID(high: number, low: number) }

  private static func create(_ object: some Model) throws -> ObjectChange {
    let patch = try PatchBuilder().patch(filling: object.encoded())
    return ObjectChange(object.id.rawValue, .create(type: type(of: object).modelName, patch))
  }

  /// Sends each of `changes` as an operation of its own. Returns the outcomes, none if the server refuses the request.
  @discardableResult
  func commit(_ changes: [OperationChanges], by user: UInt64) async throws -> [OperationOutcome.Status?] {
    let mutations = try changes.map {
      CommitRequest.Mutation(
        operation: .new(), firstSent: Timestamp(millisecondsSince1970: 4_000_000_000_000), changes: try $0.encoded())
    }
    let asker = Asker(Self.user(user), schema: ShelfSchema.name)
    let known = try await server.service.delta(DeltaRequest(queues: [.init(queue: .box)]), by: asker)[0]
    var request = CommitRequest(queue: .box, mutations: mutations)
    if case .page(let page) = known.result { request.grant = page.grant }
    guard case .decided(let decided) = try await server.service.commit(request, by: asker).result else { return [] }
    return mutations.map { mutation in decided.outcomes.first { $0.operation == mutation.operation }?.status }
  }

  /// Returns a new device that has synced.
  func device(_ user: UInt64) async throws -> AccessDevice {
    let device = try AccessDevice(server, Self.user(user))
    try await device.client.syncOnce()
    return device
  }
}

struct AccessDevice {
  let store: ModelStore
  let client: SyncClient
  private let folder: TemporaryFolder

  init(_ server: TestServer, _ user: UserID) throws {
    folder = try TemporaryFolder()
    store = try ModelStore(at: folder.url("store").path, schema: ShelfSchema.self, user: user)
    client = SyncClient(store: store, transport: TestTransport(server, user))
  }

  /// Performs an operation. Returns the error if the store refuses it, and its changes in either case.
  func perform(_ operation: some ModelOperation) throws -> (error: StoreError.Code?, changes: OperationChanges) {
    let handle = store.perform(operation)
    if let item = store.failedOperations.first(where: { $0.id == handle.id }) {
      return (item.reason.code, item.changes)
    }
    return (nil, store.pendingOperations.first { $0.id == handle.id }?.changes ?? OperationChanges())
  }
}
