// How much memory something takes while it is held.

import CAllocations
import Foundation

/// Of one object.
struct Weight {
  let what: String
  /// What malloc gave, its headers included.
  let allocated: Int
  /// How much the process grew; the other figure's cross-check.
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
