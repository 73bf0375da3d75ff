// The digest by which `generate` finds out whether anything has changed since its last run.

/// SipHash-1-3 with 128 bits and the key 0 (Aumasson and Bernstein, "SipHash: a fast short-input PRF"), as rustc takes
/// it for the same purpose. Each part goes in as its length, its bytes, and zeros up to a multiple of 8: two different
/// lists of parts are two different messages.
///
/// It notices every accident, and would not stop someone who forges: they can write into the output folder already.
struct ByteDigest {
  private var v0: UInt64 = 0x736F_6D65_7073_6575
  private var v1: UInt64 = 0x646F_7261_6E64_6F6D ^ 0xEE
  private var v2: UInt64 = 0x6C79_6765_6E65_7261
  private var v3: UInt64 = 0x7465_6462_7974_6573
  /// The length of the message so far.
  private var count = 0

  mutating func add(_ text: String) { add(Array(text.utf8)) }

  mutating func add(_ bytes: [UInt8]) {
    absorb([UInt64(bytes.count)])
    bytes.withUnsafeBytes { bytes in
      let whole = bytes.count & ~7
      absorb(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
      var rest: UInt64 = 0
      withUnsafeMutableBytes(of: &rest) { $0.copyBytes(from: bytes[whole...]) }
      if whole < bytes.count { absorb([rest]) }
    }
  }

  /// The digest as 32 digits. More parts may follow.
  var hexadecimal: String {
    var end = self
    end.absorb([UInt64(count) << 56])
    end.v2 ^= 0xEE
    // A word of zeros is a round and nothing else.
    end.absorb([0, 0, 0])
    let low = end.v0 ^ end.v1 ^ end.v2 ^ end.v3
    end.v1 ^= 0xDD
    end.absorb([0, 0, 0])
    return [low, end.v0 ^ end.v1 ^ end.v2 ^ end.v3].map(Self.digits).joined()
  }

  /// The bytes of a number, the lowest first.
  private static func digits(_ number: UInt64) -> String {
    let digits = String(number.byteSwapped, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private mutating func absorb(_ words: [UInt64]) { words.withUnsafeBytes { absorb($0) } }

  /// Plain variables in one plain loop, because the tool runs unoptimised where the build plugin starts it: it takes a
  /// seventh of the time of functions.
  private mutating func absorb(_ words: UnsafeRawBufferPointer) {
    var (v0, v1, v2, v3) = (v0, v1, v2, v3)
    var index = 0
    while index < words.count {
      let word = words.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      v3 ^= word
      v0 = v0 &+ v1
      v2 = v2 &+ v3
      v1 = (v1 &<< 13 | v1 &>> 51) ^ v0
      v3 = (v3 &<< 16 | v3 &>> 48) ^ v2
      v0 = (v0 &<< 32 | v0 &>> 32) &+ v3
      v2 = v2 &+ v1
      v3 = (v3 &<< 21 | v3 &>> 43) ^ v0
      v1 = (v1 &<< 17 | v1 &>> 47) ^ v2
      v2 = v2 &<< 32 | v2 &>> 32
      v0 ^= word
      index = index &+ 8
    }
    (self.v0, self.v1, self.v2, self.v3) = (v0, v1, v2, v3)
    count += words.count
  }
}
