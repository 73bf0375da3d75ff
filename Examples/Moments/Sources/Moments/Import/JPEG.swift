// Pixels to JPEG and back, by libjpeg-turbo.
import CTurboJPEG

/// Rows of pixels, three bytes each: red, green, blue.
public struct Pixels: Sendable {
  public let width: Int
  public let height: Int
  public var bytes: [UInt8]

  public init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(bytes.count == width * height * 3)
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }
}

public enum JPEG {
  /// The stored size, before any orientation. `bytes` may end after the header.
  static func size(of bytes: [UInt8]) throws -> (width: Int, height: Int) {
    try withDecoder { decoder in try header(bytes, decoder) }
  }

  /// The size comes after everything that a camera adds, of which there are 64 MB at most.
  static func size(of file: ByteReader) throws -> (width: Int, height: Int) {
    try (try? size(of: file.bytes(at: 0, ByteReader.headCount))) ?? size(of: file.bytes(at: 0, 1 << 26))
  }

  /// Bounds the memory of a decoded picture, because a header may claim more pixels than the file has.
  static let maximumPixels = 200_000_000

  /// Decodes at the smallest number of eighths at which both sides have `side` pixels. Stops before a scale at which
  /// the longer side would have more than 4,096. Throws if the picture has more than `maximumPixels`.
  static func decode(_ bytes: [UInt8], side: Int) throws -> Pixels {
    try withDecoder { decoder in
      let full = try header(bytes, decoder)
      guard full.width * full.height <= maximumPixels else {
        throw ImportError("The picture has \(full.width) x \(full.height) pixels, more than 200 megapixels.")
      }
      let (short, long) = (min(full.width, full.height), max(full.width, full.height))
      let eighths = (1...8).first { scaled(short, $0) >= side || scaled(long, $0 + 1) > 4_096 } ?? 8
      let (width, height) = (scaled(full.width, eighths), scaled(full.height, eighths))
      var pixels = [UInt8](repeating: 0, count: width * height * 3)
      let failed = tjDecompress2(
        decoder, bytes, UInt(bytes.count), &pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), 0)
      // After a warning, such as for a truncated file, the decoded part is used.
      if failed != 0, tjGetErrorCode(decoder) == TJERR_FATAL.rawValue { throw error(of: decoder) }
      return Pixels(width: width, height: height, bytes: pixels)
    }
  }

  /// `quality` is 1 to 100.
  public static func encode(_ pixels: Pixels, quality: Int = 82) throws -> [UInt8] {
    guard let encoder = tjInitCompress() else { throw ImportError("libjpeg-turbo cannot start.") }
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { tjFree(bytes) }
    let failed = tjCompress2(
      encoder, pixels.bytes, Int32(pixels.width), 0, Int32(pixels.height), Int32(TJPF_RGB.rawValue), &bytes, &count,
      Int32(TJSAMP_420.rawValue), Int32(quality), 0)
    guard failed == 0, let bytes else { throw error(of: encoder) }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func withDecoder<Result>(_ body: (tjhandle) throws -> Result) throws -> Result {
    guard let decoder = tjInitDecompress() else { throw ImportError("libjpeg-turbo cannot start.") }
    defer { tjDestroy(decoder) }
    return try body(decoder)
  }

  private static func header(_ bytes: [UInt8], _ decoder: tjhandle) throws -> (width: Int, height: Int) {
    var (width, height, sampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let failed = tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &colours)
    guard failed == 0 || tjGetErrorCode(decoder) != TJERR_FATAL.rawValue, width > 0, height > 0 else {
      throw error(of: decoder)
    }
    return (Int(width), Int(height))
  }

  /// Rounds as libjpeg-turbo's TJSCALED does.
  private static func scaled(_ length: Int, _ eighths: Int) -> Int { (length * eighths + 7) / 8 }

  private static func error(of handle: tjhandle) -> ImportError {
    ImportError(tjGetErrorStr2(handle).map { String(cString: $0) } ?? "libjpeg-turbo does not say why.")
  }
}
