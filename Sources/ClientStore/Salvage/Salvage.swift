// Makes a new store from what can still be read of a damaged one.

public import Foundation
import GRDB
package import ModelTypes
package import WireFormat

/// The result of `ModelStore.salvage`.
public struct Salvage: Hashable, Sendable {
  /// The number of operations that are pending, as before.
  public var operations = 0
  /// The number of operations in `failedOperations`: those that were there, and those whose bytes are damaged.
  public var failedOperations = 0
  /// The number of objects that never leave the device.
  public var deviceObjects = 0
  /// The parts that could not be read, each a sentence for a person. Damaged pages of confirmed objects are named too,
  /// because other rows may have been on them.
  public var problems: [String] = []
  /// The folder with the files as they were found.
  public var damagedFolder: URL
}

extension ModelStore {
  package static func salvage(
    at folder: String, schema: any SchemaDescription.Type, user: UserID
  ) throws -> Salvage {
    try StoreError.translating {
      let place = SalvageFiles(folder: folder)
      guard place.hasStore else {
        throw StoreError(.foreign, "There is no store in \(folder) that could be salvaged.")
      }
      let claim = try StoreClaim(folder: folder)
      defer { claim.letGo() }
      try place.begin()
      var salvage = Salvage(damagedFolder: URL(filePath: place.damaged))
      try salvage.fill(place, schema: schema, user: user)
      try place.finish()
      return salvage
    }
  }
}

extension Salvage {
  /// Writes the new database. If nothing can be read, it stays empty, and `problems` says so.
  fileprivate mutating func fill(
    _ place: SalvageFiles, schema: any SchemaDescription.Type, user: UserID
  ) throws {
    let (queue, numbers) = try StoreDatabase.connect(path: place.unfinished, schema: schema, user: user)
    do {
      try StoreInspection.read(folder: place.folder) { inspection in
        problems = inspection.problems
        var rows = SalvagedRows(inspection)
        try rows.checkOwner(schema: schema.name, user: user)
        try queue.write { try rows.copy(to: StoreTransaction($0, numbers), &self) }
      }
    } catch let error as StoreError where error.code == .damaged {
      problems.append(error.message)
    }
    // Moves the log into the database, so that it is one file. Closing does that too, but would not report a full disk.
    let isWritten = try queue.writeWithoutTransaction { database in
      try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?.decode(Int64.self, atIndex: 0) == 0
    }
    guard isWritten else { throw StoreError(.inputOutput, "The new store cannot be written as a whole.") }
    try queue.close()
  }
}
