// Sums up the places in many queues, as one number for each range of queue ids.

import Crypto
package import WireFormat

/// Equal numbers of a range mean that, most likely, both sides are at the same place in each queue of the range. A hint
/// (docs/formats/sync-protocol.md, "Changed").
package struct PlaceSums: Hashable, Sendable {
  /// One number for each range. Their count is a power of two, from 1 to `ProtocolLimits.placeSums`.
  package private(set) var numbers: [UInt64]

  /// About how many queues a range should have, unless that would need more than `ProtocolLimits.placeSums` ranges.
  private static let queuesOfARange = 8

  /// The sums of no queue, with the ranges that suit `count` queues.
  package init(forQueues count: Int) {
    numbers = Array(repeating: 0, count: Self.ranges(forQueues: count))
  }

  /// How many ranges suit `count` queues.
  package static func ranges(forQueues count: Int) -> Int {
    var ranges = 1
    while ranges < ProtocolLimits.placeSums, ranges * queuesOfARange < count { ranges *= 2 }
    return ranges
  }

  /// The sums of no queue, with the same ranges as `other`.
  package init(rangesOf other: Self) {
    numbers = Array(repeating: 0, count: other.numbers.count)
  }

  package func range(of queue: QueueID) -> Int { Int(queue.rawValue.low & UInt64(numbers.count - 1)) }

  /// Adds a queue's place. `cursor` is the newest revision of the queue that this side knows.
  package mutating func add(_ queue: QueueID, grant: GrantID, cursor: Int64) {
    numbers[range(of: queue)] &+= Self.hash(queue, grant, cursor)
  }

  /// Takes back an `add` of the same values.
  package mutating func remove(_ queue: QueueID, grant: GrantID, cursor: Int64) {
    numbers[range(of: queue)] &-= Self.hash(queue, grant, cursor)
  }

  private static func hash(_ queue: QueueID, _ grant: GrantID, _ cursor: Int64) -> UInt64 {
    var hash = SHA256()
    for id in [queue.rawValue, grant.rawValue] {
      id.withBigEndianBytes { hash.update(bufferPointer: $0) }
    }
    withUnsafeBytes(of: cursor.bigEndian) { hash.update(bufferPointer: $0) }
    return hash.finalize().withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// The ranges whose numbers differ, ascending. Both sides must have the same ranges.
  package func differing(from other: Self) -> [Int] {
    numbers.indices.filter { numbers[$0] != other.numbers[$0] }
  }
}

extension PlaceSums {
  /// Nil if the bytes do not hold an allowed number of ranges.
  package init?(bytes: [UInt8]) {
    let count = bytes.count / 8
    guard bytes.count % 8 == 0, (1...ProtocolLimits.placeSums).contains(count), count.nonzeroBitCount == 1 else {
      return nil
    }
    numbers = (0..<count).map { index in
      bytes[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// 8 bytes for each range, big-endian.
  package var bytes: [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
  }
}

extension UUIDValue {
  fileprivate func withBigEndianBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian), body)
  }
}
