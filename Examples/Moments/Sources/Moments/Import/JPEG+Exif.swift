// Finds EXIF in a JPEG. libexif itself looks no further than the first segment that is not APPn, nor behind another APP1.

extension JPEG {
  /// More segments than any picture has. With at most 64 KB each, the search ends after 256 MB.
  private static let maximumSegments = 4_096

  /// The content of the first segment with EXIF: `Exif`, two zeros and a TIFF. Nil if there is none before the pixels.
  static func exif(in file: ByteReader) throws -> [UInt8]? {
    guard try file.bytes(at: 0, 2) == [0xFF, 0xD8] else { return nil }
    var offset = 2
    for _ in 0..<maximumSegments {
      let start = try file.bytes(at: offset, 4)
      guard start.count == 4, start[0] == 0xFF, let length = start.bigEndian(at: 2, 2) else { return nil }
      switch start[1] {
      case 0xFF: offset += 1  // A marker may have any number of these before it.
      case 0x01, 0xD0...0xD8: offset += 2  // Markers without content.
      case 0xD9, 0xDA: return nil  // The end, and the pixels.
      case _ where length < 2: return nil
      case let marker:
        let content = marker == 0xE1 ? try file.bytes(at: offset + 4, Int(length) - 2) : []
        if content.starts(with: Array("Exif\0\0".utf8)) { return content }
        offset += 2 + Int(length)
      }
    }
    return nil
  }
}
