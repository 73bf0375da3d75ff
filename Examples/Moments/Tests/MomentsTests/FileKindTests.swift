// Tests of the kinds of files, by their first bytes and their names.
import Testing

@testable import Moments

@Suite struct FileKindTests {
  private static func brand(_ brand: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(brand)".utf8) }
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
  private static let webp = Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8)
  private static let sound = Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WAVE".utf8)

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF], "png", .picture(mime: "image/jpeg")), (png, "JPG", .picture(mime: "image/png")),
      (webp, "", .picture(mime: "image/webp")), (brand("heic"), "jpg", .picture(mime: "image/heic")),
      (brand("heix"), "HIF", .picture(mime: "image/heic")), (brand("mif1"), "heic", .picture(mime: "image/heic")),
      (brand("mif1"), "avif", .leftOut(.otherPicture)), (brand("mif1"), "", .leftOut(.unknown)),
      (brand("hevc"), "heic", .leftOut(.otherPicture)), (brand("avif"), "avif", .leftOut(.otherPicture)),
      (brand("crx "), "cr3", .leftOut(.raw)), (brand("qt  "), "", .picture(mime: "video/quicktime")),
      (brand("isom"), "", .picture(mime: "video/mp4")), (sound, "wav", .leftOut(.unknown)),
      (sound, "webp", .misnamed(reason: "It is called a WebP, and its bytes are none.")),
      ([], "heic", .misnamed(reason: "It is called a HEIC, and its bytes are none.")),
      (Array(png.prefix(7)), "png", .misnamed(reason: "It is called a PNG, and its bytes are none.")),
    ] as [([UInt8], String, FileKind)])
  func bytesSayTheKindAndTheNameSaysTheRest(start: [UInt8], ending: String, kind: FileKind) {
    #expect(FileKind(start: start, extension: ending) == kind)
  }
}
