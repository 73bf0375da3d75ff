// Tests of one app, whose schema has no name: they call the service for users.

import SyncProtocol
import SyncServer
import WireFormat

extension Asker {
  /// By the app without a name.
  init(_ user: UserID) { self.init(user, schema: "") }
}

extension SyncID {
  /// In the app without a name.
  static func homeQueue(ofUser user: UserID) -> QueueID { homeQueue(ofUser: user, schema: "") }
}

extension SyncService {
  @discardableResult
  func commit(_ request: CommitRequest, by user: UserID) async throws -> CommitAnswer {
    try await commit(request, by: Asker(user))
  }

  func commits(_ request: CommitsRequest, by user: UserID) async throws -> [CommitAnswer] {
    try await commits(request, by: Asker(user))
  }

  func delta(_ request: DeltaRequest, by user: UserID, room: Int = .max) async throws -> [DeltaAnswer] {
    try await delta(request, by: Asker(user), room: room)
  }

  func objects(_ request: ObjectsRequest, by user: UserID, room: Int = .max) async throws -> ObjectsPage {
    try await objects(request, by: Asker(user), room: room)
  }

  func changed(_ request: ChangedRequest, by user: UserID) async throws -> ChangedAnswer {
    try await changed(request, by: Asker(user))
  }
}

extension SyncService {
  /// The sums of a client that has read everything, and the places that it knows.
  func known(
    by user: UserID, ranges: Int = 1
  ) async throws -> (sums: PlaceSums, places: [ChangedAnswer.Head]) {
    // The initializer is for about eight queues a range.
    var sums = PlaceSums(forQueues: ranges * 8)
    var places: [ChangedAnswer.Head] = []
    while true {
      let answer = try await changed(ChangedRequest(sums: sums, waitSeconds: 0), by: user)
      if answer.ranges.isEmpty { return (sums, places) }
      places += answer.places
      for place in answer.places { sums.add(place.queue, epoch: place.epoch, grant: place.grant, cursor: place.head) }
    }
  }
}
