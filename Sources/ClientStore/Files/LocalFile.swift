// A file that is on this device, held by somebody who reads it.

public import WireFormat

/// The bytes of a file. As long as this value is kept they are not removed to make room; they may go with their queue.
///
/// `@unchecked Sendable`: the path is set before anybody else has the value.
public final class LocalFile: @unchecked Sendable {
  public let hash: ContentHash
  public internal(set) var path = ""
  private let folder: FileFolder

  init(_ hash: ContentHash, _ folder: FileFolder) {
    (self.hash, self.folder) = (hash, folder)
    folder.pin(hash)
  }

  deinit { folder.unpin(hash) }

  /// All of it, in memory. Throws a `FileError` where it cannot be read.
  public func bytes() throws -> [UInt8] { try bytes(in: 0..<size) }

  /// A part of it; shorter at its end. Throws a `FileError` where it cannot be read.
  public func bytes(in range: Range<Int64>) throws -> [UInt8] {
    do {
      return try folder.disk.read(place, at: range.lowerBound, count: Int(clamping: range.count))
    } catch {
      throw FileError(.disk, "\(error)")
    }
  }

  /// In bytes.
  public var size: Int64 { (try? folder.disk.state(of: place)?.size) ?? 0 }

  /// It goes from folder to folder as what names it is saved.
  private var place: String { folder.path(of: hash) ?? path }
}
