// What strangers of a group try in the name of others: the app's own store refuses it, with its button disabled before,
// and the server refuses it of a program that asks no store.

import ModelSupport
import ModelTesting
import MomentsModels
import Testing

@Suite struct NamesTests {
  let server: PreviewServer
  let (anna, ben): (PreviewDevice, PreviewDevice)
  /// A program of Ben's that knows no rights.
  let rogue: PreviewDevice
  let moment = Moment(title: "Hut to hut")

  init() async throws {
    server = try PreviewServer(MomentsSchema.self)
    (anna, ben) = (try server.device("anna"), try server.device("ben"))
    rogue = try server.device("ben", schema: RogueSchema.self)
    anna.store.create(moment)
    anna.store.perform(Moment.Share(moment.id, photos: [], recipient: ben.user))
    for device in [anna, ben, rogue] { try await device.sync() }
  }

  /// Expects that the app refuses to create the object before its button is shown, and the server when it comes.
  private func expectRefused(_ object: some Model) async throws {
    #expect(!ben.store.can(create: object))
    ben.store.create(object)
    #expect(ben.store.failedOperations.last?.reason.code == .forbidden)
    #expect(rogue.store.can(create: object), "it asks nobody")
    let created = rogue.store.create(object)
    try await rogue.sync()
    #expect(rogue.store.failedOperations.first { $0.id == created.id }?.reason.code == .forbidden)
  }

  @Test func nobodyIsPutIntoAPlaceThatIsSomebodyElses() async throws {
    try await expectRefused(Member(moment: moment.id, user: anna.user, name: "Anna, says Ben"))
    let own = Member(moment: moment.id, user: ben.user, name: "Ben")
    #expect(ben.store.can(create: own))
    ben.store.create(own)
    try await ben.sync()
    try await anna.sync()
    #expect(try anna.store.objects(Member.self).map(\.name) == ["Ben"])
    anna.store.create(Member(moment: moment.id, user: anna.user, name: "Anna"))
    try await anna.sync()
    #expect(try Set(anna.store.objects(Member.self).map(\.name)) == ["Anna", "Ben"])
  }

  /// Whatever the program calls it.
  @Test func nothingElseTakesThePlaceOfAMember() async throws {
    let theirs = Member(moment: moment.id, user: anna.user, name: "Anna")
    let thing = rogue.store.create(Thing(id: ObjectID(theirs.id.rawValue), moment: moment.id))
    try await rogue.sync()
    #expect(rogue.store.failedOperations.first { $0.id == thing.id }?.reason.code == .forbidden)
    anna.store.create(theirs)
    try await anna.sync()
    #expect(try anna.store.object(theirs.id) == theirs && anna.store.failedOperations.isEmpty)
  }

  @Test func nobodyWritesInAnothersName() async throws {
    func news(from sender: UserID) -> MomentNotification {
      MomentNotification(
        kind: .joined, sender: sender, recipient: ben.user, moment: moment.id, photos: [], createdAt: server.clock.now)
    }
    try await expectRefused(news(from: anna.user))
    #expect(ben.store.can(create: news(from: ben.user)))
    // What is written stays, whoever wrote it.
    let theirs = try #require(try ben.store.objects(MomentNotification.self).first { $0.sender == anna.user })
    #expect(!ben.store.can(.update, theirs.id) && !ben.store.can(.delete, theirs.id))
    #expect(anna.store.can(.delete, theirs.id))
    let edit = rogue.store.update(theirs.id) { $0.kind = .photoLiked }
    let deletion = rogue.store.delete(theirs.id)
    try await rogue.sync()
    for operation in [edit, deletion] {
      #expect(rogue.store.failedOperations.first { $0.id == operation.id }?.reason.code == .forbidden)
    }
    #expect(try rogue.store.object(theirs.id) == theirs)
  }

  @Test func thoseWhomTheFounderPromotedCannotTurnOnThem() async throws {
    let queue = moment.id.queueID
    struct Change: ModelOperation {
      var moment: Moment.ID
      var body: @Sendable (inout OperationContext) throws -> Void
      static let operationName = "moment.change"
      static let fieldTable = FieldTable(projection: "moment.change", Field(1, "moment", \Self.moment))
      func evaluate(in context: inout OperationContext) throws { try body(&context) }
    }
    let (id, founder, heir) = (moment.id, anna.user, ben.user)
    anna.store.perform(Change(moment: id) { try $0.setRole(of: heir, to: .owner, inQueueOf: id) })
    try await anna.sync()
    for device in [ben, rogue] { try await device.sync() }
    #expect(ben.store.role(in: queue) == .owner)
    let expel = Change(moment: id) { try $0.unfollow(founder, inQueueOf: id) }
    let lower = Change(moment: id) { try $0.setRole(of: founder, to: .reader, inQueueOf: id) }
    for change in [expel, lower] {
      #expect(!ben.store.can(change))
      #expect(ben.store.perform(change).isFailed)
    }
    #expect(anna.store.can(expel), "the founder may leave")
  }
}

extension OperationHandle {
  fileprivate var isFailed: Bool { if case .failed = state { true } else { false } }
}

/// The schema of a program that knows the models and no rights.
private enum RogueSchema: SchemaDescription {
  static let name = MomentsSchema.name
  static let models: [any Model.Type] = [Rogue<Member>.self, Rogue<MomentNotification>.self, Moment.self, Thing.self]
}

/// A model of which the server knows nothing.
private struct Thing: Model {
  let id: ObjectID<Self>
  var moment: Moment.ID = .zero
  var unknownFields = UnknownFields.none

  static let modelName = "thing"
  static let fieldTable = FieldTable("thing", unknownFields: \Self.unknownFields, Field(1, "moment", \Self.moment))
  var queueID: QueueID? { moment.queueID }

  init(zeroWithID id: ObjectID<Self>) { self.id = id }
  init(id: ObjectID<Self>, moment: Moment.ID) { (self.id, self.moment) = (id, moment) }
}

private struct Rogue<Honest: Model>: Model {
  let id: ObjectID<Self>
  var unknownFields = UnknownFields.none

  static var modelName: String { Honest.modelName }
  static var fieldTable: FieldTable { Honest.fieldTable }
  var queueID: QueueID? { nil }

  init(zeroWithID id: ObjectID<Self>) { self.id = id }
}
