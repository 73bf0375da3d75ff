// The peer that an app would write with GRDB alone: Codable records, as its guide shows them.

import Foundation
import GRDB
import ModelSupport

final class RecordStore {
  private let queue: DatabaseQueue

  init(_ path: String) throws {
    var configuration = Configuration()
    configuration.journalMode = .wal
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE object (
            id BLOB NOT NULL, queue INTEGER NOT NULL, type INTEGER NOT NULL, revision INTEGER NOT NULL,
            newestBy INTEGER, createdBy BLOB, createdAt INTEGER, updatedAt INTEGER, content BLOB NOT NULL,
            PRIMARY KEY (id))
          """)
    }
  }

  func apply(_ records: [ObjectRecord]) throws {
    try queue.write { database in
      for record in records { try record.upsert(database) }
    }
  }

  func save(_ record: ObjectRecord) throws {
    try queue.write { try record.save($0) }
  }

  func read(_ id: Data) throws -> ObjectRecord? {
    try queue.read { try ObjectRecord.fetchOne($0, key: ["id": id]) }
  }
}

struct ObjectRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "object"

  var id: Data
  var queue: Int64 = 1
  var type: Int64 = 1
  var revision: Int64
  var newestBy: Int64?
  var createdBy: Data?
  var createdAt: Int64?
  var updatedAt: Int64?
  var content: Data
}

extension ObjectRecord {
  init(_ state: ObjectState) {
    self.init(
      id: Data(state.id.bytes), revision: state.revision, newestBy: state.live?.newestBy,
      createdBy: state.live.map { Data($0.system.createdBy.rawValue.bytes) },
      createdAt: state.live?.system.createdAt.millisecondsSince1970,
      updatedAt: state.live?.system.updatedAt.millisecondsSince1970, content: Data(state.live?.content ?? []))
  }
}
