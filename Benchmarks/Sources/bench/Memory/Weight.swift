// How much memory something takes while it is held.

import CAllocations
import Foundation

/// The memory of one object, in bytes.
struct Weight {
  let what: String
  /// Bytes from malloc, its headers included.
  let allocated: Int
  /// Growth of the process; a cross-check of `allocated`.
  let resident: Int
}

func weigh<Held>(_ what: String, _ count: Int, _ make: () throws -> Held) rethrows -> Weight {
  release_free_memory()
  let before = (allocated: Int(allocated_bytes()), resident: Int(resident_bytes()))
  let held = try make()
  return withExtendedLifetime(held) {
    release_free_memory()
    return Weight(
      what: what, allocated: (Int(allocated_bytes()) - before.allocated) / count,
      resident: (Int(resident_bytes()) - before.resident) / count)
  }
}
