// The place and the moment that GPS gave a picture.
import CExif
import Foundation

extension ExifTags {
  /// Degrees north and east.
  var gpsPlace: (latitude: Double?, longitude: Double?)? {
    guard let north = degrees(value: 2, reference: 1, negative: "S"),
      let east = degrees(value: 4, reference: 3, negative: "W"),
      // Cameras write zeros while they have no position.
      abs(north) <= 90, abs(east) <= 180, (north, east) != (0, 0)
    else { return nil }
    return (north, east)
  }

  /// The moment of the position, from a date and the time of day in UTC.
  var gpsDate: Date? {
    guard let day = text(ExifTag(0x1D)), let clock = rationals(ExifTag(7)), clock.count == 3,
      clock.allSatisfy({ (0...60).contains($0) }),
      let midnight = LocalTime(text: "\(day.prefix(10)) 00:00", offset: "Z")
    else { return nil }
    let seconds = (clock[0] * 60 + clock[1]) * 60 + clock[2]
    guard seconds <= 86_400 else { return nil }
    return Date(timeIntervalSince1970: Double(midnight.time.millisecondsSince1970) / 1_000 + seconds)
  }

  /// The reference is a letter or a word. Without one the value's own sign counts.
  private func degrees(value: UInt32, reference: UInt32, negative: Character) -> Double? {
    guard let parts = rationals(ExifTag(value)) else { return nil }
    let degrees = zip(parts, [1, 60, 3_600]).reduce(0) { $0 + abs($1.0) / $1.1 }
    let isNegative = parts.contains { $0 < 0 } || text(ExifTag(reference))?.uppercased().first == negative
    return isNegative ? -degrees : degrees
  }
}
