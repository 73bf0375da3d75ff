// The stores that are measured with the same deltas: ours, a loop in C, and GRDB records.

import GRDB
import ModelSupport

protocol DeltaTaker {
  /// A delta in the form that this store takes; prepared before the measurement.
  associatedtype Delta

  static func prepare(_ objects: [ObjectState], cursor: Int64) -> Delta
  init(in folder: TemporaryFolder) throws
  func apply(_ delta: Delta) throws
}

struct StoreTaker: DeltaTaker {
  let store: ModelStore

  static func prepare(_ objects: [ObjectState], cursor: Int64) -> DeltaPage {
    StorePhotos.page(objects, cursor: cursor)
  }

  init(in folder: TemporaryFolder) throws {
    store = try StorePhotos.store(in: folder)
  }

  func apply(_ delta: DeltaPage) throws { try store.receive(delta) }
}

struct RawTaker: DeltaTaker {
  let store: RawStore

  static func prepare(_ objects: [ObjectState], cursor: Int64) -> RawDelta { RawDelta(objects) }

  init(in folder: TemporaryFolder) throws {
    // The cache size that `ModelStore` sets for a large delta.
    store = try RawStore(folder.path + "/raw.sqlite", settings: "PRAGMA cache_size = -64000")
  }

  func apply(_ delta: RawDelta) throws { try store.apply(delta) }
}

struct RecordTaker: DeltaTaker {
  let store: RecordStore

  static func prepare(_ objects: [ObjectState], cursor: Int64) -> [ObjectRecord] { objects.map(ObjectRecord.init) }

  init(in folder: TemporaryFolder) throws {
    store = try RecordStore(folder.path + "/records.sqlite")
  }

  func apply(_ delta: [ObjectRecord]) throws { try store.apply(delta) }
}
