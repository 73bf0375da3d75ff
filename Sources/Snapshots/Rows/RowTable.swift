// Numbers for ids, so that an entry of a list needs 4 bytes for its object instead of 16.

import Synchronization

/// The id of an object, ordered by its bytes.
public struct RowID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The first 8 bytes, big-endian; `low` has the last 8. So the numbers compare as the bytes do.
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  public static func < (left: Self, right: Self) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

/// The number of an object, the same in every list that shares a `RowTable`.
@frozen
public struct ListRow: Hashable, Sendable, BitwiseCopyable {
  /// Counted from 0, in the order in which the table first saw the ids.
  public let number: UInt32

  @inlinable
  public init(_ number: UInt32) { self.number = number }
}

/// Gives every id a number when it first sees the id. A number never changes, and is never used again.
///
/// Numbers stay valid because a snapshot may name an object that is long gone. Each model has its own table, so its
/// numbers are small. An id takes 16 bytes, and 7 to 13 in the hash table. Any thread may use it.
public final class RowTable: Sendable {
  private struct State {
    var count = 0
    /// A hash table with open addressing. Each slot has a row number, or `empty`.
    var slots: [UInt32] = Array(repeating: RowTable.empty, count: 64)
  }

  private static let empty = UInt32.max
  private let ids = StableChunks<RowID>(chunkLength: 1_024)
  private let state = Mutex(State())

  public init() {}

  /// How many ids have a number; it never shrinks.
  public var count: Int { state.withLock { $0.count } }

  /// The number of an id. Gives the id a number if it has none.
  public func row(for id: RowID) -> ListRow {
    state.withLock { state in
      var slot = find(id, state.slots)
      if state.slots[slot] != Self.empty { return ListRow(state.slots[slot]) }
      // A fuller table is slow: to find that an id is new, every id up to the next free slot is compared.
      if state.count * 8 >= state.slots.count * 5 {
        grow(&state)
        slot = find(id, state.slots)
      }
      let number = UInt32(state.count)
      ids.grow(to: state.count + 1)
      ids.pointer(at: state.count).initialize(to: id)
      state.slots[slot] = number
      state.count += 1
      return ListRow(number)
    }
  }

  /// Nil for an id that has no number, and is therefore in no list.
  public func knownRow(for id: RowID) -> ListRow? {
    state.withLock { state in
      let number = state.slots[find(id, state.slots)]
      return number == Self.empty ? nil : ListRow(number)
    }
  }

  /// The id of a row of this table. Takes no lock.
  public func id(of row: ListRow) -> RowID { ids.pointer(at: Int(row.number)).pointee }

  func precedes(_ left: UInt32, _ right: UInt32) -> Bool {
    ids.pointer(at: Int(left)).pointee < ids.pointer(at: Int(right)).pointee
  }

  /// The slot that has the id, or the free one where it belongs.
  private func find(_ id: RowID, _ slots: [UInt32]) -> Int {
    // Swift's hash is seeded, so nobody can choose ids that collide.
    var slot = id.hashValue & (slots.count - 1)
    while slots[slot] != Self.empty, self.id(of: ListRow(slots[slot])) != id { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private func grow(_ state: inout State) {
    var larger = Array(repeating: Self.empty, count: state.slots.count * 2)
    for number in 0..<UInt32(state.count) { larger[find(id(of: ListRow(number)), larger)] = number }
    state.slots = larger
  }
}
