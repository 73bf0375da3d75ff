// The part of a file that a browser asks for, to seek in a video (RFC 9110, section 14). FlyingFox's handler of files opens
// a path when the body is read, when the store may have removed it, and adds to numbers of strangers until they overflow.

enum ByteRange: Equatable {
  case whole
  case part(Range<Int64>)
  /// Nothing of the file is in the range.
  case beyondEnd

  /// `field` is the value of `Range`. More than one range, another unit and nonsense are answered with the whole file,
  /// as the standard allows.
  init(_ field: String?, size: Int64) {
    guard let field, let parts = field.wholeMatch(of: #/bytes=\s*([0-9]*)-([0-9]*)\s*/#)?.output else {
      self = .whole
      return
    }
    switch (Int64(parts.1), Int64(parts.2)) {
    case (let first?, let last?) where first <= last: self = Self.part(from: first, to: min(last, size - 1))
    case (let first?, nil) where parts.2.isEmpty: self = Self.part(from: first, to: size - 1)
    case (nil, let count?) where parts.1.isEmpty: self = Self.part(from: max(size - count, 0), to: size - 1)
    default: self = .whole
    }
  }

  private static func part(from first: Int64, to last: Int64) -> Self {
    first <= last ? .part(first..<last + 1) : .beyondEnd
  }
}
