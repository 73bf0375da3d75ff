// Tests of the date and size of videos, made of boxes, and of damaged ones.
import Foundation
import ModelRuntime
import Testing

@testable import Moments

@Suite struct VideoTests {
  private let berlin = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func read(_ bytes: [UInt8]) throws -> VideoHeader { try VideoHeader(ByteReader(bytes), timeZone: berlin) }

  @Test(
    arguments: [
      // 2026-05-17 16:03:59 UTC, from 1904 and from 1970.
      (0, 3_861_878_639, 1_779_041_039), (1, 3_861_878_639, 1_779_041_039), (0, 1_779_033_839, 1_779_041_039),
      (0, 0, nil), (0, 1, nil), (1, .max, nil), (0, 2_082_844_800, nil),
    ] as [(UInt8, UInt64, Int64?)])
  func readsCreationTime(version: UInt8, written: UInt64, seconds: Int64?) throws {
    let header = try read(Video(version: version, createdAt: written).bytes)
    let expected = seconds.map {
      LocalTime(time: Timestamp(millisecondsSince1970: $0 * 1_000), utcOffsetMinutes: 120)
    }
    #expect(header.takenAt == expected)
  }

  @Test(arguments: [true, false]) func readsDateOfApple(isQuickTime: Bool) throws {
    let video = Video(createdAt: 3_861_878_639, appleDate: "2026-05-17T23:50:01+1000", isQuickTime: isQuickTime)
    let clock = Timestamp(millisecondsSince1970: 1_779_061_801_000)
    #expect(try read(video.bytes).takenAt == LocalTime(time: clock, utcOffsetMinutes: 600))
  }

  @Test(arguments: [UInt8(0), 1], [true, false]) func readsSizeAsSeen(version: UInt8, isTurned: Bool) throws {
    let header = try read(Video(version: version, isTurned: isTurned).bytes)
    #expect(isTurned ? (header.width, header.height) == (1080, 1920) : (header.width, header.height) == (1920, 1080))
  }

  @Test func videoWithoutItsMovieFails() {
    #expect(throws: ImportError.self) { try read(box("ftyp", Array("isom".utf8)) + box("mdat", [1, 2, 3])) }
  }

  @Test func readsMovieBehindLargeBoxes() throws {
    let data = [0, 0, 0, 1] + Array("mdat".utf8) + number(16 + 300_000, 8) + [UInt8](repeating: 7, count: 300_000)
    let bytes = data + Video(createdAt: 3_861_878_639).movie
    let picture = SourcePicture(
      name: "a.mov", mime: "video/quicktime", modifiedAt: .now,
      read: { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }, file: .bytes(bytes))
    let header = try PictureHeader(picture, timeZone: berlin)
    #expect(header.takenAt.time == Timestamp(millisecondsSince1970: 1_779_041_039_000) && !header.dateIsGuess)
  }

  @Test func damagedVideoNeverTraps() throws {
    let whole = Video(createdAt: 3_861_878_639, appleDate: "2026-05-17T23:50:01+1000").bytes
    for end in 0..<whole.count { _ = try? read(Array(whole[..<end])) }
    for seed in 0..<2_000 as Range<UInt64> {
      var generator = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
      var damaged = whole
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        damaged[Int.random(in: 0..<whole.count, using: &generator)] =
          [0, 1, 0x7F, 0xFF].randomElement(using: &generator) ?? 0
      }
      _ = try? read(damaged)
    }
  }
}

/// A video of headers only.
struct Video {
  var version: UInt8 = 0
  var createdAt: UInt64 = 0
  var appleDate: String?
  var isQuickTime = true
  var isTurned = false

  var bytes: [UInt8] { box("ftyp", Array((isQuickTime ? "qt  " : "isom").utf8) + [0, 0, 0, 0]) + movie }

  var movie: [UInt8] { box("moov", header + box("trak", box("tkhd", track)) + meta) }

  private var header: [UInt8] {
    box("mvhd", [version, 0, 0, 0] + number(createdAt, version == 1 ? 8 : 4) + [UInt8](repeating: 0, count: 88))
  }

  private var track: [UInt8] {
    let one = number(0x1_0000, 4)
    let (zero, end) = (number(0, 4), number(0x4000_0000, 4))
    let matrix =
      isTurned
      ? [zero, one, zero, one, zero, zero, zero, zero, end] : [one, zero, zero, zero, one, zero, zero, zero, end]
    let before = [version, 0, 0, 0] + [UInt8](repeating: 0, count: version == 1 ? 48 : 36)
    return before + matrix.flatMap(\.self) + number(1920 << 16, 4) + number(1080 << 16, 4)
  }

  private var meta: [UInt8] {
    guard let appleDate else { return [] }
    let names = ["com.apple.quicktime.make", "com.apple.quicktime.creationdate"]
    let keys = box("keys", number(0, 4) + number(2, 4) + names.flatMap { box("mdta", Array($0.utf8)) })
    let values = [(1, "Camera"), (2, appleDate)].flatMap { key, text in
      box(number(key, 4), box("data", number(1, 4) + number(0, 4) + Array(text.utf8)))
    }
    return box("meta", (isQuickTime ? [] : number(0, 4)) + box("hdlr", number(0, 8)) + keys + box("ilst", values))
  }
}

private func box(_ type: String, _ content: [UInt8]) -> [UInt8] { box(Array(type.utf8), content) }

private func box(_ type: [UInt8], _ content: [UInt8]) -> [UInt8] {
  number(UInt64(content.count + 8), 4) + type + content
}

/// A big-endian number of so many bytes.
private func number(_ value: UInt64, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}
