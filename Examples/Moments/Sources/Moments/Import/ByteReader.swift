// The bytes of a file at any place, for readers of headers.

/// Reads parts of a file. The first 256 KB, which hold most headers, are read once.
struct ByteReader: Sendable {
  static let headCount = 1 << 18
  private let head: [UInt8]
  private let read: @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]

  init(_ picture: SourcePicture) throws {
    read = picture.read
    head = try picture.read(0, Self.headCount)
  }

  init(_ bytes: [UInt8]) {
    head = bytes
    read = { _, _ in [] }
  }

  /// Returns up to `count` bytes; fewer where the file ends before. Callers bound `count`, because it is allocated.
  func bytes(at offset: Int, _ count: Int) throws -> [UInt8] {
    guard offset >= 0, count > 0, offset <= Int.max - count else { return [] }
    return offset + count <= head.count ? Array(head[offset..<offset + count]) : try beyondHead(offset, count)
  }

  private func beyondHead(_ offset: Int, _ count: Int) throws -> [UInt8] {
    // A shorter head is the whole file.
    if head.count != Self.headCount { return Array(head.dropFirst(offset).prefix(count)) }
    return try read(offset, count)
  }
}

extension [UInt8] {
  /// A big-endian number of up to eight bytes. Nil if they are not all there.
  func bigEndian(at offset: Int, _ count: Int) -> UInt64? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    return self[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
