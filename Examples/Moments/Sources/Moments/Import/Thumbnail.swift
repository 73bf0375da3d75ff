// Smaller JPEGs of a picture. Each device makes them from its copy of the file.
import ModelRuntime

enum Thumbnail {
  /// For the grid: the shorter side has 320 pixels, up to 639 where a JPEG is shrunk while it is decoded.
  static let make = variant(side: 320)
  /// For the whole page, of a picture that browsers do not show.
  static let screen = variant(side: 1_440)

  /// A panorama's longer side has at most so many pixels.
  private static let longestSide = 4_096

  private static func variant(side: Int) -> FileVariant {
    { original in
      let start = try original.bytes(in: 0..<Int64(FileKind.startCount))
      guard FileKind.isPicture(start) else { throw ImportError("Only a picture has a thumbnail.") }
      guard original.size <= ImageHeader.maximumBytes else { throw ImportError("The picture has more than 256 MB.") }
      return try jpeg(of: original.bytes(), side: side)
    }
  }

  /// An upright JPEG in sRGB whose shorter side has at least `side` pixels, if the picture has them.
  static func jpeg(of picture: [UInt8], side: Int) throws -> [UInt8] {
    try picture.withUnsafeBytes { bytes in
      let full = try VipsPicture(bytes)
      let (short, long) = (min(full.width, full.height), max(full.width, full.height))
      let smaller =
        if bytes.starts(with: [0xFF, 0xD8]) {
          // It is not resized any further, because that would cost more than all the rest.
          try VipsPicture(jpeg: bytes, shrink: shrink(short, long, side))
        } else {
          try VipsPicture(smaller: bytes, longerSide: min(max(long * side / short, side), longestSide))
        }
      return try smaller.upright().inSRGB().jpeg(quality: 82)
    }
  }

  /// libvips ends the program where a side of a picture would be shrunk to nothing.
  private static func shrink(_ short: Int, _ long: Int, _ side: Int) -> Int {
    [8, 4, 2].first { $0 <= short && (short / $0 >= side || long * 2 / $0 > longestSide) } ?? 1
  }
}
