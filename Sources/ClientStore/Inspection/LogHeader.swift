// Checks the first bytes of SQLite's write-ahead log (sqlite.org/fileformat2.html, "The WAL Format").

/// Without a sound header, readers ignore the whole log. SQLite tries for ten seconds before it says so.
enum LogHeader {
  static let size = 32

  /// Whether the first bytes of a log are a sound header. An empty log is sound, because it has no header yet.
  static func isSound(_ bytes: [UInt8]) -> Bool {
    guard !bytes.isEmpty else { return true }
    guard bytes.count >= size else { return false }
    let magic = word(bytes, 0, bigEndian: true)
    guard magic & ~1 == 0x377F_0682 else { return false }
    var sums: (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: 24, by: 8) {
      sums.0 &+= word(bytes, offset, bigEndian: magic & 1 == 1) &+ sums.1
      sums.1 &+= word(bytes, offset + 4, bigEndian: magic & 1 == 1) &+ sums.0
    }
    return sums == (word(bytes, 24, bigEndian: true), word(bytes, 28, bigEndian: true))
  }

  private static func word(_ bytes: [UInt8], _ offset: Int, bigEndian: Bool) -> UInt32 {
    let word = bytes[offset..<offset + 4]
    return bigEndian ? word.reduce(0) { $0 << 8 | UInt32($1) } : word.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
