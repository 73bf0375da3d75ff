// The folders of files of one device, in memory. Like a real disk they lose data, and calls fail.

import TestSupport
import WireFormat

/// Outlives the lives of the app. Paths are relative to the folder of the store; those of sources begin with a slash.
///
/// A process sees `live`. A power cut keeps what was synced: the bytes of a file by its own `sync`, a name by that of
/// its folder. Other changes of names are lost, kept, kept up to a moment, or kept one by one. A file whose bytes were
/// not synced keeps the synced ones, all, their beginning, or zeros at their end.
///
/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class SimulatedFileDisk: @unchecked Sendable {
  private(set) var live = Tree()
  private var durable = Tree()
  /// Changes of names that are not durable yet, in order.
  private var changes: [Change] = []
  /// How often anything has changed.
  private(set) var changeCount = 0
  /// The app crashes after so many more calls other than reads, in the middle of the next one; nil if it does not.
  var fallsAfter: Int?
  var failure: Failure?
  /// How many calls have failed since `failFiles` last began.
  var failures = 0

  /// The bytes of a file, which may have several names.
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
    /// With the file: a disk stores which file has a name, and never gives it to another one that had the old name.
    case rename(String, String, Inode)
    case remove(String)
    case makeFolder(String)
    case removeFolder(String)
  }

  /// Which call of a kind fails, counted from 1 from now on; if `isLasting`, all later ones fail too.
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
    // A gap behind the end of a file is filled with zeros.
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
    guard let inode = live.files[path], live.folders.contains(other.folder) else { return false }
    change(.rename(path, other, inode))
    return true
  }

  /// Gives a file another name. Returns false if there is no such file, or no folder for the name.
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

  /// Puts a file of the user outside of the store. It is durable at once.
  func put(_ bytes: [UInt8], at path: String, _ time: Int64) {
    let inode = Inode(bytes)
    (inode.synced, inode.time) = (bytes, time)
    (live.files[path], durable.files[path]) = (inode, inode)
  }

  func takeAway(_ path: String) { (live.files[path], durable.files[path]) = (nil, nil) }
}

// Power.
extension SimulatedFileDisk {
  /// Cuts power. Returns whether anything was lost.
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

  /// The disk of a device that is set up from a copy of this one. Everything on it is durable.
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
    case .rename(let path, let other, let inode):
      if files[path] === inode { files[path] = nil }
      files[other] = inode
    case .remove(let path): files[path] = nil
    case .makeFolder(let path): folders.insert(path)
    case .removeFolder(let path):
      folders = folders.filter { $0 != path && !$0.hasPrefix(path + "/") }
      files = files.filter { !$0.key.hasPrefix(path + "/") }
    }
  }

  /// Removes what lies in folders that are gone.
  fileprivate mutating func dropUnreachable() {
    for folder in folders.sorted() where folder != "" && !folders.contains(folder.folder) { folders.remove(folder) }
    files = files.filter { $0.key.hasPrefix("/") || folders.contains($0.key.folder) }
  }
}

extension SimulatedFileDisk.Change {
  /// The folders of which a sync makes the change durable.
  fileprivate var folders: [String] {
    switch self {
    case .put(let path, _), .remove(let path), .makeFolder(let path), .removeFolder(let path): [path.folder]
    case .rename(let path, let other, _): [path.folder, other.folder]
    }
  }
}

extension String {
  /// The folder in which a path lies.
  var folder: String { lastIndex(of: "/").map { String(self[..<$0]) } ?? "" }
}
