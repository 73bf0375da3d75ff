// The small size of a picture. Each device makes it from its copy of the file.
import ModelRuntime

enum Thumbnail {
  /// A JPEG whose shorter side has about 320 pixels, upright.
  static let make: FileVariant = { original in
    // A video may be larger than the memory.
    guard try original.bytes(in: 0..<2) == [0xFF, 0xD8] else { throw ImportError("Only a JPEG has a thumbnail.") }
    let bytes = try original.bytes()
    let pixels = try JPEG.decode(bytes, side: 320)
    return try JPEG.encode(pixels.upright(from: ExifData(bytes).orientation))
  }
}

extension Pixels {
  /// Turns pixels that are stored with an EXIF orientation, 1 to 8, so that they are upright.
  func upright(from orientation: Int) -> Pixels {
    guard orientation > 1 else { return self }
    let turned = orientation > 4
    let (newWidth, newHeight) = turned ? (height, width) : (width, height)
    var result = [UInt8](repeating: 0, count: bytes.count)
    for y in 0..<newHeight {
      for x in 0..<newWidth {
        let (column, row): (Int, Int) =
          switch orientation {
          case 2: (width - 1 - x, y)
          case 3: (width - 1 - x, height - 1 - y)
          case 4: (x, height - 1 - y)
          case 5: (y, x)
          case 6: (y, height - 1 - x)
          case 7: (width - 1 - y, height - 1 - x)
          default: (width - 1 - y, x)
          }
        let (from, to) = ((row * width + column) * 3, (y * newWidth + x) * 3)
        for channel in 0..<3 { result[to + channel] = bytes[from + channel] }
      }
    }
    return Pixels(width: newWidth, height: newHeight, bytes: result)
  }
}
