// Every kind of change, by every role, by creators and others, by those whom a field names and others, under 49 tables of
// rights. Two small tables say what is right: who holds a right, and which rights a change needs.

import ModelTypes
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@Suite struct ObjectAccessTests {
  /// A field with a rule of its own, and one without.
  private static let ruled = 2
  private static let free = 3

  private enum Right: CaseIterable {
    case create, update, delete, field
    /// The right that nobody has.
    case nobody
  }

  /// A change, and the rights that it needs: over an existing object, and if there is none.
  private struct Row {
    var name: String
    var change: ObjectChange
    var there: Set<Right>
    var absent: Set<Right>
    /// The fields that a create fills in an existing object, each with the right that it needs.
    var fills: [Int: Right] = [:]
  }

  private static let queue = QueueID(UUIDValue(high: 0x4000, low: 2 << 62 | 7))
  private static let id = UUIDValue.bound(to: queue, chosen: 1)
  private static let (sender, other) = (UserID(high: 3, low: 3), UserID(high: 4, low: 4))
  /// The field that names a user.
  private static let name = 5

  private static func standing(
    _ role: QueueRole, under access: ObjectAccess, isCreator: Bool? = nil, naming user: UserID? = nil,
    root: Bool = false
  ) -> AccessStanding {
    AccessStanding(
      of: sender, as: role, to: root ? queue.root : id, in: queue, of: "Test", under: access,
      content: isCreator == nil ? nil : naming(user),
      creator: isCreator.map { $0 ? sender : other })
  }

  /// The record of the field that names a user; nothing for nil.
  private static func naming(_ user: UserID?) -> [UInt8] {
    guard let user else { return [] }
    var records = RecordWriter()
    records.uuid(name, user.rawValue)
    return records.bytes
  }

  private static func create(
    fill tags: [Int] = [], sets: Int? = nil, newestBy: Int64? = nil, naming user: UserID? = sender
  ) throws -> ObjectChange {
    let fill = tags.flatMap { record($0, UInt8($0)) } + naming(user)
    let patch = try Patch(set: sets.map { record($0, 9) } ?? [], fill: fill)
    return ObjectChange(id, .create(type: "photo", patch), newestBy: newestBy)
  }

  private static func edit(_ patch: Patch, newestBy: Int64? = nil) -> ObjectChange {
    ObjectChange(id, .patch(patch), newestBy: newestBy)
  }

  /// The bytes of a record with a number.
  private static func record(_ tag: Int, _ number: UInt8) -> [UInt8] { [UInt8(tag << 3), number] }

  /// Creates name `user` in their field.
  private static func rows(naming user: UserID = sender) throws -> [Row] {
    let (ruledRecord, freeRecord) = (record(ruled, 1), record(free, 1))
    func create(fill tags: [Int] = [], sets: Int? = nil, newestBy: Int64? = nil) throws -> ObjectChange {
      try Self.create(fill: tags, sets: sets, newestBy: newestBy, naming: user)
    }
    var rows = [
      Row(
        name: "create that fills", change: try create(fill: [1, free]), there: [.create], absent: [.create],
        fills: [1: .update, free: .update]),
      Row(
        name: "create that fills a ruled field", change: try create(fill: [1, ruled, free]), there: [.create],
        absent: [.create, .field], fills: [1: .update, ruled: .field, free: .update]),
      Row(
        name: "create with a number", change: try create(fill: [1], newestBy: 5), there: [.create], absent: [.create],
        fills: [1: .update]),
      Row(
        name: "upsert", change: try create(fill: [1], sets: free), there: [.create, .update], absent: [.create],
        fills: [1: .update]),
      Row(
        name: "upsert of a ruled field", change: try create(fill: [1, ruled], sets: ruled), there: [.create, .field],
        absent: [.create, .field], fills: [1: .update, ruled: .field]),
      Row(name: "empty create", change: try create(), there: [.create], absent: [.create]),
      Row(name: "delete", change: ObjectChange(id, .delete), there: [.delete], absent: []),
      Row(name: "empty patch", change: edit(.none), there: [], absent: []),
      Row(name: "number alone", change: edit(.none, newestBy: 7), there: [.update], absent: []),
      Row(
        name: "both fields", change: edit(try Patch(set: ruledRecord + freeRecord)), there: [.update, .field],
        absent: []),
      Row(
        name: "ruled field and number", change: edit(try Patch(set: ruledRecord), newestBy: 7),
        there: [.update, .field], absent: []),
      Row(
        name: "another user", change: edit(try Patch(set: naming(other))), there: [.nobody],
        absent: []),
    ]
    for (tag, right, record) in [(ruled, Right.field, ruledRecord), (free, .update, freeRecord)] {
      let patches: [(String, ([UInt8]) throws -> Patch)] = [
        ("set", { try Patch(set: record, fill: $0) }), ("clear", { try Patch(clear: [tag], fill: $0) }),
        ("insert", { try Patch(insert: record, fill: $0) }), ("remove", { try Patch(remove: record, fill: $0) }),
        ("increment", { try Patch(increment: record, fill: $0) }),
      ]
      for (name, patch) in patches {
        rows.append(Row(name: "\(name) \(tag)", change: edit(try patch([])), there: [right], absent: []))
        let upsert = ObjectChange(id, .create(type: "photo", try patch(naming(user))))
        rows.append(
          Row(
            name: "create that would \(name) \(tag)", change: upsert, there: [.create, right],
            absent: right == .field ? [.create, .field] : [.create]))
      }
    }
    return rows
  }

  /// The roles that have each right. `creator` is not a role: a creator has it in any role.
  private static let holding: [AccessHolder: [QueueRole]] = [
    .owner: [.owner], .writer: [.owner, .writer], .reader: [.owner, .writer, .reader], .creator: [],
  ]

  private static func holds(_ holders: [AccessHolder], _ role: QueueRole, isCreator: Bool, isNamed: Bool) -> Bool {
    holders.contains { holder in
      switch holder {
      case .user(in: name, role: .writer, as: nil): isNamed && role != .reader
      case .user(in: name, role: .reader, as: nil): isNamed
      default: holding[holder]?.contains(role) == true || holder == .creator && isCreator
      }
    }
  }

  /// A prime number of them: in 49 tables every two rights take every two of them.
  private static let rights: [[AccessHolder]] = [
    [], [.owner], [.writer], [.reader], [.creator], [.user(in: name)], [.user(in: name, role: .reader), .owner],
  ]

  /// The sender, and what decides about the rights.
  private struct Sender {
    var role: QueueRole
    /// Nil if there is no object.
    var isCreator: Bool?
    /// Whom the object names, and whom a create names.
    var (named, sent): (UserID, UserID)
  }

  @Test func everyChangeNeedsItsRights() throws {
    let names = [Self.sender, Self.other]
    let rows = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Self.rows(naming: $0)) })
    var counts = [true: 0, false: 0]
    for number in 0..<49 {
      let (first, second) = (number / 7, number % 7)
      let held: [Right: [AccessHolder]] = [
        .create: Self.rights[first], .update: Self.rights[second], .delete: Self.rights[(first + second) % 7],
        .field: Self.rights[(first + 2 * second) % 7],
      ]
      let access = ObjectAccess(
        create: held[.create] ?? [], update: held[.update] ?? [], delete: held[.delete] ?? [],
        fields: [Self.ruled: held[.field] ?? []], fixed: [Self.name])
      for role in QueueRole.allCases {
        for isCreator in [nil, false, true] {
          for (named, sent) in names.flatMap({ named in names.map { (named, $0) } }) {
            let sender = Sender(role: role, isCreator: isCreator, named: named, sent: sent)
            for row in rows[sent] ?? [] { counts[check(row, access, held, sender), default: 0] += 1 }
          }
        }
      }
    }
    #expect(counts[true, default: 0] > 10_000 && counts[false, default: 0] > 10_000)
  }

  private func check(
    _ row: Row, _ access: ObjectAccess, _ held: [Right: [AccessHolder]], _ sender: Sender
  ) -> Bool {
    let isThere = sender.isCreator != nil
    func has(_ right: Right) -> Bool {
      // In the right to create, `creator` stands for nobody, and the create names the user. If there is no object, the
      // sender becomes its creator.
      let isNew = right == .create || !isThere
      return Self.holds(
        held[right] ?? [], sender.role, isCreator: right != .create && (sender.isCreator ?? true),
        isNamed: (isNew ? sender.sent : sender.named) == Self.sender)
    }
    let needed = isThere ? row.there : row.absent
    let isAllowed = needed.allSatisfy(has)
    let standing = Self.standing(sender.role, under: access, isCreator: sender.isCreator, naming: sender.named)
    let admitted = access.admitted(row.change, of: standing)
    let place = "\(row.name), \(sender), \(access)"
    guard isAllowed == (admitted != nil) else {
      Issue.record("\(place): \(isAllowed ? "refused" : "allowed")")
      return isAllowed
    }
    guard let admitted, admitted != row.change else { return isAllowed }
    // Only over an existing object, which somebody has created, are fields held back.
    guard isThere, case .create(_, let sent, _) = row.change.action, case .create(_, let patch, _) = admitted.action
    else {
      Issue.record("\(place): changed")
      return isAllowed
    }
    let filled = Set(row.fills.filter { has($0.value) }.keys)
    let isRight =
      Set(patch.tags) == filled.union(sent.editedTags) && patch.editedTags == sent.editedTags
      && admitted.newestBy == (has(.update) ? row.change.newestBy : nil)
    if !isRight {
      Issue.record("\(place): fills \(patch.tags) of \(sent.tags), number \(String(describing: admitted.newestBy))")
    }
    return isAllowed
  }

  /// A field that stands there twice, or is no id, names nobody, whoever reads the first or the last of them.
  @Test func aDoubtfulFieldNamesNobody() throws {
    let access = ObjectAccess(create: [.user(in: Self.name)])
    let (own, others) = (Self.naming(Self.sender), Self.naming(Self.other))
    let longer = [own[0], 17] + own[2...] + [0]
    for (fill, isAllowed) in [
      (own, true), (others, false), ([], false), (own + others, false), (others + own, false), (own + own, false),
      (longer, false), ([UInt8(Self.name << 3), 3], false),
    ] {
      let create = ObjectChange(Self.id, .create(type: "photo", try Patch(fill: fill)))
      #expect((access.admitted(create, of: Self.standing(.writer, under: access)) != nil) == isAllowed, "\(fill)")
    }
  }

  /// A field may hold the id of an object whose identity is the user, which proves it.
  @Test func anIdentityProvesItsUser() throws {
    let identity = UserIdentity("member", tag: 2)
    let access = ObjectAccess(create: [.user(in: Self.name, as: identity)])
    for (user, isAllowed) in [(Self.sender, true), (Self.other, false)] {
      var hasher = IdentityHasher(queue: Self.queue, model: "member")
      hasher.combine(2, user)
      let member: UserID = hasher.finish()
      let create = try Self.create(naming: member)
      #expect((access.admitted(create, of: Self.standing(.writer, under: access)) != nil) == isAllowed)
    }
    #expect(access.admitted(try Self.create(), of: Self.standing(.writer, under: access)) == nil, "a user is no member")
  }

  /// Nobody puts an object where somebody else's will be.
  @Test func idOfANewObjectIsTheOneThatItsContentGives() throws {
    let access = ObjectAccess(create: [.user(in: Self.name)], identity: [[Self.name], [3, 1], [4]])
    func change(_ user: UserID, _ text: String, idOf other: (UserID, String)) throws -> ObjectChange {
      var (content, inner) = (RecordWriter(), RecordWriter())
      inner.string(1, text)
      content.length(3, inner.bytes)
      content.varint(4, Int64(-7))
      content.uuid(Self.name, user.rawValue)
      var hasher = IdentityHasher(queue: Self.queue, model: "vote")
      hasher.combine(Self.name, other.0)
      hasher.combine(3, other.1)
      hasher.combine(4, Int64(-7))
      let id: ObjectID<UserID> = hasher.finish()
      return ObjectChange(id.rawValue, .create(type: "vote", try Patch(fill: content.bytes)))
    }
    let (mine, theirs) = (Self.sender, Self.other)
    for (change, isAllowed) in [
      (try change(mine, "a", idOf: (mine, "a")), true), (try change(mine, "a", idOf: (theirs, "a")), false),
      (try change(theirs, "a", idOf: (theirs, "a")), false), (try change(mine, "a", idOf: (mine, "b")), false),
    ] {
      #expect((access.admitted(change, of: Self.standing(.writer, under: access)) != nil) == isAllowed)
    }
  }

  @Test func createFillsOnlyFieldsThatSenderMayChange() throws {
    let row = try Self.create(fill: [1, Self.ruled, Self.free], newestBy: 4, naming: nil)
    let open = Self.standing(.writer, under: .byRole, isCreator: false)
    #expect(ObjectAccess.byRole.admitted(row, of: open) == row)
    let access = ObjectAccess(update: [.owner], fields: [Self.ruled: [.writer]])
    let writer = Self.standing(.writer, under: access, isCreator: false)
    let part = try Self.create(fill: [Self.ruled], naming: nil)
    #expect(access.admitted(row, of: writer) == part, "the field with the rule, without the number")
  }

  @Test(arguments: QueueRole.allCases, [false, true])
  func onlyOwnersMayDeleteRootOfQueue(role: QueueRole, isCreator: Bool) {
    let end = ObjectChange(Self.queue.root, .delete)
    for rights in Self.rights {
      let access = ObjectAccess(delete: rights)
      let standing = Self.standing(role, under: access, isCreator: isCreator, root: true)
      let isAllowed = access.admitted(end, of: standing) != nil
      let holds = Self.holds(rights, role, isCreator: isCreator, isNamed: false)
      #expect(isAllowed == (role == .owner && holds))
    }
    let access = ObjectAccess(delete: [])
    let gone = Self.standing(role, under: access, root: true)
    #expect((access.admitted(end, of: gone) != nil) == (role == .owner), "a queue without its root")
    let root = ObjectChange(Self.queue.root, .create(type: "room", .none))
    #expect((access.admitted(root, of: gone) != nil) == (role == .owner), "nobody else makes it again")
  }

  @Test func withoutATableWritersDoEverythingAndReadersNothing() throws {
    for row in try Self.rows() where !row.there.isEmpty {
      for role in QueueRole.allCases {
        let isAllowed =
          ObjectAccess.byRole.admitted(row.change, of: Self.standing(role, under: .byRole, isCreator: true)) != nil
        #expect(isAllowed == (role != .reader), "\(row.name)")
      }
    }
  }

  @Test func roleMayUploadFilesIfItMayCreateOrUpdate() {
    #expect(ObjectAccess.byRole.letsWrite(.writer) && !ObjectAccess.byRole.letsWrite(.reader))
    #expect(ObjectAccess(create: [.reader], update: [.owner]).letsWrite(.reader))
    #expect(ObjectAccess(update: [.reader]).letsWrite(.reader))
    #expect(ObjectAccess(update: [.creator]).letsWrite(.reader), "a creator may be a reader now")
    #expect(ObjectAccess(fields: [4: [.reader]]).letsWrite(.reader))
    #expect(!ObjectAccess(create: [.creator], delete: [.reader]).letsWrite(.reader))
    #expect(ObjectAccess(create: [.user(in: 2, role: .reader)]).letsWrite(.reader))
    #expect(!ObjectAccess(create: [.user(in: 2)], update: []).letsWrite(.reader))
    #expect(!ObjectAccess(create: [.owner], update: [.owner]).letsWrite(.writer))
  }
}
