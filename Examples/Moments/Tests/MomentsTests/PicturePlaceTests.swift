// Tests of the place that GPS gave a picture, with references and numbers as cameras and programs write them.
import SamplePictures
import Testing

@testable import Moments

@Suite struct PicturePlaceTests {
  @Test(
    arguments: [
      ("N", "E", true), ("n", "e", true), ("s", "w", false), ("S", "W", false), ("South", "West", false),
      ("south latitude", "WEST", false), ("North", "east", true), (nil, nil, true),
    ] as [(String?, String?, Bool)])
  func referenceGivesSign(north: String?, east: String?, isPositive: Bool) throws {
    let exif = try ImageHeader(picture(north, east, .rationals([(22, 1), (30, 1), (0, 1)]))).exif
    #expect(exif.latitude == (isPositive ? 22.5 : -22.5) && exif.longitude == (isPositive ? 22.5 : -22.5))
  }

  @Test(
    arguments: [
      ("one number", .rationals([(2_250, 100)]), 22.5), ("two numbers", .rationals([(22, 1), (3_000, 100)]), 22.5),
      ("signed, negative", .signedRationals([(-22, 1), (30, 1), (0, 1)]), -22.5),
      ("signed, positive", .signedRationals([(22, 1), (30, 1), (0, 1)]), 22.5),
      ("divided by zero", .rationals([(22, 0), (30, 1), (0, 1)]), nil),
      ("zeros by zeros", .rationals([(0, 0), (0, 0), (0, 0)]), nil),
      ("more than a quarter", .rationals([(91, 1), (0, 1), (0, 1)]), nil),
      ("a text", .text("22 30 0 22 30 0 22 30 0"), nil),
      ("four numbers", .rationals([(22, 1), (30, 1), (0, 1), (0, 1)]), nil),
    ] as [(String, ExifField.Value, Double?)])
  func readsNumbers(_ name: String, value: ExifField.Value, degrees: Double?) throws {
    let exif = try ImageHeader(picture(nil, nil, value)).exif
    #expect(exif.latitude == degrees && exif.longitude == degrees)
  }

  @Test func referenceAndSignDoNotCancelOut() throws {
    let exif = try ImageHeader(picture("S", "W", .signedRationals([(-22, 1), (-30, 1), (0, 1)]))).exif
    #expect(exif.latitude == -22.5 && exif.longitude == -22.5)
  }

  private func picture(_ north: String?, _ east: String?, _ value: ExifField.Value) throws -> [UInt8] {
    let references = [(1, north), (3, east)].compactMap { tag, text in text.map { ExifField(.gps, tag, .text($0)) } }
    let fields = references + [ExifField(.gps, 2, value), ExifField(.gps, 4, value)]
    return ExifBlock(more: fields).inserted(into: try jpeg(shade: 90))
  }
}
