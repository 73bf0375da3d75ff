// The files of photos as bodies of responses: of which type they are, and their bytes.
import FlyingFox
import FlyingSocks
import Foundation
import ModelRuntime
import Moments

extension Page {
  /// A photo's file, or a variant of it. A photo's file never changes, so the browser may keep it.
  func response(_ file: LocalFile, type: String, to request: HTTPRequest) throws -> HTTPResponse {
    let size = file.size
    var headers: HTTPHeaders = [
      .contentType: type, .cacheControl: "private, max-age=31536000, immutable", .acceptRanges: "bytes",
    ]
    // This server sends no validators, so none that a browser names in `If-Range` holds.
    let field = request.headers[HTTPHeader("If-Range")] == nil ? request.headers[.range] : nil
    switch ByteRange(field, size: size) {
    case .whole:
      return HTTPResponse(statusCode: .ok, headers: headers, body: try FileParts(file, 0..<size).body)
    case .part(let range):
      headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
      return HTTPResponse(statusCode: .partialContent, headers: headers, body: try FileParts(file, range).body)
    case .beyondEnd:
      headers = [.contentRange: "bytes */\(size)"]
      return HTTPResponse(statusCode: .rangeNotSatisfiable, headers: headers)
    }
  }

  /// What stands for a video, which has no thumbnail: a film, on grey.
  static var film: HTTPResponse {
    let image = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#5a6472" d="M0 0h32v32H0z"/>\
      <path fill="#c3cad4" d="M8 9h16v14H8zM5 9h2v2H5zm0 4h2v2H5zm0 4h2v2H5zm0 4h2v2H5zM25 9h2v2h-2zm0 4h2v2h-2z\
      m0 4h2v2h-2zm0 4h2v2h-2z"/></svg>
      """
    return HTTPResponse(statusCode: .ok, headers: [.contentType: "image/svg+xml"], body: Data(image.utf8))
  }

  /// The variant that a browser shows in place of a photo's file; nil if it shows the file.
  func shownVariant(of photo: Photo) -> String? { photo.file.mime == "image/heic" ? "screen" : nil }

  /// The type that a browser is told. Others may have added the photo, so only types that run nothing are told.
  func contentType(of photo: Photo, variant: String?) -> String {
    let known = ["image/jpeg", "image/png", "image/webp", "video/mp4", "video/quicktime"]
    return variant == nil && known.contains(photo.file.mime) ? photo.file.mime : "image/jpeg"
  }
}

/// A part of a file as the body of a response, read piece by piece, because a video may be larger than the memory.
struct FileParts: AsyncBufferedSequence {
  typealias Element = UInt8
  private let file: LocalFile
  private let range: Range<Int64>

  /// Throws if the file cannot be read, which should not happen in the middle of a response.
  init(_ file: LocalFile, _ range: Range<Int64>) throws {
    _ = try file.bytes(in: 0..<1)
    (self.file, self.range) = (file, range)
  }

  var body: HTTPBodySequence { HTTPBodySequence(from: self, count: range.count) }

  func makeAsyncIterator() -> Iterator { Iterator(file: file, rest: range) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let file: LocalFile
    fileprivate var rest: Range<Int64>

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      let part = try file.bytes(in: rest.prefix(1 << 18))
      rest = rest.dropFirst(part.count)
      return part.isEmpty ? nil : part
    }

    /// Never called, because bodies are read by buffers.
    mutating func next() async throws -> UInt8? { preconditionFailure("files are read by buffers") }
  }
}
