// Ids of the model: 16 bytes, and the ones that a server derives. Section "Ids" of docs/formats/sync-protocol.md.
//
// The files of this folder are an independent server in plain values. They import nothing of ours, so that no mistake
// of the server can be in both (ArchitectureTests checks that).

import Crypto

struct PlainID: Hashable, Comparable {
  /// The 16 bytes as two numbers, most significant first.
  var high: UInt64
  var low: UInt64

  static let zero = Self(high: 0, low: 0)

  init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self = .zero
    for byte in bytes {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
  }

  /// 36 characters, in lower or upper case.
  init?(text: some Collection<UInt8>) {
    guard text.count == 36 else { return nil }
    self = .zero
    for (place, character) in text.enumerated() {
      if [8, 13, 18, 23].contains(place) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
  }

  static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }

  var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

  /// In lower case, as ASCII.
  var text: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(36)
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { result.append(UInt8(ascii: "-")) }
      result.append(Self.digits[Int(byte >> 4)])
      result.append(Self.digits[Int(byte & 15)])
    }
    return result
  }

  private static let digits = Array("0123456789abcdef".utf8)
}

extension PlainID: CustomStringConvertible {
  var description: String { String(decoding: text, as: UTF8.self) }
}

extension PlainID {
  static func home(of user: PlainID, schema: String) -> PlainID {
    var id = derived("modelgen.home.1", user.bytes + schema.utf8)
    id.high = id.high & 0xFFFF_FFFF | 0x686F_6D65 << 32
    return id
  }

  static func membership(of queue: PlainID, in home: PlainID) -> PlainID {
    bound(to: home, derived("modelgen.membership.1", queue.bytes).high)
  }

  static func member(_ user: PlainID, in queue: PlainID) -> PlainID {
    bound(to: queue, derived("modelgen.member.1", user.bytes).high)
  }

  static func acceptance(of queue: PlainID, in home: PlainID) -> PlainID {
    bound(to: home, derived("modelgen.acceptance.1", queue.bytes).high)
  }

  /// The object of a link, by the hash of its secret.
  static func link(_ hash: [UInt8], in queue: PlainID) -> PlainID {
    bound(to: queue, derived("modelgen.linked.1", hash).high)
  }

  /// The id of an object in a queue, with 59 bits of `chosen`. Section "Ids" of docs/formats/blob-format.md.
  static func bound(to queue: PlainID, _ chosen: UInt64, isDerived: Bool = false) -> PlainID {
    var bytes = chosen.bigEndianBytes
    bytes[0] = bytes[0] & 0x7F | (isDerived ? 0x80 : 0)
    bytes[6] = 0x80 | bytes[6] & 0x0F
    var proof = Array(SHA256.hash(data: Array("modelgen.bound.1".utf8) + [0] + queue.bytes + bytes).prefix(8))
    proof[0] = 0x80 | proof[0] & 0x3F
    return PlainID(bytes: bytes + proof) ?? .zero
  }

  /// The id that an identity gives, of values under the tags of their fields.
  static func derived(in queue: PlainID, type: String, _ values: [PlainRecord]) -> PlainID {
    var records: [UInt8] = []
    records.append(PlainRecord(tag: 1, wireType: 2, value: Array(type.utf8)))
    for value in values { records.append(value) }
    let hash = SHA256.hash(data: Array("modelgen.identity.1".utf8) + [0] + queue.bytes + records)
    return bound(to: queue, hash.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, isDerived: true)
  }

  /// The id that an identity gives to a queue. Section "Ids" of docs/formats/blob-format.md.
  static func queue(schema: String, type: String, _ values: [PlainRecord]) -> PlainID {
    var records: [UInt8] = []
    for name in [schema, type] { records.append(PlainRecord(tag: 1, wireType: 2, value: Array(name.utf8))) }
    for value in values { records.append(value) }
    var id = derived("modelgen.queue.1", records)
    id.high |= 1 << 63
    return id
  }

  /// Whether a queue with this id has an identity.
  var isOfIdentity: Bool { high >> 63 == 1 && high >> 12 & 15 == 8 }

  /// Whether an object of the queue, other than its root, may have this id.
  func isBound(to queue: PlainID) -> Bool { self == .bound(to: queue, high, isDerived: isDerived) }

  /// Whether a bound id was made of an identity.
  var isDerived: Bool { high >> 63 == 1 }

  /// Whether it has the form of a random UUID.
  var isVersion4: Bool { high >> 12 & 15 == 4 && low >> 62 == 2 }

  /// Whether it is of version 8 and begins with the four bytes `home`. Such ids are home queues, each of one user.
  var isReservedForHome: Bool { high >> 32 == 0x686F_6D65 && high >> 12 & 15 == 8 && low >> 62 == 2 }

  private static func derived(_ name: String, _ bytes: [UInt8]) -> PlainID {
    var digest = Array(SHA256.hash(data: Array(name.utf8) + [0] + bytes).prefix(16))
    digest[6] = digest[6] & 0x0F | 0x80
    digest[8] = digest[8] & 0x3F | 0x80
    return PlainID(bytes: digest) ?? .zero
  }
}

extension FixedWidthInteger {
  var bigEndianBytes: [UInt8] {
    stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> Self($0)) }
  }
}
