// The folder of files beside the server's database, in memory. Like a real one it loses data, and calls fail.

import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// Behaves as `FolderStorage` does: only finished files are synced. Outlives the server's processes.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class SimulatedFolder: FileStorage, @unchecked Sendable {
  unowned let world: World
  /// The files as a process sees them.
  private var files: [Name: File] = [:]
  /// The files that a power cut certainly leaves.
  private var durable: [Name: File] = [:]

  struct Name: Hashable {
    var place: FileKey
    var isPart: Bool
  }

  struct File: Equatable {
    var bytes: [UInt8]
    /// When it was written last, in milliseconds since 1970.
    var changed: Int64
  }

  init(world: World) { self.world = world }

  /// The bytes of a whole file.
  func whole(_ place: FileKey) -> [UInt8]? { files[Name(place: place, isPart: false)]?.bytes }

  /// All whole files, in order.
  var wholePlaces: [FileKey] { files.keys.filter { !$0.isPart }.sorted().map(\.place) }

  private func whole(_ place: FileKey) -> Name { Name(place: place, isPart: false) }
  private func part(_ place: FileKey) -> Name { Name(place: place, isPart: true) }

  /// Throws if the server was killed or its disk has lost power.
  private func beAlive() throws {
    if world.server.disk.isOff { throw StorageError(.inputOutput, "The power is gone.") }
  }

  // MARK: FileStorage

  func partSize(of place: FileKey) throws -> Int64? {
    try beAlive()
    return files[part(place)].map { Int64($0.bytes.count) }
  }

  func append(_ bytes: [UInt8], to place: FileKey, at offset: Int64) throws {
    try beAlive()
    world.oracles.bytesAreTaken(bytes, of: place, at: offset, of: files[part(place)]?.bytes.count)
    guard var file = files[part(place)] ?? (offset == 0 ? File(bytes: [], changed: 0) : nil) else {
      throw StorageError(.inputOutput, "There is no such part.")
    }
    try fail("before a part is written")
    file.bytes = Array(file.bytes.prefix(Int(offset)))
    let isFull = isFailing
    file.bytes += isFull ? bytes.prefix(bytes.count / 2) : bytes[...]
    file.changed = now
    files[part(place)] = file
    if isFull { throw failure("a part is written by half", .diskFull) }
  }

  func readPart(of place: FileKey, at offset: Int64, count: Int) throws -> [UInt8] {
    try beAlive()
    try fail("reading a part")
    return Array((files[part(place)]?.bytes ?? []).dropFirst(Int(offset)).prefix(count))
  }

  func finish(_ place: FileKey) throws {
    try beAlive()
    let file = files[part(place)] ?? File(bytes: [], changed: now)
    world.oracles.isRight(file.bytes, as: place)
    try fail("syncing a file")
    files[part(place)] = nil
    files[whole(place)] = file
    // The file has its name now, but a power cut may still take that.
    try fail("syncing a folder")
    (durable[part(place)], durable[whole(place)]) = (nil, file)
  }

  func discardPart(of place: FileKey) throws {
    try beAlive()
    try fail("removing a part")
    if let file = files[part(place)] { world.oracles.isWrong(file.bytes, as: place) }
    files[part(place)] = nil
  }

  func size(of place: FileKey) throws -> Int64? {
    try beAlive()
    return whole(place).map { Int64($0.count) }
  }

  func read(_ place: FileKey, at offset: Int64, count: Int) throws -> [UInt8]? {
    try beAlive()
    return whole(place).map { Array($0.dropFirst(Int(offset)).prefix(count)) }
  }

  func remove(_ place: FileKey) throws {
    try beAlive()
    try fail("removing a file")
    world.trace("the server removes the file \(place.hash.description.prefix(8)) of \(place.queue.short)")
    files[whole(place)] = nil
  }

  func copy(from source: FileKey, to target: FileKey) throws -> Bool {
    try beAlive()
    try fail("linking a file")
    guard let file = files[whole(source)] else { return false }
    world.server.referee.noteBytes()
    if files[whole(target)] == nil { files[whole(target)] = file }
    try fail("syncing a folder")
    durable[whole(target)] = files[whole(target)]
    return true
  }

  func queues() throws -> [QueueID] {
    try beAlive()
    return Set(files.keys.map(\.place.queue)).sorted()
  }

  func removeParts(of queue: QueueID, before time: Timestamp) throws {
    try beAlive()
    for (name, file) in files
    where name.isPart && name.place.queue == queue && file.changed / 1_000 * 1_000 < time.millisecondsSince1970 {
      files[name] = nil
      world.count("parts removed by upkeep")
    }
  }

  private var now: Int64 { SimulatedProcess.start + world.time.now + world.server.clockOffset }
}

// Faults.
extension SimulatedFolder {
  private var isFailing: Bool { world.has(.serverStorage) && world.random.chance(4) }

  private func fail(_ what: String) throws {
    if isFailing { throw failure(what, world.random.pick([.diskFull, .inputOutput])) }
  }

  private func failure(_ what: String, _ code: StorageError.Code) -> StorageError {
    world.fault(.serverStorage, "the folder of files fails")
    world.trace("the folder fails: \(what)")
    ServedRequest.current?.hasFailed = true
    return StorageError(code, "The folder fails: \(what).")
  }

  /// Cuts power. An unsynced file stays or goes back to its synced state; a part may also keep its beginning only, or
  /// zeros at its end.
  func losePower() {
    let changed = Set(files.keys).union(durable.keys).filter { files[$0] != durable[$0] }
    for name in changed.sorted() {
      let before = files[name]
      let size = before?.bytes.count ?? 0
      switch world.random.below(4) {
      case 0: files[name] = durable[name]
      case 1: break
      case 2 where name.isPart: files[name]?.bytes.removeLast(world.random.below(size + 1))
      case 3 where name.isPart:
        let count = world.random.below(size + 1)
        files[name]?.bytes.replaceSubrange(count..., with: Array(repeating: 0, count: size - count))
      default: files[name] = durable[name]
      }
      if files[name] != before { world.count("unsynced bytes of files lost") }
    }
    durable = files
  }

  /// The operator's copy of the folder.
  typealias Copy = [Name: File]

  var copy: Copy { files }

  func putBack(_ copy: Copy) {
    files = copy
    durable = copy
  }

  /// Removes the bytes of a file, as if the operator had lost them.
  func lose(_ place: FileKey) {
    (files[whole(place)], durable[whole(place)]) = (nil, nil)
  }
}

extension SimulatedFolder.Name: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    let (first, second) = (left.place, right.place)
    if first.queue != second.queue { return first.queue < second.queue }
    if first.hash != second.hash { return first.hash < second.hash }
    return !left.isPart && right.isPart
  }
}
