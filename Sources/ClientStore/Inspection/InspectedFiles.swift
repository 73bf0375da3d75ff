// How SQLite opens a store for inspection without changing its files, or making new ones beside them.

import Foundation

/// The address of a database for SQLite.
///
/// - If the write-ahead log and its index exist, the index is mapped read-only (`readonly_shm`), so the store can be
///   read while an app has it open.
/// - Without a log the database file holds everything and nobody has it open (`immutable`). An app that opens it
///   meanwhile writes to a new log first.
/// - Copying a store can leave a log without an index. SQLite would write a new index, so a copy of both files is
///   opened.
/// - A log with a damaged header is left out, and reported in `problems`.
/// - The library makes no rollback journal. If there is one, SQLite takes the locks and decides.
struct InspectedFiles {
  static let file = "store.sqlite"
  let address: String
  /// Problems of the files, each a sentence for a person.
  private(set) var problems: [String] = []
  private let copy: String?

  init(folder: String) throws {
    let files = FileManager.default
    let path = folder + "/" + Self.file
    var isFolder: ObjCBool = false
    guard files.fileExists(atPath: folder, isDirectory: &isFolder) else {
      guard Self.maySee(folder) else { throw StoreError(.inputOutput, "You may not look into \(folder).") }
      throw StoreError(.inputOutput, "There is no folder \(folder).")
    }
    guard isFolder.boolValue else {
      throw StoreError(.foreign, "\(folder) is a file; name the folder that holds \(Self.file).")
    }
    guard Self.maySee(path) else { throw StoreError(.inputOutput, "You may not look into \(folder).") }
    guard files.fileExists(atPath: path) else {
      throw StoreError(.foreign, "\(folder) is not a store: there is no \(Self.file) in it.")
    }
    guard files.isReadableFile(atPath: path) else {
      throw StoreError(.inputOutput, "\(path) may not be read.")
    }
    // SQLite would delete the log of an empty database.
    guard Self.state(path)?.bytes != 0 else { throw StoreError(.foreign, "\(path) is empty, so it is not a store.") }
    let log = Self.state(path + "-wal")
    let hasIndex = Self.state(path + "-shm") != nil
    if Self.state(path + "-journal") != nil {
      (address, copy) = (Self.address(path, "mode=ro"), nil)
    } else if log == nil || log?.bytes == 0 && !hasIndex {
      (address, copy) = (Self.address(path, "immutable=1"), nil)
    } else if !Self.isLogSound(path + "-wal") {
      (address, copy) = (Self.address(path, "immutable=1"), nil)
      problems = ["\(path)-wal is damaged and left out: the newest changes may be missing."]
    } else if hasIndex {
      (address, copy) = (Self.address(path, "mode=ro&readonly_shm=1"), nil)
    } else {
      let copied = try Self.copied(path)
      (address, copy) = (Self.address(copied + "/" + Self.file, "mode=ro"), copied)
    }
  }

  /// False if a folder above may not be searched: its contents then seem to be absent.
  private static func maySee(_ path: String) -> Bool {
    do {
      _ = try FileManager.default.attributesOfItem(atPath: path)
      return true
    } catch {
      return (error as? CocoaError)?.code != .fileReadNoPermission
    }
  }

  func leave() {
    if let copy { try? FileManager.default.removeItem(atPath: copy) }
  }

  /// Copies the database and its log into a temporary folder. If somebody writes meanwhile, tries again, at most twice.
  private static func copied(_ path: String) throws -> String {
    let files = FileManager.default
    let folder = NSTemporaryDirectory() + "modelinspect-" + ProcessInfo.processInfo.globallyUniqueString
    do {
      try files.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      for _ in 0..<3 {
        let before = [state(path), state(path + "-wal")]
        for suffix in ["", "-wal"] {
          let target = folder + "/" + file + suffix
          try? files.removeItem(atPath: target)
          try files.copyItem(atPath: path + suffix, toPath: target)
          try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        }
        if before == [state(path), state(path + "-wal")] { return folder }
      }
    } catch {
      try? files.removeItem(atPath: folder)
      throw StoreError(.inputOutput, "The store cannot be copied to be read: \(error.localizedDescription)")
    }
    try? files.removeItem(atPath: folder)
    throw StoreError(.inputOutput, "The database is being written by another program; try again.")
  }

  /// Whether the header of the log is sound. True if the log cannot be read, because SQLite will report that.
  private static func isLogSound(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return true }
    defer { try? file.close() }
    return (try? file.read(upToCount: LogHeader.size)).map { LogHeader.isSound([UInt8]($0)) } ?? true
  }

  private struct State: Equatable {
    var bytes: Int
    var changed: Date?
  }

  private static func state(_ path: String) -> State? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
    return State(bytes: (attributes[.size] as? Int) ?? 0, changed: attributes[.modificationDate] as? Date)
  }

  /// The address of a path: SQLite reads the text behind `file:` as a URI.
  private static func address(_ path: String, _ options: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let encoded = path.utf8.map { byte -> String in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }
    // An absolute path gets an empty authority, because `//` at its start would be taken for one.
    return "file:\(path.hasPrefix("/") ? "//" : "")\(encoded.joined())?\(options)"
  }
}
