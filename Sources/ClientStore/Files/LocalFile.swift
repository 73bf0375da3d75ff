// A file that is on this device, and is held by a reader.

public import Foundation
public import WireFormat

/// The bytes of a file, or of a variant. They are not evicted as long as this value exists, but they go with their
/// queue.
///
/// `@unchecked Sendable`: the path is set before anybody else has the value.
public final class LocalFile: @unchecked Sendable {
  /// The hash of the file; for a variant, that of its original.
  public let hash: ContentHash
  package internal(set) var path = ""
  private let name: CachedName
  private let folder: FileFolder

  init(_ name: CachedName, _ folder: FileFolder) {
    (hash, self.name, self.folder) = (name.hash, name, folder)
    folder.pin(name)
  }

  /// The bytes, valid as long as this value exists and their queue is on this device.
  public var url: URL { URL(file: path) }

  deinit { folder.unpin(name) }

  /// All bytes, in memory. Throws a `FileError` if they cannot be read.
  public func bytes() throws -> [UInt8] { try bytes(in: 0..<Int64.max) }

  /// A part of the bytes; shorter if the file ends before the range does. Throws a `FileError` if it cannot be read.
  public func bytes(in range: Range<Int64>) throws -> [UInt8] {
    let (path, range) = (place, range.clamped(to: 0..<Int64.max))
    do {
      let count = min(range.upperBound, try folder.disk.state(of: path)?.size ?? 0) - range.lowerBound
      return try folder.disk.read(path, at: range.lowerBound, count: Int(max(count, 0)))
    } catch {
      throw isGone(path) ? FileError.ended : FileError(.disk, "\(error)")
    }
  }

  /// Whether the file is gone; false if the disk fails.
  private func isGone(_ path: String) -> Bool {
    do { return try folder.disk.state(of: path) == nil } catch { return false }
  }

  /// In bytes; 0 if it cannot be read.
  public var size: Int64 { (try? folder.disk.state(of: place)?.size) ?? 0 }

  /// The path now: a file moves to another folder when an operation that names it is saved.
  private var place: String { folder.path(of: name) ?? path }
}
