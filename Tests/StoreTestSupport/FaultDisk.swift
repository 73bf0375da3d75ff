// A disk for SQLite databases, in memory, that loses power, fails and is damaged where a test says.

import CFaultVFS
import Foundation

/// Every SQLite database that is opened inside `folder` is on this disk; see Tests/CFaultVFS.
///
/// A write is durable once its file was synced. A power cut decides by seed what becomes of each other write: lost,
/// whole, or torn (its beginning, or some of its sectors of 512 bytes), and of each name made or removed since.
///
/// `@unchecked Sendable`: the disk has a lock of its own.
public final class FaultDisk: @unchecked Sendable {
  /// Exists in the real file system too, and has nothing but the store's lock there.
  public let folder: String
  private let disk: OpaquePointer

  public init() {
    folder = Self.newFolder()
    disk = fault_disk_open(folder)
  }

  private init(folder: String, _ disk: OpaquePointer) {
    self.folder = folder
    self.disk = disk
  }

  deinit {
    fault_disk_close(disk)
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func newFolder() -> String {
    NSTemporaryDirectory() + "modelgen-fault-\(UUID().uuidString)"
  }
}

// Power.
extension FaultDisk {
  /// Writes, truncations, syncs and deletions so far: the points at which power can go.
  public var points: Int { Int(fault_disk_points(disk)) }

  public var isOff: Bool { fault_disk_is_off(disk) }

  /// Cuts power during the call with this number, counted as `points` are; whatever uses the disk then fails.
  public func cut(at point: Int, seed: UInt64) { fault_disk_cut_at(disk, UInt64(point), seed) }

  public func cut(seed: UInt64) { fault_disk_cut(disk, seed) }

  /// Ends the process that uses the disk: what it wrote stays, but what was not synced can still be lost by a power cut.
  /// Like a cut it leaves the disk off.
  public func kill() { fault_disk_kill(disk) }

  public func kill(at point: Int) { fault_disk_kill_at(disk, UInt64(point)) }

  /// The disk works again after a cut, and is healthy; what was open before stays broken.
  public func restart() { fault_disk_restart(disk) }

  /// From now on every point leaves `count` copies of what the disk would hold had power gone in that call, while the
  /// disk itself goes on.
  public func copyPoints(_ count: Int, seed: UInt64) { fault_disk_copy_points(disk, UInt64(count), seed) }

  /// What one power cut left.
  public struct Copy {
    public let disk: FaultDisk
    public let point: Int
    public let seed: UInt64
  }

  /// The oldest of those copies, nil where none is left.
  public func takeCopy() -> Copy? {
    let folder = Self.newFolder()
    var (point, seed): (UInt64, UInt64) = (0, 0)
    guard let copy = fault_disk_take_copy(disk, folder, &point, &seed) else { return nil }
    return Copy(disk: FaultDisk(folder: folder, copy), point: Int(point), seed: seed)
  }

  public enum File: CaseIterable, Sendable {
    case database, log, journal
    fileprivate var kind: fault_file_kind {
      switch self {
      case .database: FAULT_DATABASE
      case .log: FAULT_WAL
      case .journal: FAULT_JOURNAL
      }
    }
  }

  /// What a power cut makes of a write, and of a name, that was not synced.
  public enum Fate: CaseIterable, Sendable {
    case lost, whole, torn, nameLost, nameKept
    fileprivate var fate: fault_fate {
      switch self {
      case .lost: FAULT_LOST
      case .whole: FAULT_WHOLE
      case .torn: FAULT_TORN
      case .nameLost: FAULT_NAME_LOST
      case .nameKept: FAULT_NAME_KEPT
      }
    }
  }

  /// How many writes met this fate, in all cuts of this disk and in the copies it made.
  public func count(_ file: File, _ fate: Fate) -> Int { Int(fault_disk_fates(disk, file.kind, fate.fate)) }
}

// Errors.
extension FaultDisk {
  public enum Call: CaseIterable, Sendable {
    case write, truncate, sync, delete, read, open, access, size, sharedMemory, any
    fileprivate var call: fault_call {
      switch self {
      case .write: FAULT_WRITE
      case .truncate: FAULT_TRUNCATE
      case .sync: FAULT_SYNC
      case .delete: FAULT_DELETE
      case .read: FAULT_READ
      case .open: FAULT_OPEN
      case .access: FAULT_ACCESS
      case .size: FAULT_SIZE
      case .sharedMemory: FAULT_SHARED_MEMORY
      case .any: FAULT_ANY
      }
    }
  }

  public enum Failure: CaseIterable, Sendable {
    /// A sync that fails also drops what it should have written, as Linux does.
    case inputOutput
    /// Half of a write still has room.
    case diskFull
    case shortRead
    fileprivate var error: fault_error {
      switch self {
      case .inputOutput: FAULT_IO_ERROR
      case .diskFull: FAULT_DISK_FULL
      case .shortRead: FAULT_SHORT_READ
      }
    }
  }

  /// Lets a call of a kind fail, counted from 1 from now on, and all that follow where `lasting`.
  public func fail(_ call: Call, at number: Int, lasting: Bool = false, _ failure: Failure = .inputOutput) {
    fault_disk_fail(disk, call.call, UInt64(number), lasting, failure.error)
  }

  /// No call fails any more; counting starts again.
  public func heal() { fail(.any, at: 0) }

  /// Calls of a kind since `fail` or `heal`.
  public func calls(_ call: Call) -> Int { Int(fault_disk_calls(disk, call.call)) }

  /// How many calls failed since `fail`.
  public var failures: Int { Int(fault_disk_failures(disk)) }

  public func setReadOnly(_ isReadOnly: Bool) { fault_disk_set_read_only(disk, isReadOnly) }
}

// Damage.
extension FaultDisk {
  /// The bytes of a file, nil where there is none; setting them is durable.
  public subscript(name: String) -> [UInt8]? {
    get {
      let size = fault_disk_size(disk, name)
      guard size >= 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: Int(size))
      let count = fault_disk_read(disk, name, &bytes, size)
      return Array(bytes.prefix(Int(count)))
    }
    set {
      guard let newValue else { return fault_disk_remove(disk, name) }
      fault_disk_replace(disk, name, newValue, Int64(newValue.count))
    }
  }
}
