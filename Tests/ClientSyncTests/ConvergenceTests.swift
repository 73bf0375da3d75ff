// Two devices and a server: what one does, the other sees.

import ModelRuntime
import MomentsModels
import Testing

@Suite struct ConvergenceTests {
  @Test func aQueueMadeOfflineArrives() async throws {
    let server = try TestServer()
    let (anna, ben) = (try server.device(1), try server.device(2))
    let moment = anna.store.create(Moment(title: "Lake", startsAt: .zero))
    anna.store.perform(Invite(moment: moment.id, user: ben.store.user))
    try await anna.store.saved()
    try await anna.client.syncOnce()
    #expect(anna.store.outbox.isEmpty)
    try await ben.client.syncOnce()
    #expect(try ben.store.object(moment.id) == moment)
  }
}

/// Takes somebody into the queue of a moment, or out of it.
struct Invite: ModelOperation {
  var moment: Moment.ID
  var user: UserID
  var isIn = true

  static let operationName = "moment.invite"
  static let fieldTable = FieldTable(
    projection: "moment.invite", Field(1, "moment", \Self.moment), Field(2, "user", \Self.user))

  func evaluate(in context: inout OperationContext) throws {
    if isIn {
      try context.follow(user, inQueueOf: moment)
    } else {
      try context.unfollow(user, inQueueOf: moment)
    }
  }
}
