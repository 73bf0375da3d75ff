// Every kind of change, by every role, by creators and others, under every table of rights. Two small tables say what
// is right: who holds a right, and which rights a change needs.

import SyncProtocol
import Testing
import WireFormat

@Suite struct ObjectAccessTests {
  /// A field with a rule of its own, and one without.
  private static let ruled = 2
  private static let free = 3

  private enum Right: CaseIterable { case create, update, delete, field }

  /// A change, and the rights that it needs: over an existing object, and if there is none.
  private struct Row {
    var name: String
    var change: ObjectChange
    var there: Set<Right>
    var absent: Set<Right>
    /// The fields that a create fills in an existing object, each with the right that it needs.
    var fills: [Int: Right] = [:]
  }

  private static let id = UUIDValue(high: 1, low: 2)

  private static func create(
    fill tags: [Int] = [], sets: Int? = nil, newestBy: Int64? = nil
  ) throws -> ObjectChange {
    let patch = try Patch(set: sets.map { record($0, 9) } ?? [], fill: tags.flatMap { record($0, UInt8($0)) })
    return ObjectChange(id, .create(type: "photo", patch), newestBy: newestBy)
  }

  private static func edit(_ patch: Patch, newestBy: Int64? = nil) -> ObjectChange {
    ObjectChange(id, .patch(patch), newestBy: newestBy)
  }

  /// The bytes of a record with a number.
  private static func record(_ tag: Int, _ number: UInt8) -> [UInt8] { [UInt8(tag << 3), number] }

  private static func rows() throws -> [Row] {
    let (ruledRecord, freeRecord) = (record(ruled, 1), record(free, 1))
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
    ]
    for (tag, right, record) in [(ruled, Right.field, ruledRecord), (free, .update, freeRecord)] {
      let patches = [
        "set": try Patch(set: record), "clear": try Patch(clear: [tag]), "insert": try Patch(insert: record),
        "remove": try Patch(remove: record), "increment": try Patch(increment: record),
      ]
      for (name, patch) in patches {
        rows.append(Row(name: "\(name) \(tag)", change: edit(patch), there: [right], absent: []))
        let upsert = ObjectChange(id, .create(type: "photo", patch))
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

  private static func holds(_ holders: [AccessHolder], _ role: QueueRole, isCreator: Bool) -> Bool {
    holders.contains { holding[$0]?.contains(role) == true || $0 == .creator && isCreator }
  }

  private static let rights: [[AccessHolder]] = [[], [.owner], [.writer], [.reader], [.creator], [.creator, .owner]]

  @Test func everyChangeNeedsItsRights() throws {
    let rows = try Self.rows()
    var counts = [true: 0, false: 0]
    for create in Self.rights {
      for update in Self.rights {
        for delete in Self.rights {
          for field in Self.rights {
            let access = ObjectAccess(create: create, update: update, delete: delete, fields: [Self.ruled: field])
            let held: [Right: [AccessHolder]] = [.create: create, .update: update, .delete: delete, .field: field]
            for role in QueueRole.allCases {
              for isCreator in [nil, false, true] {
                for row in rows {
                  let isAllowed = check(row, access, held, role, isCreator)
                  counts[isAllowed, default: 0] += 1
                }
              }
            }
          }
        }
      }
    }
    #expect(counts[true, default: 0] > 10_000 && counts[false, default: 0] > 10_000)
  }

  private func check(
    _ row: Row, _ access: ObjectAccess, _ held: [Right: [AccessHolder]], _ role: QueueRole, _ isCreator: Bool?
  ) -> Bool {
    func has(_ right: Right) -> Bool {
      // In the right to create, `creator` stands for nobody. If there is no object, the sender becomes its creator.
      let counts = right != .create && (isCreator ?? true)
      return Self.holds(held[right] ?? [], role, isCreator: counts)
    }
    let needed = isCreator == nil ? row.absent : row.there
    let isAllowed = needed.allSatisfy(has)
    let admitted = access.admitted(row.change, of: AccessStanding(role: role, isCreator: isCreator))
    let place = "\(row.name), \(role), creator \(String(describing: isCreator)), \(access)"
    guard isAllowed == (admitted != nil) else {
      Issue.record("\(place): \(isAllowed ? "refused" : "allowed")")
      return isAllowed
    }
    guard let admitted, admitted != row.change else { return isAllowed }
    // Only over an existing object, which somebody has created, are fields held back.
    guard isCreator != nil, case .create(_, let sent, _) = row.change.action,
      case .create(_, let patch, _) = admitted.action
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

  @Test func createFillsOnlyFieldsThatSenderMayChange() throws {
    let row = try Self.create(fill: [1, Self.ruled, Self.free], newestBy: 4)
    let writer = AccessStanding(role: .writer, isCreator: false)
    #expect(ObjectAccess.byRole.admitted(row, of: writer) == row)
    let access = ObjectAccess(update: [.owner], fields: [Self.ruled: [.writer]])
    let part = try Self.create(fill: [Self.ruled])
    #expect(access.admitted(row, of: writer) == part, "the field with the rule, without the number")
  }

  @Test(arguments: QueueRole.allCases, [false, true])
  func onlyOwnersMayDeleteRootOfQueue(role: QueueRole, isCreator: Bool) {
    let end = ObjectChange(Self.id, .delete)
    for rights in Self.rights {
      let standing = AccessStanding(role: role, isCreator: isCreator, isRoot: true)
      let isAllowed = ObjectAccess(delete: rights).admitted(end, of: standing) != nil
      #expect(isAllowed == (role == .owner))
    }
    let gone = AccessStanding(role: role, isRoot: true)
    #expect((ObjectAccess.byRole.admitted(end, of: gone) != nil) == (role == .owner), "a queue without its root")
  }

  @Test func withoutATableWritersDoEverythingAndReadersNothing() throws {
    for row in try Self.rows() where !row.there.isEmpty {
      for role in QueueRole.allCases {
        let isAllowed = ObjectAccess.byRole.admitted(row.change, of: AccessStanding(role: role, isCreator: true)) != nil
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
    #expect(!ObjectAccess(create: [.owner], update: [.owner]).letsWrite(.writer))
  }
}
