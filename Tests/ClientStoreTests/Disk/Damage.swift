// Kinds of damage that a bad drive, a bad cable or a bad copy does to the files of a store.

import ModelSupport
import StoreTestSupport

enum Damage: CaseIterable {
  case flippedBit, zeroedPage, truncatedDatabase, foreignDatabase
  case flippedBitInLog, zeroedPageInLog, truncatedLog, missingLog, foreignLog, noiseAsLog

  /// The database and the log of a store, as they lie on a disk.
  struct Files {
    var database: [UInt8]
    var log: [UInt8]
  }

  func apply(to files: Files, of other: Files, _ dice: RuntimeEnvironment) -> Files {
    var files = files
    func roll(_ sides: Int) -> Int { Int(dice.randomBits() % UInt64(max(1, sides))) }
    func flip(_ bytes: inout [UInt8]) { bytes[roll(bytes.count)] ^= 1 << UInt8(roll(8)) }
    func zero(_ bytes: inout [UInt8]) {
      let start = roll(bytes.count / 4096) * 4096
      for index in start..<min(start + 4096, bytes.count) { bytes[index] = 0 }
    }
    switch self {
    case .flippedBit: flip(&files.database)
    case .zeroedPage: zero(&files.database)
    case .truncatedDatabase: files.database.removeLast(1 + roll(files.database.count))
    case .foreignDatabase: files.database = other.database
    case .flippedBitInLog: flip(&files.log)
    case .zeroedPageInLog: zero(&files.log)
    case .truncatedLog: files.log.removeLast(1 + roll(files.log.count))
    case .missingLog: files.log = []
    case .foreignLog: files.log = other.log
    case .noiseAsLog: files.log = files.log.map { _ in UInt8(truncatingIfNeeded: dice.randomBits()) }
    }
    return files
  }

  var isForeign: Bool { self == .foreignDatabase || self == .foreignLog }

  /// Neither SQLite nor the store can detect this: rows of objects have no checksum, and nothing binds a log to its
  /// database.
  var isBeyondSQLite: Bool { [.flippedBit, .zeroedPage, .foreignLog].contains(self) }

  var isOfLog: Bool {
    switch self {
    case .flippedBit, .zeroedPage, .truncatedDatabase, .foreignDatabase: false
    case .flippedBitInLog, .zeroedPageInLog, .truncatedLog, .missingLog, .foreignLog, .noiseAsLog: true
    }
  }
}

extension FaultDisk {
  convenience init(_ files: Damage.Files) {
    self.init()
    self["store.sqlite"] = files.database
    self["store.sqlite-wal"] = files.log.isEmpty ? nil : files.log
  }

  var files: Damage.Files {
    Damage.Files(database: self["store.sqlite"] ?? [], log: self["store.sqlite-wal"] ?? [])
  }
}
