// The dates and the place that a camera wrote into a picture, read by libexif.
import CExif
import Foundation

/// A date or coordinate is nil if the picture has none, or none that can be parsed.
public struct ExifData: Equatable, Sendable {
  /// The first of: the date of taking, the date of digitising, and GPS date and time.
  public var takenAt: LocalTime?
  /// When the picture was last changed: by its camera, or by a program years later.
  public var modifiedAt: LocalTime?
  public var latitude: Double?
  public var longitude: Double?
}

extension ExifData {
  private static let name = Array("Exif\0\0".utf8)

  /// `block` is a TIFF, behind its name as in a JPEG, or without as in a WebP. GPS gives a moment, which becomes the
  /// time that clocks in `timeZone` showed.
  init(block: [UInt8], timeZone: TimeZone = .current) {
    self.init()
    let bytes = block.starts(with: Self.name) ? block : Self.name + block
    guard let data = exif_data_new() else { return }
    defer { exif_data_unref(data) }
    // Otherwise libexif changes the types of values, removes tags and adds others.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    exif_data_unset_option(data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
    exif_data_load_data(data, bytes, UInt32(bytes.count))
    let order = exif_data_get_byte_order(data)
    let (main, _, exif, gps, _) = data.pointee.ifd
    let (mainTags, exifTags) = (ExifTags(content: main, order: order), ExifTags(content: exif, order: order))
    let gpsTags = ExifTags(content: gps, order: order)
    takenAt =
      exifTags.date(EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_TAG_OFFSET_TIME_ORIGINAL, EXIF_TAG_SUB_SEC_TIME_ORIGINAL)
      ?? exifTags.date(EXIF_TAG_DATE_TIME_DIGITIZED, EXIF_TAG_OFFSET_TIME_DIGITIZED, EXIF_TAG_SUB_SEC_TIME_DIGITIZED)
      ?? gpsTags.gpsDate.map { LocalTime($0, in: timeZone) }
    modifiedAt = mainTags.text(EXIF_TAG_DATE_TIME).flatMap {
      LocalTime(
        text: $0, offset: exifTags.text(EXIF_TAG_OFFSET_TIME), fraction: exifTags.text(EXIF_TAG_SUB_SEC_TIME))
    }
    (latitude, longitude) = gpsTags.gpsPlace ?? (nil, nil)
  }
}

/// The tags of one directory. Their formats and sizes come from the file, so each read checks them.
struct ExifTags {
  let content: UnsafeMutablePointer<ExifContent>?
  let order: ExifByteOrder

  func text(_ tag: ExifTag) -> String? {
    guard let entry = entry(tag), entry.format == EXIF_FORMAT_ASCII else { return nil }
    let bytes = UnsafeBufferPointer(start: entry.data, count: Int(entry.size)).prefix { $0 != 0 }
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    return text.isEmpty ? nil : text
  }

  /// One to three numbers, signed or not. Nil if there are more, or if one of them is divided by zero.
  func rationals(_ tag: ExifTag) -> [Double]? {
    guard let entry = entry(tag), [8, 16, 24].contains(entry.size) else { return nil }
    let numbers = stride(from: 0, to: Int(entry.size), by: 8).map { position -> Double in
      switch entry.format {
      case EXIF_FORMAT_RATIONAL:
        let value = exif_get_rational(entry.data + position, order)
        return Double(value.numerator) / Double(value.denominator)
      case EXIF_FORMAT_SRATIONAL:
        let value = exif_get_srational(entry.data + position, order)
        return Double(value.numerator) / Double(value.denominator)
      default: return .nan
      }
    }
    return numbers.allSatisfy(\.isFinite) ? numbers : nil
  }

  func date(_ tag: ExifTag, _ offset: ExifTag, _ fraction: ExifTag) -> LocalTime? {
    text(tag).flatMap { LocalTime(text: $0, offset: text(offset), fraction: text(fraction)) }
  }

  private func entry(_ tag: ExifTag) -> ExifEntry? {
    guard let content, let entry = exif_content_get_entry(content, tag), entry.pointee.data != nil else {
      return nil
    }
    return entry.pointee
  }
}
