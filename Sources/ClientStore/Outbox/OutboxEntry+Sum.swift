// A checksum of the fixed part of an operation: it finds damage on disk before the operation is shown or sent.

import WireFormat

extension OutboxEntry {
  /// The checksum of everything that is stored when the operation is performed.
  var sum: Int64 {
    Self.sum(
      number: number, id: id, queue: queue, name: name, performedAt: performedAt, parameters: parameters,
      changes: bytes, dependencies: dependencies)
  }

  /// FNV-1a with 64 bits (Fowler, Noll, Vo): a single flipped bit always changes the sum. Needed because SQLite has no
  /// checksums of its pages.
  static func sum(
    number: Int64, id: OperationID, queue: QueueID?, name: String, performedAt: Timestamp, parameters: [UInt8],
    changes: [UInt8], dependencies: [OperationID] = []
  ) -> Int64 {
    var hash = FowlerNollVo()
    hash.add(UInt64(bitPattern: number))
    hash.add(id.rawValue)
    hash.add(queue?.rawValue ?? .zero)
    hash.add(UInt64(bitPattern: performedAt.millisecondsSince1970))
    hash.add(name.utf8)
    hash.add(parameters)
    hash.add(changes)
    for id in dependencies { hash.add(id.rawValue) }
    return Int64(bitPattern: hash.value)
  }
}

private struct FowlerNollVo {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
  }

  /// The count goes first: it says where one list of bytes ends and the next begins.
  mutating func add(_ bytes: some Collection<UInt8>) {
    add(UInt64(bytes.count))
    for byte in bytes { add(byte) }
  }

  mutating func add(_ id: UUIDValue) {
    add(id.high)
    add(id.low)
  }

  /// Least significant byte first.
  mutating func add(_ number: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
  }
}
