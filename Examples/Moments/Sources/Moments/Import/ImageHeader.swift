// What a JPEG, PNG, WebP or HEIC says about itself.
import Foundation

struct ImageHeader {
  /// As the picture is seen, upright.
  let width: Int
  let height: Int
  /// 1 to 8, as EXIF counts them; 1 is upright.
  let orientation: Int
  let exif: ExifData

  /// Bounds the memory of a picture's bytes; videos may be larger.
  static let maximumBytes = 1 << 28

  /// `bytes` may end after the header where that has everything, as in a JPEG.
  init(_ bytes: [UInt8], timeZone: TimeZone = .current) throws {
    self = try bytes.withUnsafeBytes { bytes in try Self(VipsPicture(bytes), timeZone) }
  }

  /// Throws if the file cannot be read, or is damaged.
  init(_ file: ByteReader, timeZone: TimeZone = .current) throws {
    let head = try file.bytes(at: 0, ByteReader.headCount)
    // In a JPEG all this comes before the pixels, in the other kinds it may be at the end.
    if head.starts(with: [0xFF, 0xD8]), let header = try? Self(head, timeZone: timeZone) {
      self = header
    } else {
      self = try Self(file.bytes(at: 0, Self.maximumBytes), timeZone: timeZone)
    }
  }

  private init(_ picture: VipsPicture, _ timeZone: TimeZone) {
    orientation = picture.orientation
    (width, height) = orientation > 4 ? (picture.height, picture.width) : (picture.width, picture.height)
    exif = picture.exif.map { ExifData(block: $0, timeZone: timeZone) } ?? ExifData()
  }
}
