// Tests of access: every kind of change by every role, by creators and others, by those whom a field names and others,
// under 49 access tables, and by a user who has left. Plain tables here say which rights each change needs. The store, which performs a change, and the
// server, which decides on the same bytes, are both compared with them.

import ClientStore
import ModelSupport
import SyncProtocol
import Testing

@Suite struct AccessMatrixTests {
  enum Right: CaseIterable {
    case create, update, delete, mark
    /// The right that nobody has.
    case nobody
  }

  /// The rights that a change needs, the fields that it sets, and the fields that it fills only if its user has their
  /// rights. A field is named by its right.
  private struct Row {
    var needs: Set<Right>
    var sets: Set<Right> = []
    var fills: Set<Right> = []
  }

  private static let rows: [Attempt.Kind: Row] = [
    .editText: Row(needs: [.update], sets: [.update]),
    .editMark: Row(needs: [.mark], sets: [.mark]),
    .editBoth: Row(needs: [.update, .mark], sets: [.update, .mark]),
    .editAuthor: Row(needs: [.nobody]),
    .delete: Row(needs: [.delete]),
    .createOver: Row(needs: [.create], fills: [.update, .mark]),
    .upsertTextOver: Row(needs: [.create, .update], sets: [.update]),
    .upsertMarkOver: Row(needs: [.create, .mark], sets: [.mark]),
    .create: Row(needs: [.create], sets: [.update]),
    .createMarked: Row(needs: [.create, .mark], sets: [.update, .mark]),
    .upsertText: Row(needs: [.create], sets: [.update]),
    .upsertMark: Row(needs: [.create, .mark], sets: [.mark]),
  ]

  /// The roles that a holder stands for. The creator counts whatever the role.
  private static let roles: [AccessHolder: Set<QueueRole>] = [
    .owner: [.owner], .writer: [.owner, .writer], .reader: [.owner, .writer, .reader], .creator: [],
  ]

  private static let holders: [[AccessHolder]] = [
    [.owner], [.writer], [.reader], [.creator], [], [.user(in: 4)], [.user(in: 4, role: .reader), .owner],
  ]

  /// 49 tables in which every pair of rights takes every pair of holder lists.
  static let tables: [[Right: [AccessHolder]]] = (0..<49).map { number in
    let (first, second) = (number / 7, number % 7)
    return [
      .create: holders[first], .update: holders[second], .delete: holders[(first + second) % 7],
      .mark: holders[(first + 2 * second) % 7],
    ]
  }

  /// An attempt, and the result that the plain tables demand.
  private struct Cell: CustomStringConvertible {
    var attempt: Attempt
    var role: QueueRole
    var table: [Right: [AccessHolder]]

    /// To create something needs a role. The creator of a new entry is the user who creates it.
    func has(_ right: Right) -> Bool {
      table[right, default: []].contains { holder in
        switch holder {
        case .user(in: 4, let least, as: nil): attempt.isNamed && (least == .reader || role != .reader)
        case .creator: right != .create && attempt.isOwn
        default: roles[holder, default: []].contains(role)
        }
      }
    }

    var isAllowed: Bool { rows[attempt.kind]?.needs.allSatisfy(has) == true }

    /// The rights of the fields that the entry has afterwards; nil if there is no entry.
    var left: Set<Right>? {
      guard isAllowed, let row = rows[attempt.kind] else { return attempt.kind.isOverEntry ? [] : nil }
      return attempt.kind == .delete ? nil : row.sets.union(row.fills.filter(has))
    }

    var description: String { "\(attempt.kind) by \(role), \(attempt.isOwn ? "" : "not ")the creator, \(table)" }
  }

  private static func access(_ table: [Right: [AccessHolder]]) -> ObjectAccess {
    ObjectAccess(
      create: table[.create, default: []], update: table[.update, default: []], delete: table[.delete, default: []],
      fields: [3: table[.mark, default: []]], fixed: [4])
  }

  @Test(arguments: tables.indices) func storeAndServerAgree(number: Int) async throws {
    let table = Self.tables[number]
    try await EntryAccess.$current.withValue(Self.access(table)) {
      let world = try await AccessWorld()
      var (cells, counts) = ([Cell](), [true: 0, false: 0])
      for (user, role) in AccessWorld.members {
        let device = try await world.device(user)
        let own = Attempt.all(by: user).map { Cell(attempt: $0, role: role, table: table) }
        for cell in own { try askBefore(cell, device.store) }
        let tried = try own.map { try device.perform($0.attempt) }
        let decided = try await world.commit(tried.map(\.changes), by: user)
        for (cell, (tried, decided)) in zip(own, zip(tried, decided)) {
          #expect(tried.error == (cell.isAllowed ? nil : .forbidden), "the store: \(cell)")
          #expect(decided == (cell.isAllowed ? .applied : .rejected("forbidden")), "the server: \(cell)")
          counts[cell.isAllowed, default: 0] += 1
        }
        cells += own
      }
      #expect(counts[false, default: 0] > 5, "\(counts)")
      let witness = try await world.device(AccessWorld.owner).store
      for cell in cells {
        let entry = try witness.object(cell.attempt.entry)
        let left = entry.map { Set(($0.text == nil ? [] : [Right.update]) + ($0.mark == nil ? [] : [.mark])) }
        #expect(left == cell.left, "what is there afterwards: \(cell)")
      }
    }
  }

  /// Compares `may`, which an app asks before it shows a button, with the table.
  private func askBefore(_ cell: Cell, _ store: ModelStore) throws {
    let entry = cell.attempt.entry
    #expect(store.can(cell.attempt) == cell.isAllowed, "\(cell)")
    guard cell.attempt.kind.isOverEntry else {
      let new = Entry(entry, text: "text", author: cell.attempt.author)
      #expect(store.can(create: new) == cell.has(.create), "\(cell)")
      return
    }
    #expect(!store.can(.change(\.author), entry))
    #expect(store.can(.update, entry) == cell.has(.update) && store.can(.change(\.text), entry) == cell.has(.update))
    #expect(store.can(.change(\.mark), entry) == cell.has(.mark), "\(cell)")
    #expect(store.can(.delete, entry) == cell.has(.delete), "\(cell)")
    if cell.attempt.isNamed { #expect(store.can(create: Entry.self, in: .box) == cell.has(.create), "\(cell)") }
  }

  /// The writer is the creator of the queue's root. Whatever holders may delete, only an owner ends the queue.
  @Test(arguments: [[AccessHolder.reader], [.writer], [.owner]])
  func onlyOwnersEndTheQueue(delete: [AccessHolder]) async throws {
    try await EntryAccess.$current.withValue(ObjectAccess(delete: delete)) {
      let world = try await AccessWorld()
      for (user, role) in AccessWorld.members {
        let device = try await world.device(user)
        #expect(device.store.can(.delete, Shelf.root) == (role == .owner))
        let end = try device.perform(ShelfAttempt())
        #expect(end.error == (role == .owner ? nil : .forbidden))
        #expect(try await world.commit([end.changes], by: user) == [role == .owner ? .applied : .rejected("forbidden")])
      }
    }
  }

  @Test func aUserWhoHasLeftMayDoNothing() async throws {
    let everybody: [AccessHolder] = [.reader, .creator]
    try await EntryAccess.$current.withValue(ObjectAccess(create: everybody, update: everybody, delete: everybody)) {
      let world = try await AccessWorld()
      let user = AccessWorld.fourth
      let (device, unaware) = (try await world.device(user), try await world.device(user))
      let taken = OperationChanges(members: [.unfollow(AccessWorld.user(user))])
      #expect(try await world.commit([taken], by: AccessWorld.owner) == [.applied])
      try await device.client.syncOnce()
      for attempt in Attempt.all(by: user) {
        let tried = try unaware.perform(attempt)
        #expect(tried.error == nil && !tried.changes.isEmpty)
        #expect(try await world.commit([tried.changes], by: user) == [], "\(attempt.kind)")
        #expect(!device.store.can(.update, attempt.entry) && !device.store.can(.delete, attempt.entry))
        #expect(!device.store.can(.change(\.mark), attempt.entry))
        // Attempts that need no entry are refused by the server alone. The device goes by the role that it last heard.
        if [.editText, .editMark, .editBoth, .delete].contains(attempt.kind) {
          #expect(try device.perform(attempt).error == .refused)
        }
      }
    }
  }

  /// The roles that may make each change of members, as in docs/formats/sync-server.md.
  private static let members: [(who: Who, action: MemberChange.Action, allowed: [QueueRole])] = [
    (.stranger, .follow(.owner), [.owner]), (.stranger, .follow(.writer), [.owner, .writer]),
    (.stranger, .follow(.reader), [.owner, .writer]), (.stranger, .role(.reader), [.owner]),
    (.stranger, .unfollow, [.owner]), (.member, .follow(.writer), [.owner, .writer]),
    (.member, .role(.owner), [.owner]),
    (.member, .role(.reader), [.owner]), (.member, .unfollow, [.owner]),
    (.oneself, .follow(.reader), [.owner, .writer]),
    (.oneself, .role(.writer), [.owner]), (.oneself, .unfollow, [.owner, .writer, .reader]),
  ]

  private enum Who: UInt64 {
    case stranger = 1_000
    case member = 2_000
    case oneself = 0
  }

  @Test func storeAndServerAgreeOnMembers() async throws {
    let indices = UInt64(0)..<UInt64(Self.members.count)
    let others = AccessWorld.members.flatMap { user, _ in indices.map { Who.member.rawValue + 100 * user + $0 } }
    let world = try await AccessWorld(with: others)
    for (user, role) in AccessWorld.members {
      let device = try await world.device(user)
      for (index, row) in zip(indices, Self.members) {
        let number = row.who == .oneself ? user : row.who.rawValue + 100 * user + index
        let tried = try device.perform(
          ShelfAttempt(member: MemberChange(AccessWorld.user(number), row.action)))
        let decided = try await world.commit([tried.changes], by: user)
        let isAllowed = row.allowed.contains(role)
        #expect(tried.error == (isAllowed ? nil : .forbidden), "the store: \(role), \(row)")
        #expect(
          (decided == [.rejected("forbidden")]) == !isAllowed && decided.count == 1, "the server: \(role), \(row)")
      }
    }
  }
}
