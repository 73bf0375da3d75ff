// The folders of files of one device, in memory, with what a real disk loses and refuses.

import TestSupport
import WireFormat

/// Outlives the lives of the app. Paths are relative to the folder of the store; those of sources begin with a slash.
///
/// What a process sees is `live`. A power cut leaves what was synced: the bytes of a file by its own `sync`, a name by that
/// of its folder. Of all else it leaves some: changes of names one by one or up to a moment, of bytes all, the beginning,
/// or zeros for the end.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class SimulatedFileDisk: @unchecked Sendable {
  private(set) var live = Tree()
  private var durable = Tree()
  /// Of names that are not durable, in their order.
  private var changes: [Change] = []
  /// How often anything has changed.
  private(set) var changeCount = 0
  /// After so many more changes the app falls, in the middle of that one.
  var fallsAfter: Int?
  var failure: Failure?
  /// How many calls have failed since somebody asked.
  var failures = 0

  /// The bytes of a file, whatever its names are.
  final class Inode {
    var bytes: [UInt8]
    fileprivate var synced: [UInt8] = []
    var time: Int64 = 0

    init(_ bytes: [UInt8] = []) { self.bytes = bytes }
  }

  struct Tree {
    fileprivate(set) var files: [String: Inode] = [:]
    fileprivate(set) var folders: Set<String> = [""]
  }

  fileprivate enum Change {
    case put(String, Inode)
    case rename(String, String)
    case remove(String)
    case makeFolder(String)
    case removeFolder(String)
  }

  /// Which calls fail, counted from 1.
  struct Failure {
    var call: Call
    var number: Int
    var isLasting: Bool
    var isFull: Bool
  }

  enum Call { case any, read, write, sync }

  /// The names of files in a folder and below.
  func paths(in folder: String) -> [String] { live.files.keys.filter { $0.hasPrefix(folder + "/") }.sorted() }
}

// Calls.
extension SimulatedFileDisk {
  func write(_ bytes: [UInt8], to path: String, at offset: Int, _ time: Int64) -> Bool {
    guard let inode = live.files[path] ?? (offset == 0 ? Inode() : nil) else { return false }
    if live.files[path] == nil { change(.put(path, inode)) }
    inode.bytes = Array(inode.bytes.prefix(offset))
    // What lies behind the end of a file are zeros.
    inode.bytes += Array(repeating: 0, count: offset - inode.bytes.count) + bytes
    inode.time = time
    changeCount += 1
    return true
  }

  func sync(_ path: String) -> Bool {
    changeCount += 1
    if let inode = live.files[path] {
      inode.synced = inode.bytes
      return true
    }
    guard live.folders.contains(path) else { return false }
    var rest: [Change] = []
    for change in changes {
      if change.folders.contains(path) { durable.apply(change) } else { rest.append(change) }
    }
    changes = rest
    return true
  }

  func rename(_ path: String, to other: String) -> Bool {
    guard live.files[path] != nil, live.folders.contains(other.folder) else { return false }
    change(.rename(path, other))
    return true
  }

  /// Whether there is a folder for the new name.
  func link(_ path: String, to other: String) -> Bool {
    guard let inode = live.files[path], live.folders.contains(other.folder) else { return false }
    if live.files[other] == nil { change(.put(other, inode)) }
    return true
  }

  func remove(_ path: String) { if live.files[path] != nil { change(.remove(path)) } }

  func touch(_ path: String, at time: Int64) { live.files[path]?.time = time }

  func makeFolder(_ path: String) {
    let parts = path.split(separator: "/")
    for count in 1...max(parts.count, 1) {
      let folder = parts.prefix(count).joined(separator: "/")
      if !live.folders.contains(folder) { change(.makeFolder(folder)) }
    }
  }

  func removeFolder(_ path: String) { change(.removeFolder(path)) }

  private func change(_ change: Change) {
    live.apply(change)
    changes.append(change)
    changeCount += 1
  }

  /// A file of the user, outside of the store.
  func put(_ bytes: [UInt8], at path: String, _ time: Int64) {
    let inode = Inode(bytes)
    (inode.synced, inode.time) = (bytes, time)
    (live.files[path], durable.files[path]) = (inode, inode)
  }

  func takeAway(_ path: String) { (live.files[path], durable.files[path]) = (nil, nil) }
}

// Power.
extension SimulatedFileDisk {
  /// Returns whether anything was lost.
  @discardableResult
  func losePower(_ random: inout SeededRandom) -> Bool {
    let before = live
    let mode = random.below(4)
    let end = random.below(changes.count + 1)
    for (index, change) in changes.enumerated() {
      let isKept: Bool =
        switch mode {
        case 0: false
        case 1: true
        case 2: index < end
        default: random.chance(50)
        }
      if isKept { durable.apply(change) }
    }
    changes = []
    durable.dropUnreachable()
    var hasLost = false
    for path in durable.files.keys.sorted() {
      guard let inode = durable.files[path], inode.bytes != inode.synced else { continue }
      inode.losePower(&random)
      hasLost = true
    }
    if before.files.keys != durable.files.keys { hasLost = true }
    live = durable
    changeCount += 1
    return hasLost
  }

  /// Of a device that is set up from the copy of this one.
  func copy() -> SimulatedFileDisk {
    let copy = SimulatedFileDisk()
    var copies: [ObjectIdentifier: Inode] = [:]
    for (path, inode) in live.files {
      let twin = copies[ObjectIdentifier(inode)] ?? Inode(inode.bytes)
      (twin.synced, twin.time) = (twin.bytes, inode.time)
      copies[ObjectIdentifier(inode)] = twin
      copy.live.files[path] = twin
    }
    copy.live.folders = live.folders
    copy.durable = copy.live
    return copy
  }
}

extension SimulatedFileDisk.Inode {
  fileprivate func losePower(_ random: inout SeededRandom) {
    switch random.below(4) {
    case 0: bytes = synced
    case 1: bytes = Array(bytes.prefix(random.below(bytes.count + 1)))
    case 2:
      let start = random.below(bytes.count + 1)
      bytes = bytes.prefix(start) + Array(repeating: 0, count: bytes.count - start)
    default: break
    }
    synced = bytes
  }
}

extension SimulatedFileDisk.Tree {
  fileprivate mutating func apply(_ change: SimulatedFileDisk.Change) {
    switch change {
    case .put(let path, let inode): files[path] = inode
    case .rename(let path, let other):
      guard let inode = files.removeValue(forKey: path) else { return }
      files[other] = inode
    case .remove(let path): files[path] = nil
    case .makeFolder(let path): folders.insert(path)
    case .removeFolder(let path):
      folders = folders.filter { $0 != path && !$0.hasPrefix(path + "/") }
      files = files.filter { !$0.key.hasPrefix(path + "/") }
    }
  }

  /// What lies in folders that have no names.
  fileprivate mutating func dropUnreachable() {
    for folder in folders.sorted() where folder != "" && !folders.contains(folder.folder) { folders.remove(folder) }
    files = files.filter { $0.key.hasPrefix("/") || folders.contains($0.key.folder) }
  }
}

extension SimulatedFileDisk.Change {
  /// Whose sync makes it durable.
  fileprivate var folders: [String] {
    switch self {
    case .put(let path, _), .remove(let path), .makeFolder(let path), .removeFolder(let path): [path.folder]
    case .rename(let path, let other): [path.folder, other.folder]
    }
  }
}

extension String {
  /// The folder in which a path lies.
  var folder: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "" }
}
