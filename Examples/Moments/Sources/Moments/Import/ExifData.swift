// The date, place and orientation that a camera wrote into a picture, read by libexif.
import CExif
import Foundation

/// A date or coordinate is nil if the picture has none, or none that can be parsed.
public struct ExifData: Equatable, Sendable {
  public var takenAt: Date?
  public var latitude: Double?
  public var longitude: Double?
  /// 1 to 8, as EXIF counts them; 1 is upright.
  public var orientation = 1

  /// `bytes` are the beginning of a JPEG. A time without an offset counts as local time in `timeZone`.
  public init(_ bytes: [UInt8], timeZone: TimeZone = .current) {
    guard let data = exif_data_new_from_data(bytes, UInt32(bytes.count)) else { return }
    defer { exif_data_unref(data) }
    let order = exif_data_get_byte_order(data)
    let (main, _, exif, gps, _) = data.pointee.ifd
    if let entry = entry(EXIF_TAG_ORIENTATION, in: main), entry.isShort(1) {
      let value = Int(exif_get_short(entry.data, order))
      if (1...8).contains(value) { orientation = value }
    }
    takenAt = Self.date(
      text(EXIF_TAG_DATE_TIME_ORIGINAL, in: exif) ?? text(EXIF_TAG_DATE_TIME, in: main),
      offset: text(EXIF_TAG_OFFSET_TIME_ORIGINAL, in: exif) ?? text(EXIF_TAG_OFFSET_TIME, in: exif), timeZone)
    let north = degrees(value: 2, reference: 1, negative: "S", in: gps, order)
    let east = degrees(value: 4, reference: 3, negative: "W", in: gps, order)
    // Cameras write zeros while they have no position.
    if let north, let east, abs(north) <= 90, abs(east) <= 180, (north, east) != (0, 0) {
      (latitude, longitude) = (north, east)
    }
  }
}

// Dates.
extension ExifData {
  /// Parses a date like `2026:05:17 18:03:59` and an offset like `+02:00`. Nil if the text is no date.
  static func date(_ text: String?, offset: String?, _ timeZone: TimeZone) -> Date? {
    let numbers = (text ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 6, numbers[0] > 1800, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
      (0...23).contains(numbers[3]), (0...59).contains(numbers[4]), (0...60).contains(numbers[5])
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = offset.flatMap(zone) ?? timeZone
    return calendar.date(
      from: DateComponents(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4], second: numbers[5]))
  }

  private static func zone(_ offset: String) -> TimeZone? {
    let numbers = offset.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] < 24, numbers[1] < 60 else { return nil }
    return TimeZone(secondsFromGMT: (offset.hasPrefix("-") ? -1 : 1) * (numbers[0] * 3_600 + numbers[1] * 60))
  }
}

// Entries. Their formats and sizes come from the file, so each read checks them.
private func entry(_ tag: ExifTag, in content: UnsafeMutablePointer<ExifContent>?) -> ExifEntry? {
  guard let content, let entry = exif_content_get_entry(content, tag), entry.pointee.data != nil else { return nil }
  return entry.pointee
}

private func text(_ tag: ExifTag, in content: UnsafeMutablePointer<ExifContent>?) -> String? {
  guard let entry = entry(tag, in: content), entry.format == EXIF_FORMAT_ASCII else { return nil }
  let bytes = UnsafeBufferPointer(start: entry.data, count: Int(entry.size)).prefix { $0 != 0 }
  let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
  return text.isEmpty ? nil : text
}

private func degrees(
  value: UInt32, reference: UInt32, negative: String, in content: UnsafeMutablePointer<ExifContent>?,
  _ order: ExifByteOrder
) -> Double? {
  guard let entry = entry(ExifTag(value), in: content), entry.isRational(3),
    let side = text(ExifTag(reference), in: content)
  else { return nil }
  let parts = (0..<3).map { part in
    let rational = exif_get_rational(entry.data + part * 8, order)
    return rational.denominator == 0 ? .nan : Double(rational.numerator) / Double(rational.denominator)
  }
  let degrees = parts[0] + parts[1] / 60 + parts[2] / 3_600
  return degrees.isFinite ? (side == negative ? -degrees : degrees) : nil
}

extension ExifEntry {
  fileprivate func isShort(_ count: Int) -> Bool { format == EXIF_FORMAT_SHORT && size >= UInt32(count * 2) }
  fileprivate func isRational(_ count: Int) -> Bool { format == EXIF_FORMAT_RATIONAL && size >= UInt32(count * 8) }
}
