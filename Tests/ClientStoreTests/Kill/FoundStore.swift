// The content of a store after its process was killed, in the terms of `KillScript`.

import Foundation
import GRDB
import ModelSupport

@testable import StoreVictim

struct FoundStore {
  /// Problems that the checks of SQLite and of the store find; empty if there are none.
  private(set) var damage: [String] = []
  var pending: [PendingOperation]
  /// Numbers of the operations among the failed operations.
  var failedOperations: Set<Int64>
  var cursor: Int64
  var pages: [Int64: Marks]
  var scraps: [Int64: Marks]
  /// The outcomes that the server has decided, in its order.
  var decisions: [OperationOutcome]

  init(_ folder: String, log: String) throws {
    let store = try ModelStore(at: folder, schema: VictimSchema.self, user: StoreVictim.user)
    pending = store.pendingOperations
    failedOperations = Set(store.failedOperations.map(\.id.operationNumber))
    pages = try Self.marks(Page.self, in: store)
    scraps = try Self.marks(Scrap.self, in: store)
    decisions = try VictimServer(log: log, queue: StoreVictim.box).entries.map(\.outcome)
    // Reads the cursor from disk, because the killed process may have saved one without having printed it.
    let database = try DatabaseQueue(path: folder + "/store.sqlite")
    (cursor, damage) = try database.read { database in
      let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check")
      return (
        try Int64.fetchOne(database, sql: "SELECT max(cursor) FROM queue") ?? 0, integrity.filter { $0 != "ok" }
      )
    }
    // The store has moved operations there that cannot be read, or whose checksum is wrong.
    damage += store.failedOperations.filter { $0.reason.code == .damaged }.map { "\($0.id): \($0.reason.message)" }
    for id in pages.keys where try store.object(Page.id(id)).map(Marks.init) != pages[id] {
      damage.append("page \(id) differs in the list and alone")
    }
  }

  private static func marks<Object: Marked>(_: Object.Type, in store: ModelStore) throws -> [Int64: Marks] {
    Dictionary(uniqueKeysWithValues: try store.objects(Object.self).map { ($0.id.number, Marks($0)) })
  }
}

/// The fields of an object that the script compares.
struct Marks: Equatable {
  var numbers: Set<Int64>
  var last: Int64
  var count: Int64

  init<Object: Marked>(_ object: Object) {
    (numbers, last, count) = (Set(object.marks), object.last, object.count)
  }

  private init(_ number: Int64) {
    (numbers, last, count) = ([number], number, 1)
  }

  /// The object after an operation; nil if it does not exist then.
  static func after(_ operation: KillScript.Operation, _ before: Self?) -> Self? {
    switch operation.action {
    case .createPage, .createScrap: return before ?? Self(operation.number)
    case .deletePage, .deleteScrap: return nil
    case .refused: return before
    case .markPages, .markScrap:
      guard var marks = before else { return nil }
      marks.numbers.insert(operation.number)
      marks.last = operation.number
      marks.count += 1
      return marks
    }
  }
}
