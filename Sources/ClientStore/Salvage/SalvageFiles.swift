// The files of a salvage, and the order in which they are renamed.

import Foundation

/// A crash at any moment leaves the damaged store or the complete new one.
///
/// The new database is written as `salvaging.sqlite` and, once complete, named `salvaged.sqlite`. Then the damaged
/// files move away, the database first. If a crash comes now, the folder has a `salvaged.sqlite` and no database, and
/// opening the store completes the salvage.
struct SalvageFiles {
  let folder: String
  let damaged: String
  private let files = FileManager.default

  init(folder: String) {
    self.folder = folder
    damaged = "\(folder)/damaged-\(Self.newest(in: folder) + 1)"
  }

  private var store: String { folder + "/store.sqlite" }
  private var complete: String { folder + "/salvaged.sqlite" }
  var unfinished: String { folder + "/salvaging.sqlite" }

  /// Whether there is something to salvage.
  var hasStore: Bool { files.fileExists(atPath: store) || files.fileExists(atPath: complete) }

  /// Completes or removes what an earlier attempt left.
  func begin() throws {
    try resume()
    for path in [complete, unfinished] {
      for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: path + suffix) }
    }
  }

  func finish() throws {
    let log = try? files.attributesOfItem(atPath: unfinished + "-wal")[.size] as? Int
    guard (log ?? 0) == 0 else { throw StoreError(.inputOutput, "The new store cannot be written as a whole.") }
    try files.moveItem(atPath: unfinished, toPath: complete)
    try files.createDirectory(atPath: damaged, withIntermediateDirectories: false)
    sync(folder)
    try files.moveItem(atPath: store, toPath: damaged + "/store.sqlite")
    sync(folder)
    try resume()
  }

  /// Gives a complete new database the name of the store, once the damaged one has moved away. Does nothing otherwise.
  func resume() throws {
    guard !files.fileExists(atPath: store), files.fileExists(atPath: complete) else { return }
    // The log of the damaged database must not meet the new one. It moves to that database, into the newest folder.
    let kept = "\(folder)/damaged-\(Self.newest(in: folder))/store.sqlite"
    if files.fileExists(atPath: store + "-wal") { try files.moveItem(atPath: store + "-wal", toPath: kept + "-wal") }
    try? files.removeItem(atPath: store + "-shm")
    try? files.removeItem(atPath: DamageMark.path(in: folder))
    try files.moveItem(atPath: complete, toPath: store)
    sync(folder)
  }

  /// The largest number of a folder with damaged files, 0 if there is none. Only 1 to 999,999 count.
  private static func newest(in folder: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { $0.hasPrefix("damaged-") ? Int($0.dropFirst("damaged-".count)) : nil }
      .filter { (1...999_999).contains($0) }.max() ?? 0
  }

  /// Makes the names in a folder durable. Errors are ignored, because some systems cannot do that.
  private func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
