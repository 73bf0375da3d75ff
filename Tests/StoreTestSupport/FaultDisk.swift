// An in-memory disk for SQLite databases that loses power, fails or is damaged when a test says so.

import CFaultVFS
import Foundation

/// Holds every SQLite database that is opened inside `folder`; see Tests/CFaultVFS.
///
/// A write is durable once its file was synced. A power cut decides by seed whether each other write is lost, whole, or
/// torn (its beginning, or some of its 512-byte sectors, is left), and whether files made or removed since keep their
/// names.
///
/// `@unchecked Sendable`: the disk has a lock of its own.
public final class FaultDisk: @unchecked Sendable {
  /// Also exists in the real file system, where it holds only the store's lock file.
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
  /// Writes, truncations, syncs and deletions since the disk was made or restarted. Power can fail at each of them.
  public var points: Int { Int(fault_disk_points(disk)) }

  public var isOff: Bool { fault_disk_is_off(disk) }

  /// Cuts power during the call with this number, counted as in `points`. Later calls to the disk fail.
  public func cut(at point: Int, seed: UInt64) { fault_disk_cut_at(disk, UInt64(point), seed) }

  public func cut(seed: UInt64) { fault_disk_cut(disk, seed) }

  /// Ends the process that uses the disk. Its writes stay, but a power cut can still lose those that were not synced.
  /// The disk is off afterwards, as after a cut.
  public func kill() { fault_disk_kill(disk) }

  public func kill(at point: Int) { fault_disk_kill_at(disk, UInt64(point)) }

  /// Turns the disk on after a cut or kill, without planned faults. Files that were open before stay unusable.
  public func restart() { fault_disk_restart(disk) }

  /// From now on every point leaves `count` copies of what the disk would hold if power had failed in that call. The
  /// disk itself goes on.
  public func copyPoints(_ count: Int, seed: UInt64) { fault_disk_copy_points(disk, UInt64(count), seed) }

  /// The disk that one power cut would have left.
  public struct Copy {
    public let disk: FaultDisk
    public let point: Int
    public let seed: UInt64
  }

  /// Takes the oldest of those copies; nil if none is left.
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

  /// The effect of a power cut on an unsynced write, or on an unsynced name.
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

  /// How many such writes or names met this fate, in all cuts of this disk and in its copies.
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
    /// A failing sync also drops the unsynced writes, as Linux does.
    case inputOutput
    /// A failing write still writes half of its bytes.
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

  /// Makes call `number` of this kind fail, counted from now on and from 1. With `lasting` all later ones fail too.
  public func fail(_ call: Call, at number: Int, lasting: Bool = false, _ failure: Failure = .inputOutput) {
    fault_disk_fail(disk, call.call, UInt64(number), lasting, failure.error)
  }

  /// Lets all calls succeed again, and restarts the counts.
  public func heal() { fail(.any, at: 0) }

  /// Calls of this kind since the last `fail` or `heal`.
  public func calls(_ call: Call) -> Int { Int(fault_disk_calls(disk, call.call)) }

  /// How many calls have failed since the last `fail` or `heal`.
  public var failures: Int { Int(fault_disk_failures(disk)) }

  public func setReadOnly(_ isReadOnly: Bool) { fault_disk_set_read_only(disk, isReadOnly) }
}

// Damage.
extension FaultDisk {
  /// The bytes of a file; nil if there is none. Bytes that are set are durable; nil removes the file.
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
