// A picture as libvips opens it: its header at once, its pixels when they are needed.
import CVips

/// A JPEG, PNG, WebP or HEIC, or a picture made of one. Each step gives another picture.
///
/// Those that are opened from bytes read them later too, so they may not leave the closure that lends the bytes.
final class VipsPicture {
  /// Bounds the memory of a decoded picture, because a header may claim more pixels than the file has.
  static let maximumPixels = 200_000_000

  private let image: UnsafeMutablePointer<VipsImage>

  private init(_ image: UnsafeMutablePointer<VipsImage>?) throws {
    guard let image else { throw Self.error() }
    self.image = image
  }

  deinit { cvips_close(image) }

  /// Reads the header; throws if it claims more than `maximumPixels`.
  convenience init(_ bytes: UnsafeRawBufferPointer) throws {
    try Self.start()
    try self.init(cvips_open(bytes.baseAddress, bytes.count))
    guard width * height <= Self.maximumPixels else {
      throw ImportError("The picture has \(width) x \(height) pixels, more than 200 megapixels.")
    }
  }

  /// Opens a JPEG at a half, quarter or eighth of its size, which costs less the smaller it is.
  convenience init(jpeg bytes: UnsafeRawBufferPointer, shrink: Int) throws {
    try self.init(cvips_open_jpeg(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, Int32(shrink)))
  }

  /// Decodes a picture, upright, with at most so many pixels on its longer side.
  convenience init(smaller bytes: UnsafeRawBufferPointer, longerSide: Int) throws {
    try self.init(cvips_thumbnail(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, Int32(longerSide)))
  }

  /// The pixels have to stay as long as the picture does.
  convenience init(pixels bytes: UnsafeRawBufferPointer, width: Int, height: Int) throws {
    try Self.start()
    try self.init(cvips_pixels(bytes.baseAddress, bytes.count, Int32(width), Int32(height)))
  }

  /// As it is stored, before any orientation.
  var width: Int { Int(vips_image_get_width(image)) }
  var height: Int { Int(vips_image_get_height(image)) }

  /// 1 to 8, as EXIF counts them; 1 is upright, as each HEIC is once it is open.
  var orientation: Int { Int(vips_image_get_orientation(image)) }

  /// The block with EXIF, as the file has it.
  var exif: [UInt8]? { blob(VIPS_META_EXIF_NAME) }

  func upright() throws -> VipsPicture {
    guard orientation > 1 else { return self }
    // Rows are decoded from the top, and turning asks for them in another order.
    guard let copy = vips_image_copy_memory(image) else { throw Self.error() }
    defer { cvips_close(copy) }
    return try VipsPicture(cvips_upright(copy))
  }

  /// Colours as a screen of no particular kind shows them, without transparency.
  func inSRGB() throws -> VipsPicture {
    let picture = byProfile ?? self
    let plain = try VipsPicture(cvips_to_srgb(picture.image))
    return vips_image_hasalpha(plain.image) != 0 ? try VipsPicture(cvips_flatten(plain.image)) : plain
  }

  /// `quality` is 1 to 100.
  func jpeg(quality: Int) throws -> [UInt8] {
    var (bytes, count) = (UnsafeMutableRawPointer?.none, 0)
    defer { g_free(bytes) }
    guard cvips_save_jpeg(image, &bytes, &count, Int32(quality)) == 0 else { throw Self.error() }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Nil if the picture has no profile, one of sRGB, or one that is damaged.
  private var byProfile: VipsPicture? {
    guard let profile = blob(VIPS_META_ICC_NAME), !profile.prefix(4_096).contains("sRGB".utf8) else { return nil }
    return try? VipsPicture(cvips_profile_to_srgb(image))
  }

  private func blob(_ name: String) -> [UInt8]? {
    var (bytes, count) = (UnsafeRawPointer?.none, 0)
    guard vips_image_get_typeof(image, name) != 0, vips_image_get_blob(image, name, &bytes, &count) == 0 else {
      return nil
    }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private static let isThere = cvips_start() == 0

  private static func start() throws {
    guard isThere else { throw ImportError("libvips cannot start.") }
  }

  /// What libvips itself says is shared by all threads, and may be about another picture.
  private static func error() -> ImportError {
    vips_error_clear()
    return ImportError("The picture is damaged, or of a kind that libvips does not read here.")
  }
}
