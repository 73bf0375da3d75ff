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
    "avif", "bmp", "gif", "heic", "heif", "hif", "jp2", "jxl", "png", "psd", "svg", "tif", "tiff", "webp",
  ]
  private static let videos: Set = ["m4v", "mov", "mp4", "qt"]

  /// The boxes that a QuickTime film may begin with that has no `ftyp`.
  private static let oldFilmBoxes: Set = ["free", "mdat", "moov", "pnot", "skip", "wide"]
  /// Brands of HEIF, AVIF, Canon's raw pictures, and sound.
  private static let otherBrands: Set = [
    "avif", "avis", "crx ", "heic", "heim", "heis", "heix", "hevc", "hevx", "mif1", "msf1", "M4A ", "M4B ", "M4P ",
  ]

  /// `start` are the first `startCount` bytes, or all if there are fewer.
  init(start: [UInt8], extension ending: String) {
    let ending = ending.lowercased()
    let box = String(decoding: start.dropFirst(4).prefix(4), as: UTF8.self)
    let brand = String(decoding: start.dropFirst(8).prefix(4), as: UTF8.self)
    let isVideo = box == "ftyp" ? !Self.otherBrands.contains(brand) : Self.oldFilmBoxes.contains(box)
    if start.starts(with: [0xFF, 0xD8]) {
      self = .picture(mime: "image/jpeg")
    } else if isVideo, box == "ftyp" || Self.videos.contains(ending) {
      self = .picture(mime: brand == "qt  " || box != "ftyp" ? "video/quicktime" : "video/mp4")
    } else if ["jpg", "jpeg"].contains(ending) {
      self = .misnamed(reason: "It is called a JPEG, and its bytes are none.")
    } else if Self.videos.contains(ending) {
      self = .misnamed(reason: "It is called a video, and its bytes are none that Moments reads.")
    } else {
      self = .leftOut(
        Self.raws.contains(ending) ? .raw : Self.otherPictures.contains(ending) ? .otherPicture : .unknown)
    }
  }
}
