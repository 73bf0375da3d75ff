// The small pictures of `Pictures`, and the colours of a picture at its places.
import CVips
import Foundation

@testable import Moments

/// The bytes of a picture that `Pictures/make` has made.
func smallPicture(_ name: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: Bundle.module.bundleURL.appending(path: "Pictures/\(name)")))
}

/// What a reader of JPEGs shows: sizes, and which of red, green and blue is the strongest at a place.
struct ShownPicture {
  enum Colour: Int { case red, green, blue }

  let width: Int
  let height: Int
  private let bytes: [UInt8]

  init(_ jpeg: [UInt8]) throws {
    (width, height, bytes) = try jpeg.withUnsafeBytes { jpeg in
      let picture = try VipsPicture(jpeg)
      guard let image = cvips_open(jpeg.baseAddress, jpeg.count) else { throw ImportError("no JPEG") }
      defer { cvips_close(image) }
      var count = 0
      let pixels = vips_image_write_to_memory(image, &count)
      defer { g_free(pixels) }
      return (picture.width, picture.height, [UInt8](UnsafeRawBufferPointer(start: pixels, count: count)))
    }
  }

  func channels(_ x: Int, _ y: Int) -> [UInt8] { Array(bytes[(y * width + x) * 3..<(y * width + x) * 3 + 3]) }

  /// Nil where no channel is by 40 stronger than the others.
  func colour(_ x: Int, _ y: Int) -> Colour? {
    let channels = channels(x, y).map(Int.init)
    let order = channels.indices.sorted { channels[$0] > channels[$1] }
    return channels[order[0]] - channels[order[1]] >= 40 ? Colour(rawValue: order[0]) : nil
  }
}
