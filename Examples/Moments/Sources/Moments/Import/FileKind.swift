// The kind of a file: by its first bytes, and by its name if those say too little.

enum FileKind: Equatable {
  case picture(mime: String)
  /// Its name says that it is a picture or video, its bytes say no.
  case misnamed(reason: String)
  case leftOut(LeftOutFile.Kind)

  /// As many bytes of a file as tell its kind.
  static let startCount = 12

  private static let raws: Set = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "iiq", "k25", "kdc", "mef", "mos", "mrw", "nef",
    "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
  ]
  private static let otherPictures: Set = [
    "avif", "bmp", "gif", "heic", "heif", "hif", "jp2", "jxl", "psd", "svg", "tif", "tiff",
  ]
  private static let pictures = ["heic": "HEIC", "jpeg": "JPEG", "jpg": "JPEG", "png": "PNG", "webp": "WebP"]
  private static let videos: Set = ["m4v", "mov", "mp4", "qt"]

  /// The boxes that a QuickTime film may begin with that has no `ftyp`.
  private static let oldFilmBoxes: Set = ["free", "mdat", "moov", "pnot", "skip", "wide"]
  /// Brands of one picture in HEVC.
  private static let heicBrands: Set = ["heic", "heim", "heis", "heix"]
  /// Brands of other HEIF, AVIF, Canon's raw pictures, and sound.
  private static let otherBrands: Set = [
    "avif", "avis", "crx ", "hevc", "hevx", "mif1", "msf1", "M4A ", "M4B ", "M4P ",
  ]

  /// `start` are the first `startCount` bytes, or all if there are fewer.
  init(start: [UInt8], extension ending: String) {
    let ending = ending.lowercased()
    let (box, brand) = Self.boxAndBrand(start)
    let isVideo = box == "ftyp" ? !Self.otherBrands.contains(brand) : Self.oldFilmBoxes.contains(box)
    if let mime = Self.mime(start), mime != Self.anyHEIF || ["heic", "heif", "hif"].contains(ending) {
      self = .picture(mime: mime == Self.anyHEIF ? "image/heic" : mime)
    } else if isVideo, box == "ftyp" || Self.videos.contains(ending) {
      self = .picture(mime: brand == "qt  " || box != "ftyp" ? "video/quicktime" : "video/mp4")
    } else if let name = Self.pictures[ending], ending != "heic" || box != "ftyp" {
      self = .misnamed(reason: "It is called a \(name), and its bytes are none.")
    } else if Self.videos.contains(ending) {
      self = .misnamed(reason: "It is called a video, and its bytes are none that Moments reads.")
    } else {
      self = .leftOut(
        Self.raws.contains(ending) ? .raw : Self.otherPictures.contains(ending) ? .otherPicture : .unknown)
    }
  }

  /// Whether these are the first bytes of a JPEG, PNG, WebP or HEIC.
  static func isPicture(_ start: [UInt8]) -> Bool { mime(start) != nil }

  /// The brand `mif1` says no more: a HEIC or an AVIF, which the name tells.
  private static let anyHEIF = "image/heif"

  private static func mime(_ start: [UInt8]) -> String? {
    let (box, brand) = boxAndBrand(start)
    if start.starts(with: [0xFF, 0xD8]) { return "image/jpeg" }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if start.starts(with: Array("RIFF".utf8)), brand == "WEBP" { return "image/webp" }
    guard box == "ftyp" else { return nil }
    return heicBrands.contains(brand) ? "image/heic" : brand == "mif1" ? anyHEIF : nil
  }

  private static func boxAndBrand(_ start: [UInt8]) -> (box: String, brand: String) {
    let text = { String(decoding: start.dropFirst($0).prefix(4), as: UTF8.self) }
    return (text(4), text(8))
  }
}
