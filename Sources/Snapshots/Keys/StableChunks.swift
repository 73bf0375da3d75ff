// Memory that only grows and never moves, so that snapshots can read it while more is added.

/// `@unchecked Sendable`: the owner adds elements under a lock, and a thread reads an element only once the thread that
/// wrote it has passed on its index. Chunks and their tables never move, and written elements never change.
final class StableChunks<Element: BitwiseCopyable>: @unchecked Sendable {
  typealias Chunk = UnsafeMutablePointer<Element>

  /// The number of elements in a chunk, a power of two.
  let chunkLength: Int
  private let shift: Int
  /// Table `n` holds 2ⁿ chunks. Tables are added, never replaced.
  private let tables: UnsafeMutablePointer<UnsafeMutablePointer<Chunk>?>
  private static var tableCount: Int { 24 }
  private var chunkCount = 0

  init(chunkLength: Int) {
    precondition(chunkLength.nonzeroBitCount == 1)
    self.chunkLength = chunkLength
    shift = chunkLength.trailingZeroBitCount
    tables = .allocate(capacity: Self.tableCount)
    tables.initialize(repeating: nil, count: Self.tableCount)
  }

  deinit {
    for index in 0..<chunkCount { chunk(index).deallocate() }
    for table in 0..<Self.tableCount { tables[table]?.deallocate() }
    tables.deallocate()
  }

  /// The address of an element, and of those after it up to the end of its chunk.
  @inline(__always)
  func pointer(at index: Int) -> Chunk { chunk(index >> shift) + index & (chunkLength - 1) }

  /// Makes room for elements below `count`. The caller must hold the owner's lock.
  func grow(to count: Int) {
    while chunkCount << shift < count {
      let (table, place) = Self.place(chunkCount)
      precondition(table < Self.tableCount, "a list's memory for keys is exhausted")
      if place == 0 { tables[table] = .allocate(capacity: 1 << table) }
      let new = Chunk.allocate(capacity: chunkLength)
      guard let held = tables[table] else { preconditionFailure("its first place made it") }
      held[place] = new
      chunkCount += 1
    }
  }

  @inline(__always)
  private func chunk(_ index: Int) -> Chunk {
    let (table, place) = Self.place(index)
    return tables[table].unsafelyUnwrapped[place]
  }

  @inline(__always)
  private static func place(_ chunk: Int) -> (table: Int, place: Int) {
    let table = (Int.bitWidth - 1) - (chunk + 1).leadingZeroBitCount
    return (table, chunk + 1 - 1 << table)
  }
}
