// The date and size of a video, from the boxes of MP4 and QuickTime (ISO/IEC 14496-12, QuickTime File Format).
import Foundation

struct VideoHeader {
  /// Apple's date with an offset, or else the moment that every recorder writes.
  var takenAt: LocalTime?
  /// As the video is seen, upright; 0 if no track has pictures.
  var width = 0
  var height = 0

  /// The moment becomes the time that clocks in `timeZone` showed. Throws if the file cannot be read, or is not a whole
  /// video.
  init(_ file: ByteReader, timeZone: TimeZone = .current) throws {
    let boxes = BoxReader(file: file)
    guard let movie = try boxes.first("moov", in: 0..<Int.max), try boxes.isWhole(movie) else {
      throw ImportError("It is not a whole video: the part that says how to play it is missing.")
    }
    takenAt = try boxes.creationDate(of: movie) ?? boxes.creationTime(of: movie).map { LocalTime($0, in: timeZone) }
    if let size = try boxes.size(of: movie) { (width, height) = size }
  }
}

extension BoxReader {
  /// QuickTime and MP4 count seconds from 1904; some recorders from 1970.
  private static let secondsFrom1904To1970: UInt64 = 2_082_844_800
  /// 1991, when QuickTime came. An earlier date is that of a clock that nobody set; zero stands for no date.
  private static let firstSecond: UInt64 = 662_688_000
  /// The end of the year 9999.
  private static let lastSecond: UInt64 = 253_402_300_799

  /// The creation time of `mvhd`, in UTC.
  fileprivate func creationTime(of movie: Range<Int>) throws -> Date? {
    guard let header = try first("mvhd", in: movie) else { return nil }
    let bytes = try content(of: header, atMost: 12)
    guard let written = bytes.first == 1 ? bytes.bigEndian(at: 4, 8) : bytes.bigEndian(at: 4, 4) else { return nil }
    let seconds = written >= Self.secondsFrom1904To1970 ? written - Self.secondsFrom1904To1970 : written
    return (Self.firstSecond...Self.lastSecond).contains(seconds) ? Date(timeIntervalSince1970: Double(seconds)) : nil
  }

  /// The width and height of the first track that has some, in `tkhd`.
  fileprivate func size(of movie: Range<Int>) throws -> (width: Int, height: Int)? {
    for track in try all("trak", in: movie) {
      guard let header = try first("tkhd", in: track) else { continue }
      let bytes = try content(of: header, atMost: 96)
      // A matrix of nine numbers, then width and height with 16 bits behind the point.
      let matrix = bytes.first == 1 ? 52 : 40
      guard let width = bytes.bigEndian(at: matrix + 36, 2), let height = bytes.bigEndian(at: matrix + 40, 2),
        width > 0, height > 0
      else { continue }
      // In a quarter turn the numbers that would keep width and height are zero.
      let isTurned = bytes.bigEndian(at: matrix, 4) == 0 && bytes.bigEndian(at: matrix + 16, 4) == 0
      return isTurned ? (Int(height), Int(width)) : (Int(width), Int(height))
    }
    return nil
  }

  /// `com.apple.quicktime.creationdate`: a text like `2026-05-17T18:03:59+0200`.
  fileprivate func creationDate(of movie: Range<Int>) throws -> LocalTime? {
    guard let meta = try first("meta", in: movie) else { return nil }
    // In MP4 a version and flags come before the boxes, in QuickTime nothing does.
    let isQuickTime = try content(of: meta, atMost: 8).dropFirst(4).elementsEqual("hdlr".utf8)
    let inside = isQuickTime ? meta : meta.dropFirst(4)
    guard let keys = try first("keys", in: inside), let values = try first("ilst", in: inside),
      let number = try number(ofKey: "com.apple.quicktime.creationdate", in: keys),
      let value = try first(number, in: values), let data = try first("data", in: value)
    else { return nil }
    let text = try content(of: data, atMost: 256).dropFirst(8)
    return LocalTime(text: String(decoding: text, as: UTF8.self))
  }

  /// Values name their keys by numbers, from 1.
  private func number(ofKey name: String, in keys: Range<Int>) throws -> UInt32? {
    // The entries of `keys` are shaped as boxes, behind a version and a count.
    let entries = try boxes(in: keys.dropFirst(8))
    for (index, entry) in entries.enumerated() {
      if try content(of: entry.content, atMost: 64).elementsEqual(name.utf8) { return UInt32(index + 1) }
    }
    return nil
  }
}
