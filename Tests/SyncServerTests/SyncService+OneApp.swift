// Tests of one app, whose schema has no name: they call the service for users.

import SyncProtocol
import SyncServer
import WireFormat

extension Asker {
  /// By the app without a name.
  init(_ user: UUIDValue) { self.init(user, schema: "") }
}

extension SyncID {
  /// In the app without a name.
  static func homeQueue(ofUser user: UUIDValue) -> UUIDValue { homeQueue(ofUser: user, schema: "") }
}

extension SyncService {
  @discardableResult
  func commit(_ request: CommitRequest, by user: UUIDValue) async throws -> CommitAnswer {
    try await commit(request, by: Asker(user))
  }

  func commits(_ request: CommitsRequest, by user: UUIDValue) async throws -> [CommitAnswer] {
    try await commits(request, by: Asker(user))
  }

  func delta(_ request: DeltaRequest, by user: UUIDValue, room: Int = .max) async throws -> [DeltaAnswer] {
    try await delta(request, by: Asker(user), room: room)
  }

  func objects(_ request: ObjectsRequest, by user: UUIDValue, room: Int = .max) async throws -> ObjectsPage {
    try await objects(request, by: Asker(user), room: room)
  }

  func changed(_ request: ChangedRequest, by user: UUIDValue) async throws -> ChangedAnswer {
    try await changed(request, by: Asker(user))
  }

  func changedAll(_ request: ChangedAllRequest, by user: UUIDValue) async throws -> ChangedAllAnswer {
    try await changedAll(request, by: Asker(user))
  }
}
