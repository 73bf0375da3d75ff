// Tests of small sizes of pictures: upright, in sRGB, and not smaller than asked for.
import SamplePictures
import Testing

@testable import Moments

@Suite struct ThumbnailTests {
  private func thumbnail(_ picture: [UInt8], side: Int = 320) throws -> ShownPicture {
    try ShownPicture(Thumbnail.jpeg(of: picture, side: side))
  }

  @Test(arguments: [
    "plain.jpg", "cmyk.jpg", "p3.jpg", "plain.png", "interlaced.png", "deep.png", "clear.png", "plain.webp",
    "plain.heic", "p3.heic",
  ])
  func everyKindShowsItsColours(name: String) throws {
    let shown = try thumbnail(smallPicture(name))
    #expect(shown.width == 48 && shown.height == 32)
    #expect(shown.colour(3, 3) == .green && shown.colour(14, 24) == .red && shown.colour(38, 16) == .blue)
  }

  /// Display P3 writes the red of 220, 40, 40 in sRGB as 202, 59, 50.
  @Test(arguments: ["p3.jpg", "p3.heic"]) func wideColoursAreConverted(name: String) throws {
    let red = try thumbnail(smallPicture(name)).channels(14, 24)
    #expect(red[0] >= 214 && red[1] <= 48, "\(red)")
  }

  @Test func transparentPartsAreWhite() throws {
    #expect(try thumbnail(smallPicture("clear.png")).channels(14, 24).allSatisfy { $0 > 150 })
  }

  @Test func greyPictureIsShown() throws {
    let grey = try thumbnail(smallPicture("grey.png"))
    #expect(grey.channels(20, 20) == [128, 128, 128])
  }

  /// The place of the green corner, as each orientation of EXIF shows it.
  @Test(arguments: [
    (1, 3, 3), (2, 44, 3), (3, 44, 28), (4, 3, 28), (5, 3, 3), (6, 28, 3), (7, 28, 44), (8, 3, 44),
  ])
  func orientationsAreApplied(orientation: Int, x: Int, y: Int) throws {
    let picture = ExifBlock(orientation: UInt16(orientation)).inserted(into: try smallPicture("plain.jpg"))
    let shown = try thumbnail(picture)
    #expect(orientation > 4 ? (shown.width, shown.height) == (32, 48) : (shown.width, shown.height) == (48, 32))
    #expect(shown.colour(x, y) == .green)
  }

  @Test(arguments: [("dated.jpg", true), ("dated.png", true), ("dated.webp", true), ("dated.heic", false)])
  func orientationOfEveryKindIsApplied(name: String, isTurned: Bool) throws {
    let shown = try thumbnail(smallPicture(name))
    #expect(isTurned ? (shown.width, shown.height) == (32, 48) : (shown.width, shown.height) == (48, 32))
    #expect(shown.colour(isTurned ? 28 : 3, 3) == .green)
  }

  @Test(arguments: [
    (960, 640, 480, 320), (100, 80, 100, 80), (4_000, 3_000, 500, 375), (1_400, 700, 700, 350), (1, 60_000, 1, 60_000),
    (9, 60_000, 1, 7_500), (20_000, 2_000, 2_500, 250),
  ])
  func shrinksJPEGWhileItIsDecoded(width: Int, height: Int, toWidth: Int, toHeight: Int) throws {
    let shown = try thumbnail(jpeg(shade: 128, width: width, height: height))
    #expect(shown.width == toWidth && shown.height == toHeight)
  }

  @Test(arguments: [("wide.png", 640, 320), ("wide.webp", 640, 320), ("wide.heic", 640, 320), ("long.png", 4_096, 16)])
  func otherKindsGetTheSizeThatIsAskedFor(name: String, width: Int, height: Int) throws {
    let shown = try thumbnail(smallPicture(name))
    #expect(shown.width == width && shown.height == height)
  }
}
