// Pixels as a JPEG.

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
  /// `quality` is 1 to 100.
  public static func encode(_ pixels: Pixels, quality: Int = 82) throws -> [UInt8] {
    try pixels.bytes.withUnsafeBytes { bytes in
      try VipsPicture(pixels: bytes, width: pixels.width, height: pixels.height).jpeg(quality: quality)
    }
  }
}
