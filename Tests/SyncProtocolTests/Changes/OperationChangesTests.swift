// The changes of an operation as bytes: they are read back equal, and bytes that contradict themselves are refused.

import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct OperationChangesTests {
  @Test(arguments: 0..<20 as Range<UInt64>) func randomChangesAreReadBackEqual(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let changes = try randomChanges(&numbers)
      let bytes = try changes.encoded()
      #expect(try OperationChanges(bytes: bytes) == changes, "seed \(seed)")
      #expect(bytes.isEmpty == changes.isEmpty, "seed \(seed)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>) func damagedBytesNeverTrap(seed: UInt64) throws {
    var numbers = SeededRandom(seed: seed)
    for _ in 0..<500 {
      var bytes = try randomChanges(&numbers).encoded()
      for _ in 0...numbers.below(3) where !bytes.isEmpty {
        bytes[numbers.below(bytes.count)] ^= 1 << UInt8(numbers.below(8))
        if numbers.below(4) == 0 { bytes.removeLast(numbers.below(bytes.count)) }
      }
      guard let read = try? OperationChanges(bytes: bytes) else { continue }
      #expect(try OperationChanges(bytes: read.encoded()) == read, "seed \(seed): \(bytes)")
    }
  }

  private static let id: [UInt8] = [0x0A, 16] + [UInt8](repeating: 7, count: 16)
  private static let create: [UInt8] = [0x12, 1, 0x61]
  private static let patch: [UInt8] = [0x1A, 2, 0x12, 0]
  private static let clear: [UInt8] = [0x1A, 3, 0x12, 1, 1]
  private static let fill: [UInt8] = [0x1A, 4, 0x32, 2, 0x08, 1]
  private static let delete: [UInt8] = [0x20, 1]
  private static let seen: [UInt8] = [0x4A, 20, 0x0A, 16] + [UInt8](repeating: 8, count: 16)
  private static let content: [UInt8] = [0x3A, 32] + [UInt8](repeating: 9, count: 32)

  @Test(
    arguments: [
      ("nothing", id, nil), ("two kinds", id + create + delete, nil), ("patch and delete", id + clear + delete, nil),
      ("delete that is not", id + [0x20, 0], nil), ("a patch that fills", id + fill, nil),
      ("reviving without create", id + clear + [0x28, 1], nil), ("reviving that is not", id + create + [0x28, 0], nil),
      ("two conditions", id + delete + content + [0x40, 1], nil), ("absent that is not", id + delete + [0x40, 0], nil),
      ("an unknown field", id + delete + [0x58, 1], nil), ("an empty part of a patch", id + patch, nil),
      ("create", id + create, 1), ("create that fills", id + create + fill, 1), ("patch", id + clear, 1),
      ("delete", id + delete, 1), ("reviving", id + create + [0x28, 1], 1), ("content", id + clear + content, 1),
      ("absent", id + create + [0x40, 1], 1), ("seen", id + create + seen + [0x10, 5], 1),
      ("seen that is nothing", id + create + seen + [0x10, 0], nil),
      ("seen without create", id + delete + seen + [0x10, 5], nil),
    ] as [(String, [UInt8], Int?)])
  func acceptsObjectChangeOfExactlyOneKind(name: String, change: [UInt8], count: Int?) {
    let bytes = [0x0A, UInt8(change.count)] + change
    #expect((try? OperationChanges(bytes: bytes))?.objects.count == count, "\(name)")
    if count == nil { #expect(code { try OperationChanges(bytes: bytes) } == .invalidPatch, "\(name)") }
  }

  @Test(
    arguments: [
      ("nothing", [], nil), ("follow", [0x10, 3], .follow(.reader)), ("role", [0x18, 1], .role(.owner)),
      ("unfollow", [0x20, 1], .unfollow), ("two", [0x10, 2, 0x18, 1], nil), ("no such role", [0x10, 4], nil),
      ("unfollow that is not", [0x20, 0], nil), ("an unknown field", [0x20, 1, 0x28, 1], nil),
    ] as [(String, [UInt8], MemberChange.Action?)])
  func acceptsMemberChangeOfExactlyOneKind(name: String, change: [UInt8], action: MemberChange.Action?) {
    let bytes = [0x12, UInt8(change.count + 18)] + Self.id + change
    #expect((try? OperationChanges(bytes: bytes))?.members.first?.action == action, "\(name)")
    if action == nil { #expect(code { try OperationChanges(bytes: bytes) } == .invalidPatch, "\(name)") }
  }

  @Test(
    arguments: [
      (Revival(), false), (Revival(isReviving: true), true),
      (Revival(seen: SeenVersion(history: .zero, cursor: 7)), true),
      (Revival(seen: SeenVersion(history: .zero, cursor: 6)), false),
      (Revival(seen: SeenVersion(history: HistoryID(UUIDValue(high: 1, low: 1)), cursor: 1)), true),
    ])
  func aCreateOvercomesTheDeletesThatWereSeen(revival: Revival, comesBack: Bool) {
    #expect(revival.overcomes(tombstone: 7, history: .zero) == comesBack)
  }

  @Test func refusesSecondChangeOfOneObject() {
    let change = Self.id + Self.delete
    let one = [0x0A, UInt8(change.count)] + change
    #expect(code { try OperationChanges(bytes: one) } == nil)
    #expect(code { try OperationChanges(bytes: one + one) } == .invalidPatch)
  }

  @Test func sizesAreLimited() throws {
    func changes(_ count: Int) throws -> OperationChanges {
      var edit = PatchBuilder()
      edit.set(1, [UInt8](repeating: 0, count: count))
      return OperationChanges(objects: [ObjectChange(.zero, .patch(try edit.patch()))])
    }
    // The id is zero and so has no record. Around the bytes are 4 keys and 4 lengths of 3 bytes.
    let overhead = try changes(1 << 19).encoded().count - (1 << 19)
    let most = OperationChanges.maximumBytes - overhead
    let bytes = try changes(most).encoded()
    #expect(bytes.count == OperationChanges.maximumBytes)
    #expect(try OperationChanges(bytes: bytes) == changes(most))
    #expect(code { try changes(most + 1).encoded() } == .tooLarge)
    #expect(code { try OperationChanges(bytes: bytes + [0]) } == .tooLarge)
  }

  @Test func appliesCreatePatchAndDelete() throws {
    let fill = try PatchBuilder().patch(filling: [0x08, 1])
    let create = ObjectChange(.zero, .create(type: "a", fill))
    #expect(try create.applied(to: nil) == [0x08, 1] && create.applied(to: [0x08, 2]) == [0x08, 2])
    let patch = ObjectChange(.zero, .patch(try Patch(set: [0x08, 3])))
    #expect(try patch.applied(to: nil) == nil && patch.applied(to: [0x08, 2]) == [0x08, 3])
    let delete = ObjectChange(.zero, .delete)
    #expect(try delete.applied(to: nil) == nil && delete.applied(to: [0x08, 2]) == nil)
  }
}

/// Changes of every kind, with small numbers of everything.
func randomChanges(_ numbers: inout SeededRandom) throws -> OperationChanges {
  func id() -> UUIDValue { UUIDValue(high: numbers.next(), low: numbers.next()) }
  func revival() -> Revival {
    let seen = SeenVersion(history: HistoryID(id()), cursor: Int64(numbers.below(1_000)) + 1)
    return Revival(seen: numbers.below(2) == 0 ? nil : seen, isReviving: numbers.below(2) == 0)
  }
  var changes = OperationChanges()
  for _ in 0..<numbers.below(4) {
    var edit = PatchBuilder()
    edit.set(1, String(repeating: "é", count: numbers.below(40)))
    if numbers.below(2) == 0 { edit.insert(20, numbers.next()) }
    if numbers.below(2) == 0 { edit.increment(3, by: Int64(bitPattern: numbers.next())) }
    let fill: [UInt8] = numbers.below(2) == 0 ? [] : [0x10, 5]
    let action: ObjectChange.Action =
      switch numbers.below(3) {
      case 0: .create(type: "photo", try edit.patch(filling: fill), revival())
      case 1: .patch(try edit.patch())
      default: .delete
      }
    let newestBy = numbers.below(2) == 0 ? nil : Int64(bitPattern: numbers.next())
    let conditions: [ObjectChange.Condition?] = [
      nil, .absent, .content(ContentHash(words: (0, 0, 0, numbers.next()))),
      .content(ContentHash(words: (numbers.next(), 2, 3, 4))),
    ]
    let condition = conditions[numbers.below(conditions.count)]
    let files = action == .delete ? [] : randomFileFields(&numbers)
    changes.objects.append(ObjectChange(id(), action, newestBy: newestBy, condition: condition, files: files))
  }
  let actions: [MemberChange.Action] = [.unfollow, .follow(.reader), .follow(.owner), .role(.writer)]
  changes.members = (0..<numbers.below(4)).map { _ in MemberChange(UserID(id()), actions[numbers.below(actions.count)])
  }
  changes.files = (0..<numbers.below(3)).map { _ in
    ContentHash(words: (numbers.next(), numbers.next(), numbers.next(), numbers.next()))
  }
  return changes
}

private func randomFileFields(_ numbers: inout SeededRandom) -> [FileField] {
  (1...3).filter { _ in numbers.below(3) == 0 }.map { index in
    let hashes = (0..<numbers.below(3)).map { _ in ContentHash(words: (numbers.next(), 0, 0, numbers.next())) }
    return FileField(tag: index * index * 1_000, of: hashes)
  }
}

/// The code of the `WireError` that `body` throws; nil if it throws none.
func code(_ body: () throws -> some Any) -> WireError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? WireError)?.code
  }
}
