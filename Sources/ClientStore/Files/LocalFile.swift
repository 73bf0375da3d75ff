// A file that is on this device, held by somebody who reads it.

public import WireFormat

/// The bytes of a file, or of a variant. As long as this value is kept they are not removed to make room; they may go with
/// their queue.
///
/// `@unchecked Sendable`: the path is set before anybody else has the value.
public final class LocalFile: @unchecked Sendable {
  /// Of the file; also where this is a variant of it.
  public let hash: ContentHash
  /// A path at which the bytes are as long as this value is kept and their queue is here.
  public internal(set) var path = ""
  private let name: CachedName
  private let folder: FileFolder

  init(_ name: CachedName, _ folder: FileFolder) {
    (hash, self.name, self.folder) = (name.hash, name, folder)
    folder.pin(name)
  }

  deinit { folder.unpin(name) }

  /// All of it, in memory. Throws a `FileError` where it cannot be read.
  public func bytes() throws -> [UInt8] { try bytes(in: 0..<Int64.max) }

  /// A part of it; shorter where the file ends before the range does. Throws a `FileError` where it cannot be read.
  public func bytes(in range: Range<Int64>) throws -> [UInt8] {
    let (path, range) = (place, range.clamped(to: 0..<Int64.max))
    do {
      let count = min(range.upperBound, try folder.disk.state(of: path)?.size ?? 0) - range.lowerBound
      return try folder.disk.read(path, at: range.lowerBound, count: Int(max(count, 0)))
    } catch {
      throw isGone(path) ? FileError.ended : FileError(.disk, "\(error)")
    }
  }

  /// A disk that fails says nothing of it.
  private func isGone(_ path: String) -> Bool {
    do { return try folder.disk.state(of: path) == nil } catch { return false }
  }

  /// In bytes.
  public var size: Int64 { (try? folder.disk.state(of: place)?.size) ?? 0 }

  /// It goes from folder to folder as what names it is saved.
  private var place: String { folder.path(of: name) ?? path }
}
