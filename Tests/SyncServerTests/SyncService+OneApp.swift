// Tests of one app, whose schema has no name: they call the service for users. Commits for users are those of a client
// that knows its queues.

import SampleIDs
import SyncProtocol
import WireFormat

@testable import SyncServer

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
    try await push(request, by: Asker(user))
  }

  /// Commits as a client that has read the queue: under its grant. First bears a queue that does not exist, unless the
  /// request does.
  @discardableResult
  func push(_ request: CommitRequest, by asker: Asker) async throws -> CommitAnswer {
    var request = request
    if request.grant == nil { request.grant = try await grant(of: asker.user, in: request.queue) }
    let answer = try await commit(request, by: asker)
    guard answer.result == .refused(.noQueue),
      case .decided(let born) = try await commit(.birth(of: request.queue), by: asker).result
    else { return answer }
    request.grant = born.grant
    return try await commit(request, by: asker)
  }

  func commits(_ request: CommitsRequest, by user: UserID) async throws -> [CommitAnswer] {
    try await commits(request, by: Asker(user))
  }

  func grant(of user: UserID, in queue: QueueID) async throws -> GrantID? {
    try await storage.read { try $0.membership(of: user, in: queue)?.grant }
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
  func known(by user: UserID, ranges: Int = 1) async throws -> (sums: PlaceSums, places: [ChangedAnswer.Head]) {
    // The initializer is for about eight queues a range.
    var sums = PlaceSums(forQueues: ranges * 8)
    var places: [ChangedAnswer.Head] = []
    while true {
      let answer = try await changed(ChangedRequest(sums: sums, waitSeconds: 0), by: user)
      if answer.ranges.isEmpty { return (sums, places) }
      places += answer.places
      for place in answer.places { sums.add(place.queue, grant: place.grant, cursor: place.head) }
    }
  }
}
