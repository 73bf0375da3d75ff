// The digest against OpenSSL's.
import Testing

@testable import modelgen

@Suite struct ByteDigestTests {
  /// From `openssl mac -macopt hexkey:00000000000000000000000000000000 -macopt size:16 -macopt c-rounds:1
  /// -macopt d-rounds:3 SIPHASH`, which was given each part as its length in 8 bytes, its bytes, and zeros up to a
  /// multiple of 8: the bytes 0, 1, 2 and so on, then `ab`.
  @Test(arguments: [
    (0, "f00916a2155aff6db0c52e19db12e0ba"), (1, "3768b298edaaa388913fe16dc17f7df6"),
    (7, "8cf5f5db14c62670541621f496b783e0"), (8, "6902cb3d373c17e8c578670db07972b9"),
    (9, "a653eda4a7535789520aed8e765629fd"), (64, "a9e26f17ca1a2773d376ed406ac0f05c"),
  ])
  func agreesWithOpenSSL(count: UInt8, expected: String) {
    var digest = ByteDigest()
    digest.add(Array(0..<count))
    digest.add("ab")
    #expect(digest.hexadecimal == expected)
  }

  @Test func ofNothingAgreesWithOpenSSL() {
    #expect(ByteDigest().hexadecimal == "0db4d9615d9334210333fb31d05e1cb9")
  }

  @Test func differsForBytesInOtherParts() {
    let parts: [[[UInt8]]] = [[], [[]], [[], []], [[0]], [[0, 0]], [[0], [0]], [[0], []], [[], [0]]]
    let digests = parts.map { parts in
      var digest = ByteDigest()
      for part in parts { digest.add(part) }
      return digest.hexadecimal
    }
    #expect(Set(digests).count == parts.count)
  }
}
