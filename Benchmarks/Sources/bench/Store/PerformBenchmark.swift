// Measures how long calls of the main thread take: perform, update, create and read.

import Foundation
import ModelSupport
import MomentsModels

enum PerformBenchmark {
  static func report(_ effort: Effort) throws -> [Report] {
    try effort.storeSizes.map { size in
      var stores = try PerformStores(size)
      for _ in 0..<effort.storeRounds { try stores.round(calls: effort.callsPerRound) }
      return stores.report(aim: size == 100_000 ? 20 : size == 1_000_000 ? 40 : nil)
    }
  }
}

/// The three stores with the same objects, and the times of every kind of call.
private struct PerformStores {
  private let size: Int
  private let folder: TemporaryFolder
  private let store: ModelStore
  private let raw: RawStore
  private let records: RecordStore
  private let rows: QueueDigest
  private var cursor: Int64 = 1
  private var created: Int
  private var random = SeededNumbers(state: 4)
  private var times: [(name: String, seconds: [Double])] = []

  init(_ size: Int) throws {
    self.size = size
    created = size
    folder = try TemporaryFolder()
    let objects = try StorePhotos.states(0..<size, revision: 1)
    let store = try StorePhotos.store(in: folder)
    let page = StorePhotos.page(objects, cursor: 1)
    try store.receive(page)
    self.store = store
    rows = page.end?.digest ?? .empty
    raw = try RawStore(folder.path + "/raw.sqlite")
    try raw.apply(RawDelta(objects))
    records = try RecordStore(folder.path + "/records.sqlite")
    try records.apply(objects.map(ObjectRecord.init))
  }

  /// Makes `calls` calls of each kind. Then everything pending is saved and retired.
  mutating func round(calls: Int) throws {
    let photos = (0..<calls).map { _ in StorePhotos.photo(random.next(below: size)) }
    let others = (0..<calls).map { _ in StorePhotos.photo(random.next(below: size)) }
    let new = (created..<created + calls).map { StorePhotos.photo($0) }
    created += calls
    let store = store
    for photo in photos {
      note("perform, nothing was done with the object") { store.perform(Photo.Hide(photo.id)) }
    }
    for photo in photos {
      note("perform, an operation is pending") { store.perform(Photo.Label(photo.id, tag: "late")) }
    }
    for photo in others {
      note("update") { store.update(photo.id) { $0.caption = "Summit" } }
    }
    for photo in new { note("create") { store.create(photo) } }
    for photo in photos { try note("read, an operation is pending") { try expect(store.object(photo.id)) } }
    try waiting { try await store.waitUntilSaved() }
    for _ in 0..<calls {
      let photo = StorePhotos.photo(random.next(below: size))
      try note("read, nothing was done with the object") { try expect(store.object(photo.id)) }
    }
    try leave()
    try roundOfPeers(photos)
  }

  private mutating func roundOfPeers(_ photos: [Photo]) throws {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let (raw, records) = (raw, records)
    for photo in photos {
      let id = photo.id.rawValue.bytes
      try note("raw C, read") { try expect(raw.read(id, into: &buffer) > 0 ? 1 : nil) }
    }
    for photo in photos {
      let id = Data(photo.id.rawValue.bytes)
      try note("GRDB records, read") { try expect(records.read(id)) }
    }
    // These wait for the disk, so a few are enough.
    for (number, photo) in photos.prefix(photos.count / 10).enumerated() {
      var photo = photo
      // A new caption each time, because SQLite does not write unchanged content.
      photo.caption = "Summit \(cursor) \(number)"
      let content = try photo.encoded()
      try note("raw C, one update, on disk") { try raw.update(photo.id.rawValue, content) }
      var record = ObjectRecord(
        ObjectState(
          id: photo.id.rawValue, revision: 2,
          live: .init(
            type: Photo.modelName, content: content, system: SystemFields(createdBy: StorePhotos.user, at: .zero))))
      record.newestBy = photo.newestBy
      try note("GRDB records, one save, on disk") { try records.save(record) }
    }
  }

  /// Retires everything pending by a delta without objects, so that each round starts from the same state.
  private mutating func leave() throws {
    cursor += 1
    let outcomes = StorePhotos.applied(store.pendingOperations.map(\.id), at: cursor)
    try store.receive(StorePhotos.page([], cursor: cursor, outcomes: outcomes, rows: rows))
  }

  private mutating func note(_ name: String, _ body: () throws -> Void) rethrows {
    let seconds = try timed(body)
    if let index = times.firstIndex(where: { $0.name == name }) {
      times[index].seconds.append(seconds)
    } else {
      times.append((name, [seconds]))
    }
  }

  func report(aim: Double?) -> Report {
    let measured = times.map { (name: $0.name, times: Distribution($0.seconds)) }
    func median(_ name: String) -> Double { measured.first { $0.name == name }?.times.median ?? .nan }
    return Report(
      heading: "Calls on a store of \(size.formatted()) objects, which do not wait for the disk; ratios to what raw C "
        + "takes for one update or one read.",
      rows: measured.map { name, times in
        let peer = median(name.contains("read") ? "raw C, read" : "raw C, one update, on disk")
        let isAsked = aim != nil && (name.hasPrefix("perform") || name == "update" || name == "create")
        return Report.Row(
          what: name, figure: "\(times.text), of \(times.count)", ratio: String(format: "%.3f", times.median / peer),
          aims: isAsked ? [(.atMost(aim ?? 0, "µs"), times.median * 1e6)] : [])
      })
  }
}

struct NothingThere: Error {}

/// Throws for nil. Uses the value, so that the optimiser cannot drop its read.
func expect<Value>(_ value: Value?) throws {
  if value == nil { throw NothingThere() }
}
