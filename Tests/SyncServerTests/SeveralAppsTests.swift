// Tests of several apps on one server: each has its own queues, home queues and table of access.

import Foundation
import GraphQL
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import SyncServer

@Suite(.onEachStorage) struct SeveralAppsTests {
  private let server: TestServer
  private let cards = Asker(.anna, schema: "Cards")
  private let wallet = Asker(.anna, schema: "Wallet")

  /// Anna has a card in a queue of each app.
  init() async throws {
    server = try TestServer()
    let first = CommitRequest(queue: .queue(1), mutations: [.init(1, .create(1, "Hund", type: "card", in: .queue(1)))])
    let second = CommitRequest(queue: .queue(2), mutations: [.init(2, .create(1, "Visa", type: "card", in: .queue(2)))])
    for (request, asker) in [(first, cards), (second, wallet)] {
      _ = try #require(try await server.service.push(request, by: asker).result.decided)
    }
  }

  private func delta(_ queue: QueueID, by asker: Asker) async throws -> DeltaAnswer.Result? {
    try await server.service.delta(DeltaRequest(queues: [.init(queue: queue)]), by: asker).first?.result
  }

  private func named(by asker: Asker) async throws -> Set<QueueID> {
    guard case .page(let page)? = try await delta(asker.home, by: asker) else { return [] }
    return Set(try page.objects.compactMap(\.live).map { try QueueMembership(content: $0.content).queue })
  }

  private static func edit(in queue: QueueID) throws -> ObjectChange {
    var patch = PatchBuilder()
    patch.set(2, "Katze")
    return ObjectChange(.object(1, in: queue), .patch(try patch.patch()))
  }

  @Test func queueIsThereForItsAppOnly() async throws {
    #expect(try await delta(wallet.home, by: cards) == .refused(.noQueue), "each app has home queues of its own")
    for (asker, own, other) in [(cards, QueueID.queue(1), QueueID.queue(2)), (wallet, .queue(2), .queue(1))] {
      #expect(try await delta(own, by: asker)?.page != nil, "its own queue is served to \(asker.schema)")
      #expect(try await delta(other, by: asker) == .refused(.noQueue))
      let commit = CommitRequest(queue: other, mutations: [.init(9, .create(9, "?", type: "card", in: other))])
      #expect(try await server.service.commit(commit, by: asker).result == .refused(.noQueue))
      await #expect {
        _ = try await server.service.objects(ObjectsRequest(queue: other), by: asker)
      } throws: {
        ($0 as? RequestError)?.code == .forbidden
      }
      let poll = ChangedRequest(sums: PlaceSums(forQueues: 1), waitSeconds: 0)
      #expect(Set(try await server.service.changed(poll, by: asker).places.map(\.queue)) == [own, asker.home])
      #expect(try await named(by: asker) == [own])
    }
  }

  @Test func listsNewMembershipInThatAppOnly() async throws {
    let follow = CommitRequest(queue: .queue(1), mutations: [.init(3, OperationChanges(members: [.follow(.ben)]))])
    try await server.service.push(follow, by: cards)
    #expect(try await named(by: Asker(.ben, schema: "Cards")) == [.queue(1)])
    #expect(try await named(by: Asker(.ben, schema: "Wallet")).isEmpty)
    #expect(try await delta(.queue(1), by: Asker(.ben, schema: "Wallet")) == .refused(.noQueue))
  }

  @Test func tableJudgesQueuesOfItsSchemaOnly() async throws {
    let owners = AccessTable(types: ["card": ObjectAccess(update: [.owner])])
    server.service.serve(AccessTables(["Cards": owners]))
    var statuses: [String: OperationOutcome.Status?] = [:]
    for (queue, anna) in [(QueueID.queue(1), cards), (.queue(2), wallet)] {
      let follow = OperationChanges(members: [.follow(.ben)])
      try await server.service.push(CommitRequest(queue: queue, mutations: [.init(4, follow)]), by: anna)
      let edit = CommitRequest(
        queue: queue, mutations: [.init(5, OperationChanges(objects: [try Self.edit(in: queue)]))])
      let answer = try await server.service.push(edit, by: Asker(.ben, schema: anna.schema))
      guard case .decided(let decided) = answer.result else { continue }
      statuses[anna.schema] = decided.outcomes.first?.status
    }
    #expect(statuses == ["Cards": .rejected(RejectionCode.forbidden), "Wallet": .applied])
  }

  /// The table of the first app lets readers upload.
  @Test func tableJudgesFilesOfItsSchemaOnly() async throws {
    let likes = AccessTable(types: ["card": ObjectAccess(fields: [9: [.reader]])])
    server.service.serve(AccessTables(["Cards": likes]))
    let folder = try TemporaryFolder()
    let files = FileService(server.service, files: FolderStorage(path: folder.url("files").path), threads: 1)
    for (queue, anna) in [(QueueID.queue(1), cards), (.queue(2), wallet)] {
      let follow = OperationChanges(members: [.follow(.ben, as: .reader)])
      try await server.service.push(CommitRequest(queue: queue, mutations: [.init(4, follow)]), by: anna)
      let place = FileKey(queue: queue, hash: ContentHash(words: (1, 2, 3, 4)))
      var refusal: RequestError.Code?
      do { _ = try await files.begin(place, at: 0, by: .ben) } catch let error as RequestError { refusal = error.code }
      #expect(refusal == (anna == cards ? nil : .forbidden))
    }
  }

  /// A client names the schema in the request, and one that names none is an app of its own.
  @Test func requestNamesTheSchema() async throws {
    let asked = DeltaRequest(queues: [.init(queue: .queue(1))])
    func answer(_ schema: String?) async throws -> DeltaAnswer.Result? {
      let response = await server.service.answer(SyncCall.delta.body(asked, schema: schema), by: .anna)
      return try SyncCall.delta.answer(response.body).first?.result
    }
    #expect(try await answer("Cards")?.page != nil)
    #expect(try await answer("Wallet") == .refused(.noQueue))
    #expect(try await answer(nil) == .refused(.noQueue))
    for wrong in ["", "a b", String(repeating: "a", count: 101)] {
      let response = await server.service.answer(SyncCall.delta.body(asked, schema: wrong), by: .anna)
      #expect(response.status == 400 && response.errors.first?.code == .init(.badRequest), "\(wrong)")
    }
  }

  /// Each schema that a request names may give its user one more home queue, so they are bounded.
  @Test func homeQueuesCountAsQueuesOfTheirUser() async throws {
    let server = try TestServer(room: RoomLimit(userQueues: 2))
    for number in 1...4 {
      let asker = Asker(.anna, schema: "App\(number)")
      let answers = try await server.service.delta(DeltaRequest(queues: [.init(queue: asker.home)]), by: asker)
      #expect((answers.first?.result == .refused(.noQueue)) == (number > 2))
      let poll = ChangedRequest(sums: PlaceSums(forQueues: 1), waitSeconds: 0)
      let places = try await server.service.changed(poll, by: asker).places
      #expect(places.map(\.queue) == (number <= 2 ? [asker.home] : []))
    }
    #expect(try server.storage.read { try $0.queueCount(of: .anna).own } == 2)
  }
}
