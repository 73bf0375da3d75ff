// The files of a salvage, and the order in which they take each other's names.

import Foundation

/// A crash at any moment leaves the damaged store, or the finished new one; never neither.
///
/// The new database is written as `salvaging.sqlite` and, once complete, named `salvaged.sqlite`. Then the damaged
/// files move away, the database first; a store without a database but with `salvaged.sqlite` is one whose salvage was
/// cut short here, and opening it goes on.
struct SalvagePlace {
  let folder: String
  let damaged: String
  private let files = FileManager.default

  init(folder: String) {
    self.folder = folder
    let free = (1...).first { !FileManager.default.fileExists(atPath: "\(folder)/damaged-\($0)") } ?? 0
    damaged = "\(folder)/damaged-\(free)"
  }

  private var store: String { folder + "/store.sqlite" }
  private var complete: String { folder + "/salvaged.sqlite" }
  var unfinished: String { folder + "/salvaging.sqlite" }

  /// Removes what an earlier attempt left.
  func begin() throws {
    try resume()
    guard files.fileExists(atPath: store) else {
      throw StoreError(.foreign, "There is no store in \(folder) that could be salvaged.")
    }
    for path in [complete, unfinished] {
      for suffix in ["", "-wal", "-shm"] { try? files.removeItem(atPath: path + suffix) }
    }
  }

  func finish() throws {
    try files.moveItem(atPath: unfinished, toPath: complete)
    try files.createDirectory(atPath: damaged, withIntermediateDirectories: false)
    sync(folder)
    try files.moveItem(atPath: store, toPath: damaged + "/store.sqlite")
    sync(folder)
    try resume()
  }

  /// Gives a complete new database its name, where a crash came before that.
  func resume() throws {
    guard !files.fileExists(atPath: store), files.fileExists(atPath: complete) else { return }
    // The log of the damaged database must not meet the new one. After a crash its folder is the newest.
    let kept = files.fileExists(atPath: damaged) ? damaged : newestDamaged ?? damaged
    for suffix in ["-wal", "-shm"] where files.fileExists(atPath: store + suffix) {
      try? files.moveItem(atPath: store + suffix, toPath: kept + "/store.sqlite" + suffix)
      try? files.removeItem(atPath: store + suffix)
    }
    try files.moveItem(atPath: complete, toPath: store)
    sync(folder)
  }

  private var newestDamaged: String? {
    (1...).lazy.map { "\(folder)/damaged-\($0)" }.prefix { files.fileExists(atPath: $0) }.reduce(nil) { $1 }
  }

  /// Makes names durable; where a system cannot, they are as durable as it makes them.
  private func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
