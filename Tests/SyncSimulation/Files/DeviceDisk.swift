// The disk of files, as the app uses it during one life.

import ClientStore
import StoreTestSupport
import TestSupport

/// Calls of a process that has ended, or whose disk is off, fail.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
struct DeviceDisk: FileDisk, @unchecked Sendable {
  unowned let device: Device
  let process: SimulatedProcess

  private var disk: SimulatedFileDisk { device.files }
  private var world: World { device.world }

  func state(of path: String) throws -> FileState? {
    try meet(.read)
    return disk.live.files[name(path)].map { FileState(size: Int64($0.bytes.count), time: $0.time) }
  }

  func read(_ path: String, at offset: Int64, count: Int) throws -> [UInt8] {
    try meet(.read)
    guard let inode = disk.live.files[name(path)] else { throw Self.absent(path) }
    return Array(inode.bytes.dropFirst(Int(offset)).prefix(count))
  }

  func write(_ bytes: [UInt8], to path: String, at offset: Int64) throws {
    do { try meet(.write) } catch {
      // Half of the bytes still had room, or were written before the crash.
      if !process.isOver { _ = disk.write(Array(bytes.prefix(bytes.count / 2)), to: name(path), at: Int(offset), now) }
      throw error
    }
    trace("writes \(bytes.count) at \(offset)", path)
    guard disk.write(bytes, to: name(path), at: Int(offset), now) else { throw Self.absent(path) }
  }

  func sync(_ path: String) throws {
    try meet(.sync)
    trace("syncs", path)
    guard disk.sync(name(path)) else { throw Self.absent(path) }
  }

  func rename(_ path: String, to other: String) throws {
    try meet(.write)
    trace("renames to \(name(other))", path)
    guard disk.rename(name(path), to: name(other)) else { throw Self.absent(path) }
  }

  func link(_ path: String, to other: String) throws {
    try meet(.write)
    trace("links to \(name(other))", path)
    guard disk.link(name(path), to: name(other)) else { throw Self.absent(path) }
  }

  func remove(_ path: String) throws {
    try meet(.any)
    trace("removes", path)
    disk.remove(name(path))
  }

  func touch(_ path: String, at time: Int64) throws {
    try meet(.any)
    disk.touch(name(path), at: time)
  }

  func makeFolder(_ path: String) throws {
    try meet(.write)
    disk.makeFolder(name(path))
  }

  func removeFolder(_ path: String) throws {
    try meet(.any)
    disk.removeFolder(name(path))
  }

  func names(in folder: String) throws -> [String] {
    try meet(.read)
    let folder = name(folder) + "/"
    let inside = (Array(disk.live.files.keys) + disk.live.folders).filter { $0.hasPrefix(folder) }
    return Set(inside.compactMap { $0.dropFirst(folder.count).split(separator: "/").first.map(String.init) }).sorted()
  }

  private func trace(_ what: String, _ path: String) { world.trace("\(device.name) \(what): \(name(path))") }

  /// The path relative to the folder of the store, whose name differs in each run.
  private func name(_ path: String) -> String {
    if path == device.disk.folder { return "" }
    let folder = device.disk.folder + "/"
    return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
  }

  private var now: Int64 { device.now }

  private static func absent(_ path: String) -> StoreError {
    StoreError(.inputOutput, "There is no \(path.split(separator: "/").suffix(2).joined(separator: "/")).")
  }
}

// Faults.
extension DeviceDisk {
  /// Injects the fault that a call meets, if any: throws an error, or ends the life and throws.
  private func meet(_ call: SimulatedFileDisk.Call) throws {
    guard !process.isOver, !device.disk.isOff else { throw StoreError(.inputOutput, "The power is gone.") }
    if call != .read, let count = disk.fallsAfter {
      disk.fallsAfter = count > 0 ? count - 1 : nil
      if count == 0 {
        world.count("a device falls in a call of a file")
        device.fall()
        throw StoreError(.inputOutput, "The power is gone.")
      }
    }
    guard var failure = disk.failure, failure.call == .any || failure.call == call else { return }
    failure.number -= 1
    disk.failure = failure.number > 0 || failure.isLasting ? failure : nil
    guard failure.number <= 0 else { return }
    // A full disk can still be read and emptied.
    if failure.isFull, call == .read || call == .any { return }
    disk.failures += 1
    world.count(failure.isFull ? "no room for a file" : "a call of a file fails")
    throw StoreError(failure.isFull ? .diskFull : .inputOutput, "The disk of files fails.")
  }
}
