// Tests of compressed bodies.

import SyncProtocol
import TestSupport
import Testing

@Suite struct GzipTests {
  /// `printf 'The lake at noon. The lake at noon. The lake at night.' | gzip -9n | xxd -p`
  static let ofGzip: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x0B, 0xC9, 0x48, 0x55, 0xC8, 0x49, 0xCC, 0x4E, 0x55,
    0x48, 0x2C, 0x51, 0xC8, 0xCB, 0xCF, 0xCF, 0xD3, 0x53, 0x08, 0xC1, 0x2F, 0x92, 0x99, 0x9E, 0x51, 0xA2, 0x07, 0x00,
    0xDE, 0x9E, 0x19, 0x9E, 0x36, 0x00, 0x00, 0x00,
  ]

  @Test func readsWhatTheToolWrites() throws {
    var sizes: [Int] = []
    let text = try Gzip.decompress(Self.ofGzip) { sizes.append($0) }
    #expect(String(decoding: text, as: UTF8.self) == "The lake at noon. The lake at noon. The lake at night.")
    #expect(sizes == [54])
  }

  @Test(arguments: [1_024, 65_536, 65_537, 300_000, 2 << 20]) func bodiesComeBack(size: Int) throws {
    var random = SeededRandom(seed: UInt64(size))
    let body = (0..<size).map { _ in UInt8(random.below(UInt8(64))) }
    let compressed = try #require(Gzip.compress(body))
    #expect(compressed.count < size * 4 / 5)
    var largest = 0
    let decompressed = try Gzip.decompress(compressed) { largest = max(largest, $0) }
    #expect(decompressed == body)
    #expect(largest <= 65_536, "each piece is asked for")
  }

  @Test func compressesOnlyWhatPays() {
    var random = SeededRandom(seed: 1)
    #expect(Gzip.compress(Array(repeating: 1, count: 1_023)) == nil)
    #expect(Gzip.compress(Array(repeating: 1, count: (2 << 20) + 1)) == nil)
    #expect(Gzip.compress((0..<5_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }) == nil)
  }

  @Test func damageIsAnError() {
    for count in 0..<Self.ofGzip.count { #expect(isRefused(Array(Self.ofGzip[..<count])), "\(count) bytes") }
    #expect(isRefused(Self.ofGzip + [0]), "bytes behind the end")
    for place in [0, 2, 12, Self.ofGzip.count - 6, Self.ofGzip.count - 2] {
      var damaged = Self.ofGzip
      damaged[place] ^= 0x55
      #expect(isRefused(damaged), "byte \(place)")
    }
  }

  /// A small body that would become very large is given up at the limit.
  @Test func limitComesBeforeTheMemory() throws {
    struct Full: Error {}
    let bomb = try #require(Gzip.compress(Array(repeating: 0, count: 2 << 20)))
    #expect(bomb.count < 3_000)
    var taken = 0
    #expect(throws: Full.self) {
      try Gzip.decompress(bomb) { count in
        if taken + count > 100_000 { throw Full() }
        taken += count
      }
    }
    #expect(taken == 65_536)
  }

  private func isRefused(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try Gzip.decompress(bytes) { _ in }
      return false
    } catch { return (error as? RequestError)?.code == .badRequest }
  }
}
