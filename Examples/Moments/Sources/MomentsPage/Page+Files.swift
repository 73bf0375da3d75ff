// The files of photos as bodies of responses: of which type they are, and their bytes.
import FlyingFox
import FlyingSocks
import ModelRuntime
import Moments

extension Page {
  /// The type that a browser is told. Others may have added the photo, so only types that run nothing are told.
  func contentType(of photo: Photo, variant: String?) -> String {
    let known = ["image/jpeg", "video/mp4", "video/quicktime"]
    return variant == nil && known.contains(photo.file.mime) ? photo.file.mime : "image/jpeg"
  }
}

/// A file as the body of a response, read in parts, because a video may be larger than the memory.
struct FileParts: AsyncBufferedSequence {
  typealias Element = UInt8
  private let file: LocalFile

  /// Throws if the file cannot be read, which should not happen in the middle of a response.
  init(_ file: LocalFile) throws {
    _ = try file.bytes(in: 0..<1)
    self.file = file
  }

  var body: HTTPBodySequence { HTTPBodySequence(from: self, count: Int(file.size)) }

  func makeAsyncIterator() -> Iterator { Iterator(file: file) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    fileprivate let file: LocalFile
    private var position: Int64 = 0

    fileprivate init(file: LocalFile) { self.file = file }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      let part = try file.bytes(in: position..<position + 1 << 18)
      position += Int64(part.count)
      return part.isEmpty ? nil : part
    }

    /// Never called, because bodies are read by buffers.
    mutating func next() async throws -> UInt8? { preconditionFailure("files are read by buffers") }
  }
}
