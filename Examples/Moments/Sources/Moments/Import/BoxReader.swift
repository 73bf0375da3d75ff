// Finds boxes of MP4 and QuickTime by their types, and reads only those that a caller asks for.

/// A box is a size, a type of four letters, and content, which may be other boxes.
struct BoxReader {
  let file: ByteReader

  /// More boxes in one place than any video has.
  private static let maximumBoxes = 10_000

  typealias Box = (type: UInt32, content: Range<Int>)

  /// The contents of the first box of a type in `range`.
  func first(_ type: String, in range: Range<Int>) throws -> Range<Int>? { try first(Self.number(of: type), in: range) }

  func first(_ type: UInt32, in range: Range<Int>) throws -> Range<Int>? {
    try boxes(in: range, until: type).last { $0.type == type }?.content
  }

  func all(_ type: String, in range: Range<Int>) throws -> [Range<Int>] {
    let type = Self.number(of: type)
    return try boxes(in: range).filter { $0.type == type }.map(\.content)
  }

  func content(of box: Range<Int>, atMost count: Int) throws -> [UInt8] {
    try file.bytes(at: box.lowerBound, min(count, box.count))
  }

  /// Whether the file goes on to the end of a box. One whose size is zero ends where the file does.
  func isWhole(_ box: Range<Int>) throws -> Bool {
    guard let last = box.last, box.upperBound != Int.max else { return true }
    return try !file.bytes(at: last, 1).isEmpty
  }

  /// The boxes in `range`, up to the first one of a type, up to one that is damaged, or up to the end.
  func boxes(in range: Range<Int>, until type: UInt32? = nil) throws -> [Box] {
    var boxes: [Box] = []
    var rest = range
    while boxes.count < Self.maximumBoxes, let box = try box(at: rest) {
      boxes.append(box)
      if box.type == type { break }
      rest = box.content.upperBound..<range.upperBound
    }
    return boxes
  }

  /// The box at the beginning of `range`. Nil if there is none, or if it claims to be larger than what it is in.
  private func box(at range: Range<Int>) throws -> Box? {
    let head = try content(of: range, atMost: 16)
    guard let short = head.bigEndian(at: 0, 4), let type = head.bigEndian(at: 4, 4) else { return nil }
    var (size, headCount) = (short, 8)
    if short == 1 {
      guard let long = head.bigEndian(at: 8, 8) else { return nil }
      (size, headCount) = (long, 16)
    }
    // Zero says that the box goes on to the end.
    if size == 0 { size = UInt64(range.count) }
    guard size >= headCount, size <= range.count else { return nil }
    return (UInt32(type), range.lowerBound + headCount..<range.lowerBound + Int(size))
  }

  private static func number(of type: String) -> UInt32 { type.utf8.reduce(0) { $0 << 8 | UInt32($1) } }
}
