// Tests that pictures with errors, by accident or on purpose, give a picture or a sentence.
import Foundation
import Testing

@testable import Moments

@Suite struct DamagedPictureTests {
  private static let names = [
    "dated.jpg", "cmyk.jpg", "p3.jpg", "dated.png", "interlaced.png", "deep.png", "clear.png", "dated.webp",
    "dated.heic", "p3.heic",
  ]

  /// More than usual where the environment says so.
  private static let seeds = ProcessInfo.processInfo.environment["DAMAGED_SEEDS"].flatMap(UInt64.init) ?? 150

  /// Reads a picture as the import and the page do. Nil if both say why they cannot.
  private func read(_ picture: [UInt8], _ place: String) -> [UInt8]? {
    do {
      _ = try ImageHeader(ByteReader(picture))
      let thumbnail = try Thumbnail.jpeg(of: picture, side: 16)
      #expect(thumbnail.starts(with: [0xFF, 0xD8]), "\(place)")
      return thumbnail
    } catch {
      #expect(error is ImportError && error.reason.hasSuffix("."), "\(place): \(error)")
      return nil
    }
  }

  @Test(arguments: names) func cutPictureIsReadOrRefused(name: String) throws {
    let whole = try smallPicture(name)
    for end in stride(from: 0, to: whole.count, by: 5) { _ = read(Array(whole[..<end]), "\(name) up to \(end)") }
    #expect(read(whole, name) != nil)
  }

  @Test(arguments: names) func changedPictureIsReadOrRefused(name: String) throws {
    let whole = try smallPicture(name)
    for seed in 0..<Self.seeds {
      var generator = Xorshift(state: seed &* 0x9E37_79B9_7F4A_7C15 | 1)
      var damaged = whole
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        damaged[.random(in: 0..<whole.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      }
      _ = read(damaged, "\(name), seed \(seed)")
    }
  }

  @Test func headerOfTooManyPixelsIsRefused() throws {
    var picture = try jpeg(shade: 128)
    // Start of frame: marker, length, precision; then the height and the width.
    let frame = try #require(picture.indices.dropLast(9).first { picture[$0] == 0xFF && picture[$0 + 1] == 0xC0 })
    picture.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    try refuses(picture, "The picture has 65500 x 65500 pixels, more than 200 megapixels.")
    try refuses(smallPicture("huge.png"), "The picture has 40000 x 40000 pixels, more than 200 megapixels.")
  }

  private func refuses(_ picture: [UInt8], _ reason: String) throws {
    #expect { try ImageHeader(ByteReader(picture)) } throws: { $0.reason == reason }
    #expect { try Thumbnail.jpeg(of: picture, side: 320) } throws: { $0.reason == reason }
  }

  /// libvips reads many kinds; those of strangers are four.
  @Test(arguments: [
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>", "%PDF-1.4\n", "GIF89a\u{1}\0\u{1}\0\0\0\0;",
    "P2 1 1 1 1",
  ])
  func otherKindsAreNotOpened(text: String) {
    #expect(throws: ImportError.self) { try ImageHeader(Array(text.utf8)) }
  }
}
