// A new store from what can still be read of a damaged one.

import Foundation
import GRDB
public import ModelTypes

/// The result of saving what can be read of a damaged store.
public struct Salvage: Hashable, Sendable {
  /// Operations that wait to be sent, as they did before.
  public var operations = 0
  /// Operations of `attention`: those that were there, and those whose bytes are damaged.
  public var attention = 0
  /// Objects that never leave the device.
  public var deviceObjects = 0
  /// What could not be read, each a sentence for a person. Damaged pages of confirmed objects are named too: nobody can
  /// say what else was on them.
  public var problems: [String] = []
  /// The folder with the files as they were found.
  public var damagedFolder: String
}

extension ModelStore {
  /// Makes a new store from what can still be read of a damaged one; to be called when opening it throws `damaged`.
  ///
  /// Pending operations, what is in `attention`, and objects that never leave the device are taken over. Confirmed
  /// objects are not: sync fetches them again. The damaged files are kept, in a folder beside the new store. Can be called
  /// again after a crash. Throws a `StoreError`: `busy` where somebody has the store open.
  @discardableResult
  public static func salvage(
    at folder: String, schema: any SchemaDescription.Type, user: UserID
  ) throws -> Salvage {
    try StoreError.translating {
      let place = SalvagePlace(folder: folder)
      guard place.hasStore else {
        throw StoreError(.foreign, "There is no store in \(folder) that could be salvaged.")
      }
      let claim = try StoreClaim(folder: folder)
      defer { claim.letGo() }
      try place.begin()
      var salvage = Salvage(damagedFolder: place.damaged)
      try salvage.fill(place, schema: schema, user: user)
      try place.finish()
      return salvage
    }
  }
}

extension Salvage {
  /// Writes the new database. Where nothing can be read it stays empty, and that is told.
  fileprivate mutating func fill(
    _ place: SalvagePlace, schema: any SchemaDescription.Type, user: UserID
  ) throws {
    var (queue, numbers) = try StoreDatabase.connect(path: place.unfinished, schema: schema, user: user)
    do {
      try StoreInspection.read(folder: place.folder) { inspection in
        problems = inspection.problems
        var rows = SalvagedRows(inspection)
        try rows.checkOwner(schema: schema.name, user: user)
        try queue.write { try rows.copy(to: $0, &numbers, &self) }
      }
    } catch let error as StoreError where error.code == .damaged {
      problems.append(error.message)
    }
    // Writes the log back, so that the database is one file; closing alone would not say that there was no room.
    let isWritten = try queue.writeWithoutTransaction { database in
      try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?.decode(Int64.self, atIndex: 0) == 0
    }
    guard isWritten else { throw StoreError(.inputOutput, "The new store cannot be written as a whole.") }
    try queue.close()
  }
}
