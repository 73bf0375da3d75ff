// Tests of small sizes of pictures: upright, and not smaller than asked for.
import Testing

@testable import Moments

@Suite struct ThumbnailTests {
  /// Two rows of three pixels, `abc` over `def`, as each orientation of EXIF shows them.
  @Test(arguments: [
    (1, ["abc", "def"]), (2, ["cba", "fed"]), (3, ["fed", "cba"]), (4, ["def", "abc"]),
    (5, ["ad", "be", "cf"]), (6, ["da", "eb", "fc"]), (7, ["fc", "eb", "da"]), (8, ["cf", "be", "ad"]),
  ])
  func orientationsAreApplied(orientation: Int, rows: [String]) {
    let stored = Pixels(width: 3, height: 2, bytes: "abcdef".utf8.flatMap { [$0, $0, $0] })
    let shown = stored.upright(from: orientation)
    #expect(shown.height == rows.count && shown.width == rows[0].utf8.count)
    #expect(shown.bytes == rows.joined().utf8.flatMap { [$0, $0, $0] })
  }

  @Test(arguments: [
    (960, 640, 320, 480, 320), (100, 80, 320, 100, 80), (4_000, 3_000, 320, 500, 375), (1, 60_000, 320, 1, 7_500),
  ])
  func decodesAtSmallestSufficientScale(width: Int, height: Int, side: Int, toWidth: Int, toHeight: Int) throws {
    let decoded = try JPEG.decode(jpeg(shade: 128, width: width, height: height), side: side)
    #expect(decoded.width == toWidth && decoded.height == toHeight)
  }

  @Test func refusesHeaderOfTooManyPixels() throws {
    var bytes = try jpeg(shade: 128)
    // Start of frame: marker, length, precision; then the height and the width.
    let frame = try #require(bytes.indices.dropLast(9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
    #expect(try JPEG.size(of: bytes) == (65_500, 65_500))
    #expect { _ = try JPEG.decode(bytes, side: 320) } throws: {
      $0.localizedDescription == "The picture has 65500 x 65500 pixels, more than 200 megapixels."
    }
  }
}
