// The EXIF block that a camera writes into a JPEG, made by hand: a small TIFF (EXIF 2.32, section 4.6).

/// The fields of an EXIF block; nil ones are left out.
public struct ExifBlock: Sendable {
  /// `2026:05:17 18:03:59`
  public var takenAt: String?
  /// `+02:00`
  public var offset: String?
  public var orientation: UInt16?
  /// Degrees north and east.
  public var place: (latitude: Double, longitude: Double)?
  /// Tags beside those, to try what cameras write.
  public var more: [ExifField]

  public init(
    takenAt: String? = nil, offset: String? = nil, orientation: UInt16? = nil,
    place: (latitude: Double, longitude: Double)? = nil, more: [ExifField] = []
  ) {
    (self.takenAt, self.offset, self.orientation, self.place) = (takenAt, offset, orientation, place)
    self.more = more
  }

  /// The JPEG with the block behind its first marker.
  public func inserted(into jpeg: [UInt8]) -> [UInt8] { jpeg.prefix(2) + segment + jpeg.dropFirst(2) }

  /// The block as a segment of a JPEG.
  public var segment: [UInt8] {
    let content = Array("Exif\0\0".utf8) + tiff
    let length = UInt16(content.count + 2)
    return [0xFF, 0xE1, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)] + content
  }

  private var tiff: [UInt8] {
    var exif = Directory(more, in: .exif)
    if let takenAt { exif.text(0x9003, takenAt) }
    if let offset { exif.text(0x9011, offset) }
    var gps = Directory(more, in: .gps)
    if let place {
      gps.text(1, place.latitude < 0 ? "S" : "N")
      gps.degrees(2, place.latitude)
      gps.text(3, place.longitude < 0 ? "W" : "E")
      gps.degrees(4, place.longitude)
    }
    var main = Directory(more, in: .main)
    if let orientation {
      main.entry(0x0112, type: 3, count: 1, [UInt8(truncatingIfNeeded: orientation), UInt8(orientation >> 8)])
    }
    // The offsets of the other two directories, which follow this one. Its size grows by these two entries.
    let exifStart = 8 + main.size + 2 * 12
    main.entry(0x8769, type: 4, count: 1, littleEndian(UInt32(exifStart)))
    main.entry(0x8825, type: 4, count: 1, littleEndian(UInt32(exifStart + exif.size)))
    return Array("II".utf8) + [42, 0] + littleEndian(8) + main.bytes(at: 8) + exif.bytes(at: exifStart)
      + gps.bytes(at: exifStart + exif.size)
  }
}

/// A tag of one of the three directories.
public struct ExifField: Sendable {
  public enum Directory: Sendable { case main, exif, gps }

  public enum Value: Sendable {
    case text(String)
    case rationals([(UInt32, UInt32)])
    case signedRationals([(Int32, Int32)])
  }

  var directory: Directory
  var tag: UInt16
  var value: Value

  public init(_ directory: Directory, _ tag: UInt16, _ value: Value) {
    (self.directory, self.tag, self.value) = (directory, tag, value)
  }
}

/// Fields in the order of their tags, little-endian. Values of more than four bytes follow the fields.
private struct Directory {
  private var entries: [(tag: UInt16, head: [UInt8], value: [UInt8])] = []

  init(_ fields: [ExifField], in directory: ExifField.Directory) {
    for field in fields where field.directory == directory {
      switch field.value {
      case .text(let text): self.text(field.tag, text)
      case .rationals(let parts): rationals(field.tag, type: 5, parts)
      case .signedRationals(let parts):
        rationals(field.tag, type: 10, parts.map { (UInt32(bitPattern: $0.0), UInt32(bitPattern: $0.1)) })
      }
    }
  }

  var size: Int { 2 + entries.count * 12 + 4 + entries.reduce(0) { $0 + ($1.value.count > 4 ? $1.value.count : 0) } }

  mutating func entry(_ tag: UInt16, type: UInt16, count: Int, _ value: [UInt8]) {
    let head = [tag, type].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } + littleEndian(UInt32(count))
    entries.append((tag, head, value))
  }

  mutating func text(_ tag: UInt16, _ text: String) {
    entry(tag, type: 2, count: text.utf8.count + 1, Array(text.utf8) + [0])
  }

  mutating func rationals(_ tag: UInt16, type: UInt16, _ parts: [(UInt32, UInt32)]) {
    entry(tag, type: type, count: parts.count, parts.flatMap { littleEndian($0.0) + littleEndian($0.1) })
  }

  /// Degrees, minutes and seconds, as rationals.
  mutating func degrees(_ tag: UInt16, _ degrees: Double) {
    let hundredths = UInt32((abs(degrees) * 360_000).rounded())
    rationals(tag, type: 5, [(hundredths / 360_000, 1), (hundredths / 6_000 % 60, 1), (hundredths % 6_000, 100)])
  }

  func bytes(at start: Int) -> [UInt8] {
    var table = [UInt8(truncatingIfNeeded: entries.count), 0]
    var behind: [UInt8] = []
    let behindStart = start + 2 + entries.count * 12 + 4
    for (_, head, value) in entries.sorted(by: { $0.tag < $1.tag }) {
      table += head
      if value.count <= 4 {
        table += value + [UInt8](repeating: 0, count: 4 - value.count)
      } else {
        table += littleEndian(UInt32(behindStart + behind.count))
        behind += value
      }
    }
    return table + littleEndian(0) + behind
  }
}

private func littleEndian(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
