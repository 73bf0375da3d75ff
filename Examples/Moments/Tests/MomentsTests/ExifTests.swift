// Tests of `ExifData`, with pictures as cameras write them, and with damaged ones.
import Foundation
import ModelRuntime
import SamplePictures
import Testing

@testable import Moments

@Suite struct ExifTests {
  private let utc = TimeZone(secondsFromGMT: 0) ?? .current

  private func read(_ block: ExifBlock) throws -> ExifData {
    try ImageHeader(block.inserted(into: jpeg(shade: 90)), timeZone: utc).exif
  }

  @Test(
    arguments: [(nil, nil), ("+02:00", 120), ("-09:30", -570), ("Z", 0), ("+99:99", nil)] as [(String?, Int32?)])
  func readsDateWithItsOffset(offset: String?, minutes: Int32?) throws {
    let exif = try read(ExifBlock(takenAt: "2026:05:17 18:03:19", offset: offset))
    let clock = Timestamp(millisecondsSince1970: 1_779_040_999_000)
    #expect(exif.takenAt == LocalTime(time: clock, utcOffsetMinutes: minutes))
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:40 18:03:59", "2026:13:01 18:03:59", "2026:02:30 18:03:59",
    "2025:02:29 18:03:59", "2026:05:17 24:03:59", "2026:05:17 18:60:59", "1799:05:17 18:03:59", "yesterday",
    "2026:05:17", "2026:05:17 18:03:59999999999999999999999", "\u{E9}\u{301}2026:05:17 18:03:59",
  ])
  func ignoresInvalidDate(text: String) throws {
    #expect(try read(ExifBlock(takenAt: text)).takenAt == nil)
  }

  @Test(arguments: [(43.4645, 11.8815), (-33.8568, 151.2153), (64.1466, -21.9426)])
  func readsPlaceInDegrees(latitude: Double, longitude: Double) throws {
    let exif = try read(ExifBlock(place: (latitude, longitude)))
    #expect(abs(try #require(exif.latitude) - latitude) < 0.00001)
    #expect(abs(try #require(exif.longitude) - longitude) < 0.00001)
  }

  @Test func ignoresPlaceAtZero() throws {
    #expect(try read(ExifBlock(place: (0, 0))).latitude == nil)
  }

  @Test(arguments: [(6, 6), (0, 1), (9, 1), (nil, 1)] as [(UInt16?, Int)])
  func readsInvalidOrientationAsUpright(written: UInt16?, read: Int) throws {
    let picture = ExifBlock(orientation: written).inserted(into: try jpeg(shade: 90))
    #expect(try ImageHeader(picture).orientation == read)
  }

  @Test func pictureWithoutExifHasNoData() throws {
    #expect(try ImageHeader(jpeg(shade: 90)).exif == ExifData())
  }

  @Test func damagedExifNeverTrapsOrGivesInvalidValues() throws {
    let whole = ExifBlock(
      takenAt: "2026:05:17 18:03:59", offset: "+02:00", orientation: 6, place: (43.4645, 11.8815)
    ).inserted(into: try jpeg(shade: 90))
    for end in 0..<whole.count { _ = try? ImageHeader(Array(whole[..<end])) }
    for seed in 0..<2_000 as Range<UInt64> {
      var generator = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
      var damaged = whole
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        damaged[Int.random(in: 2..<300, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      guard let header = try? ImageHeader(damaged) else { continue }
      let exif = header.exif
      #expect((1...8).contains(header.orientation), "seed \(seed)")
      #expect(abs(exif.latitude ?? 0) <= 90 && abs(exif.longitude ?? 0) <= 180, "seed \(seed)")
    }
  }
}

struct Xorshift: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
