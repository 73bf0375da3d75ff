// Links by which people join a queue. Sections "Ids" and "Members and memberships" of docs/formats/sync-protocol.md.

import Crypto

/// A link, as the content of its object has it.
struct PlainLink {
  /// The hash of its secret, 32 bytes.
  var hash: [UInt8]
  /// The role of those who join by it.
  var role: PlainRole
  /// How many people may join by it yet.
  var uses: UInt64
  /// Until when, in milliseconds since 1970.
  var until: Int64

  /// The type of its object.
  static let type = "sync.link"

  static func hash(of secret: PlainID) -> [UInt8] {
    Array(SHA256.hash(data: Array("modelgen.link.1".utf8) + [0] + secret.bytes))
  }

  var content: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(PlainRecord(tag: 1, wireType: 2, value: hash))
    bytes.append(PlainRecord(tag: 2, number: role.rawValue))
    bytes.append(PlainRecord(tag: 3, number: uses))
    if until != 0 { bytes.append(PlainRecord(tag: 4, number: UInt64(bitPattern: until))) }
    return bytes
  }
}

extension PlainLink {
  /// Reads the content of an object; nil if it is that of no link.
  init?(content: [UInt8]) {
    let records = (try? content.records()) ?? []
    func number(_ tag: UInt64) -> UInt64 { (try? records.last { $0.tag == tag }?.number()) ?? 0 }
    guard let hash = records.last(where: { $0.tag == 1 })?.value, let role = PlainRole(rawValue: number(2)) else {
      return nil
    }
    self.init(hash: hash, role: role, uses: number(3), until: Int64(bitPattern: number(4)))
  }
}

/// A change of one link.
struct PlainLinkChange {
  /// The hash of its secret, 32 bytes.
  var hash: [UInt8]
  /// The link as it is opened; nil if it is closed.
  var opened: PlainLink?

  init(_ bytes: [UInt8]) throws(PlainMalformed) {
    let records = try bytes.records()
    let tags = records.map(\.tag)
    guard tags.first == 1 else { throw PlainMalformed() }
    hash = try records[0].bytes()
    guard hash.count == 32 else { throw PlainMalformed() }
    if tags == [1, 5] {
      guard try records[1].number() == 1 else { throw PlainMalformed() }
      return
    }
    guard tags == [1, 2, 3, 4] else { throw PlainMalformed() }
    let (number, uses, until) = (try records[1].number(), try records[2].number(), try records[3].number())
    guard let role = PlainRole(rawValue: number), (1...10_000).contains(uses) else { throw PlainMalformed() }
    opened = PlainLink(hash: hash, role: role, uses: uses, until: Int64(bitPattern: until))
  }
}
