// Damage to the files of a store before it is salvaged.

import Foundation
import TestSupport
import WireFormat

enum StoreDamage {
  case none
  /// The root page of the table of objects is overwritten with zeros.
  case objects
  /// The outbox row of the operation with this id was changed.
  case operation(OperationID)

  /// Draws a damage and applies it to the files of a store that is not open, or leaves them whole.
  static func draw(_ folder: TemporaryFolder, _ random: inout SeededRandom) throws -> Self {
    switch random.below(4) {
    case 0: try loseObjects(folder)
    case 1: try damageOperation(folder, &random)
    default: .none
    }
  }

  private static func loseObjects(_ folder: TemporaryFolder) throws -> Self {
    var numbers: [Int] = []
    for sql in ["page_size", "wal_checkpoint(TRUNCATE)"].map({ "PRAGMA \($0)" })
      + ["SELECT rootpage FROM sqlite_master WHERE name = 'object'"]
    {
      numbers += try StoreContents.lines(of: sql, in: folder.url.path).compactMap { Int($0) }
    }
    guard numbers.count == 2 else { return .none }
    let (size, page) = (numbers[0], numbers[1])
    var bytes = [UInt8](try Data(contentsOf: folder.url("store.sqlite")))
    bytes.replaceSubrange((page - 1) * size..<page * size, with: repeatElement(0, count: size))
    try folder.write("store.sqlite", bytes: bytes)
    return .objects
  }

  private static func damageOperation(_ folder: TemporaryFolder, _ random: inout SeededRandom) throws -> Self {
    let ids = try StoreContents.lines(of: "SELECT hex(id) FROM operation ORDER BY number", in: folder.url.path)
    guard !ids.isEmpty else { return .none }
    let id = random.pick(ids)
    let damage = random.pick([
      "changes = changes || x'01'", "parameters = parameters || x'01'", "performedAt = performedAt + 1", "sum = ~sum",
      "type = type + 1000", "queue = queue + 1000", "dependencies = coalesce(dependencies, x'') || id",
    ])
    _ = try StoreContents.lines(of: "UPDATE operation SET \(damage) WHERE id = x'\(id)'", in: folder.url.path)
    return OperationID(hexadecimal: id[...]).map { .operation($0) } ?? .none
  }
}

extension ObjectID {
  /// From 32 hexadecimal digits, as SQLite writes them.
  fileprivate init?(hexadecimal digits: Substring) {
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    self.init(UUIDValue(high: high, low: low))
  }

  var hexadecimal: String {
    [rawValue.high, rawValue.low].map { word in
      let digits = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
