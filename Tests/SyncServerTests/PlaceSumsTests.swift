// Tests of the sums of places that long polls compare.

import Crypto
import Foundation
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@Suite struct PlaceSumsTests {
  /// Computes a sum as docs/formats/sync-protocol.md describes it.
  @Test func sumOfARangeAddsItsHashes() throws {
    let (queue, grant) = (QueueID(high: 1, low: 0x102), GrantID.number(4))
    var sums = PlaceSums(forQueues: 30)
    sums.add(queue, grant: grant, cursor: 5)
    sums.add(queue, grant: grant, cursor: 6)
    let terms = [5, 6].map { cursor -> UInt64 in
      let bytes = queue.rawValue.bytes + grant.rawValue.bytes + [0, 0, 0, 0, 0, 0, 0, UInt8(cursor)]
      return SHA256.hash(data: bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    #expect(sums.numbers == [0, 0, terms[0] &+ terms[1], 0], "the last byte of the id, modulo the number of ranges")
    #expect(PlaceSums(bytes: sums.bytes) == sums && sums.bytes.count == 32)
    for count in [0, 1, 7, 24, 40, 257 * 8, 512 * 8] {
      #expect(PlaceSums(bytes: Array(repeating: 0, count: count)) == nil, "\(count) bytes")
    }
    #expect(PlaceSums(forQueues: 1).numbers.count == 1 && PlaceSums(forQueues: 1_000_000).numbers.count == 256)
  }
}
