// Sources of new files: a URL, bytes or a stream. Media types by file name.

public import Foundation

/// Where the bytes of a new file come from.
public enum FileSource: Sendable {
  /// A file on this machine. It is copied, never changed. A URL with another scheme names no file, so adding it fails.
  case url(URL)
  /// Bytes in memory. They have no name, so `add` takes the media type from its own parameters.
  case bytes([UInt8])
  /// Pieces of any size, one after the other.
  case pieces(AsyncThrowingStream<[UInt8], any Error>)

  /// Bytes in memory, as `bytes`.
  public static func data(_ data: Data) -> Self { .bytes(Array(data)) }

  package static func path(_ path: String) -> Self { .url(URL(filePath: path)) }

  /// Pieces of any size, one after the other.
  public static func stream<Pieces: AsyncSequence & Sendable>(_ pieces: Pieces) -> Self
  where Pieces.Element == [UInt8] {
    let iterator = PieceIterator(pieces)
    return .pieces(AsyncThrowingStream { try await iterator.next() })
  }

  /// The last component of a URL; nil for other sources.
  var name: String? {
    if case .url(let url) = self { url.lastPathComponent } else { nil }
  }
}

/// Asks the source for the next piece only when it is needed, so that a fast source does not fill the memory.
private actor PieceIterator<Pieces: AsyncSequence & Sendable> where Pieces.Element == [UInt8] {
  private var iterator: Pieces.AsyncIterator

  init(_ pieces: Pieces) { iterator = pieces.makeAsyncIterator() }

  func next() async throws -> [UInt8]? {
    var iterator = iterator
    defer { self.iterator = iterator }
    return try await iterator.next(isolation: self)
  }
}

/// Media types by the extension of a name (RFC 6838), mainly those that cameras and phones write.
enum MediaType {
  static let unknown = "application/octet-stream"

  static func of(name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return unknown }
    return byEnding[name[name.index(after: dot)...].lowercased()] ?? unknown
  }

  private static let byEnding = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "heic": "image/heic", "heif": "image/heif",
    "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "tif": "image/tiff", "tiff": "image/tiff",
    "dng": "image/x-adobe-dng", "svg": "image/svg+xml", "mp4": "video/mp4", "m4v": "video/mp4",
    "mov": "video/quicktime", "webm": "video/webm", "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav",
    "pdf": "application/pdf", "txt": "text/plain", "md": "text/markdown", "json": "application/json",
    "zip": "application/zip",
  ]
}
