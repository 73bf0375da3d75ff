// Tests of the date that a picture gets, one case for each kind of picture that cameras and programs write.
import Foundation
import ModelRuntime
import SamplePictures
import Testing

@testable import Moments

struct DateCase: CustomTestStringConvertible {
  let testDescription: String
  var fields: [ExifField]
  var fileName: String
  /// As `shown(_:)` writes it.
  var expected: String

  init(_ kind: String, _ fields: [ExifField], fileName: String = "a.jpg", _ expected: String) {
    (testDescription, self.fields, self.fileName, self.expected) = (kind, fields, fileName, expected)
  }
}

@Suite struct PictureDateTests {
  /// 2026-11-01 12:00 UTC.
  private static let changed = Date(timeIntervalSince1970: 1_793_534_400)
  private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func shown(_ header: PictureHeader) -> String {
    let milliseconds = Int(header.takenAt.time.millisecondsSince1970)
    let second = Date(timeIntervalSince1970: Double(milliseconds / 1_000)).ISO8601Format().dropLast()
    let clock = "\(second).\(String(1_000 + milliseconds % 1_000).dropFirst())"
    let offset = header.takenAt.utcOffsetMinutes.map { " \($0)" } ?? ""
    return "\(clock.replacing("T", with: " "))\(offset)\(header.dateIsGuess ? " guess" : "")"
  }

  private func header(_ bytes: [UInt8], fileName: String = "a.jpg") throws -> PictureHeader {
    let picture = SourcePicture(
      name: "/2001-01-01 trip/\(fileName)", mime: "image/jpeg", modifiedAt: Self.changed,
      read: { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }, file: .bytes(bytes))
    return try PictureHeader(picture, timeZone: berlin)
  }

  private static let order: [DateCase] = [
    DateCase(
      "DateTimeOriginal is first",
      [original("2003:08:09 10:11:12"), digitized("2004:01:01 00:00:00"), changed("2021:02:03 04:05:06")] + gps,
      "2003-08-09 10:11:12.000"),
    DateCase(
      "CreateDate follows a date of zeros", [original("0000:00:00 00:00:00"), digitized("2004:05:06 07:08:09")],
      "2004-05-06 07:08:09.000"),
    DateCase(
      "CreateDate is before ModifyDate", [digitized("2003:08:09 10:11:12"), changed("2021:02:03 04:05:06")],
      "2003-08-09 10:11:12.000"),
    DateCase("CreateDate is before GPS", [digitized("2003:08:09 10:11:12")] + gps, "2003-08-09 10:11:12.000"),
    DateCase("GPS is before the name", gps, fileName: "IMG_20260517_180359.jpg", "2020-06-07 10:09:10.500 120"),
    DateCase(
      "GPS date without a time is no date", [ExifField(.gps, 0x1D, .text("2020:06:07"))],
      "2026-11-01 13:00:00.000 60 guess"),
    DateCase(
      "an impossible GPS time is no date", gps(clock: [(25, 1), (0, 1), (0, 1)]), "2026-11-01 13:00:00.000 60 guess"),
    DateCase(
      "the name is before ModifyDate", [changed("2021:02:03 04:05:06")], fileName: "IMG_20260517_180359.jpg",
      "2026-05-17 18:03:59.000"),
    DateCase(
      "ModifyDate is a guess, with its own offset and fraction",
      [
        changed("2021:02:03 04:05:06"), ExifField(.exif, 0x9010, .text("-05:00")), ExifField(.exif, 0x9290, .text("7")),
      ],
      "2021-02-03 04:05:06.700 -300 guess"),
    DateCase("the file's time is a guess", [], "2026-11-01 13:00:00.000 60 guess"),
    DateCase(
      "dates of zeros and spaces are none", [original("    :  :     :  :  "), digitized("0000:00:00 00:00:00")],
      "2026-11-01 13:00:00.000 60 guess"),
  ]

  private static let texts: [DateCase] = [
    ("2004-09-04T23:39:06-08:00", "2004-09-04 23:39:06.000 -480"),
    ("2025:01:14 18:31:30+0000", "2025-01-14 18:31:30.000 0"),
    ("2025:01:14 18:31:30+02:00", "2025-01-14 18:31:30.000 120"), ("2025-01-14 18:31:30", "2025-01-14 18:31:30.000"),
    ("2025-01-14T18:31:30.25Z", "2025-01-14 18:31:30.250 0"),
    ("2025/01/14 18:31:30.1234567+0530", "2025-01-14 18:31:30.123 330"),
    ("2025:01:14 18:31:30 +02", "2025-01-14 18:31:30.000 120"), ("2025:01:14 18:31", "2025-01-14 18:31:00.000"),
    ("2025: 1: 4  8:03:09", "2025-01-04 08:03:09.000"), ("2025:01:14 23:59:60", "2025-01-15 00:00:00.000"),
    ("2024:02:29 18:31:30\n", "2024-02-29 18:31:30.000"),
  ].map { DateCase("text \($0.0)", [original($0.0)], $0.1) }

  private static let offsets: [DateCase] = [
    DateCase(
      "each date has its own offset",
      [
        original("2025:01:14 18:31:30"), ExifField(.exif, 0x9010, .text("+01:00")),
        ExifField(.exif, 0x9011, .text("+0900")), ExifField(.exif, 0x9012, .text("+03:00")),
      ],
      "2025-01-14 18:31:30.000 540"),
    DateCase(
      "OffsetTime is not for DateTimeOriginal",
      [original("2025:01:14 18:31:30"), ExifField(.exif, 0x9010, .text("+01:00"))],
      "2025-01-14 18:31:30.000"),
    DateCase(
      "OffsetTimeDigitized is for CreateDate",
      [
        digitized("2025:01:14 18:31:30"), ExifField(.exif, 0x9011, .text("+01:00")),
        ExifField(.exif, 0x9012, .text("-03:30")),
      ],
      "2025-01-14 18:31:30.000 -210"),
    DateCase(
      "an offset in the text counts more",
      [original("2025:01:14 18:31:30Z"), ExifField(.exif, 0x9011, .text("+01:00"))],
      "2025-01-14 18:31:30.000 0"),
    DateCase(
      "an offset of spaces is none", [original("2025:01:14 18:31:30"), ExifField(.exif, 0x9011, .text("   :  "))],
      "2025-01-14 18:31:30.000"),
    DateCase(
      "each date has its own fraction",
      [
        digitized("2025:01:14 18:31:30"), ExifField(.exif, 0x9291, .text("11")),
        ExifField(.exif, 0x9292, .text("045   ")),
      ],
      "2025-01-14 18:31:30.045"),
  ]

  private static let names: [DateCase] = [
    ("IMG_20260517_180359.jpg", "2026-05-17 18:03:59.000"), ("20260517_180359.jpg", "2026-05-17 18:03:59.000"),
    ("PXL_20260517_180359123.jpg", "2026-05-17 18:03:59.123"), ("20260517180359.jpg", "2026-05-17 18:03:59.000"),
    ("IMG-20260517-WA0001.jpg", "2026-05-17 12:00:00.000"), ("2026-05-17 18.03.59.jpg", "2026-05-17 18:03:59.000"),
    ("WhatsApp Image 2026-05-17 at 18.03.59.jpeg", "2026-05-17 18:03:59.000"),
    ("Screenshot_2026-05-17-18-03-59-42_ab12.jpg", "2026-05-17 18:03:59.000"),
    ("signal-2026-05-17-180359.jpg", "2026-05-17 18:03:59.000"), ("2026-05-17T18:03:59.jpg", "2026-05-17 18:03:59.000"),
    ("2026-05-17.jpg", "2026-05-17 12:00:00.000"), ("20260517_990000.jpg", "2026-05-17 12:00:00.000"),
    ("IMG_20261301_180359.jpg", "2026-11-01 13:00:00.000 60 guess"),
    ("20260230.jpg", "2026-11-01 13:00:00.000 60 guess"),
    ("DSC_0042.jpg", "2026-11-01 13:00:00.000 60 guess"), ("120260517180359.jpg", "2026-11-01 13:00:00.000 60 guess"),
    ("20269999 2026-05-17.jpg", "2026-05-17 12:00:00.000"),
  ].map { DateCase("name \($0.0)", [], fileName: $0.0, $0.1) }

  @Test(arguments: order + texts + offsets + names) func pictureGetsDate(_ kind: DateCase) throws {
    let bytes = ExifBlock(more: kind.fields).inserted(into: try jpeg(shade: 90))
    #expect(shown(try header(bytes, fileName: kind.fileName)) == kind.expected)
  }

  @Test(
    arguments: [
      ("a comment", [0xFF, 0xFE, 0, 6, 0x68, 0x69, 0x21, 0x21]),
      ("another APP1", [0xFF, 0xE1, 0, 6, 0x68, 0x74, 0x74, 0x70]),
      ("tables", [0xFF, 0xDB, 0, 67, 3] + [UInt8](repeating: 9, count: 64)), ("fill bytes", [0xFF, 0xFF, 0xFF]),
    ] as [(String, [UInt8])])
  func findsExifBehindSegment(_ name: String, segment: [UInt8]) throws {
    let picture = try jpeg(shade: 90)
    let block = ExifBlock(takenAt: "2026:05:17 18:03:59", orientation: 6, place: (43.5, 11.5)).segment
    let whole = picture.prefix(2) + segment + block + picture.dropFirst(2)
    let header = try ImageHeader(Array(whole))
    #expect(header.exif.takenAt != nil && header.orientation == 6 && header.exif.latitude == 43.5)
  }

  @Test func findsExifAndSizeBehind256Kilobytes() throws {
    let picture = try jpeg(shade: 90)
    let profile: [UInt8] = [0xFF, 0xE2, 0xFF, 0xFF] + [UInt8](repeating: 7, count: 65_533)
    let block = ExifBlock(takenAt: "2026:05:17 18:03:59", orientation: 6).segment
    let before = [[UInt8]](repeating: profile, count: 5).flatMap(\.self)
    let header = try header(picture.prefix(2) + before + block + picture.dropFirst(2))
    #expect(shown(header) == "2026-05-17 18:03:59.000" && header.width == 24 && header.height == 32)
  }

  private static func original(_ text: String) -> ExifField { ExifField(.exif, 0x9003, .text(text)) }
  private static func digitized(_ text: String) -> ExifField { ExifField(.exif, 0x9004, .text(text)) }
  private static func changed(_ text: String) -> ExifField { ExifField(.main, 0x0132, .text(text)) }

  private static func gps(clock: [(UInt32, UInt32)]) -> [ExifField] {
    [ExifField(.gps, 7, .rationals(clock)), ExifField(.gps, 0x1D, .text("2020:06:07"))]
  }
  private static var gps: [ExifField] { gps(clock: [(8, 1), (9, 1), (1_050, 100)]) }
}
