// Reads queues by the query of sync, and decodes objects of all models of a schema.

import ModelRuntime
import MomentsModels
import SampleIDs
import Testing

@Suite struct SchemaDeltaQueryTests {
  let query = MomentsSchema.deltaQuery

  @Test func pageHasAllTypesAndDecodesThoseOfSchema() async throws {
    let queue = try TestQueue()
    try await queue.commit { context in
      try context.create(queue.moment)
      try context.create(queue.photo(1))
      try context.create(queue.member(1))
    }
    try await queue.commit(queue.damaged(2))
    try await queue.commit { try $0.delete(queue.member(1).id) }
    let later = UUIDValue.object(5, in: queue.id.rawValue)
    let patch = try PatchBuilder().patch(filling: [])
    try await queue.commit(OperationChanges(objects: [ObjectChange(later, .create(type: "later", patch))]))

    let nobodys = UUIDValue.queue(9)
    let asked = [queue.id.rawValue, nobodys].map { DeltaRequest.Queue(queue: $0, cursor: 0) }
    let answers = try query.answers(await queue.post(query.request(DeltaRequest(queues: asked))))
    #expect(answers.map(\.queue) == asked.map(\.queue))
    #expect(answers.last?.result == .refused(.absent))
    guard case .page(let page)? = answers.first?.result else { throw Unexpected(text: "\(answers)") }
    let changes = query.changes(in: page)
    #expect(changes.map(\.revision) == [1, 2, 3, 5, 6, 7])
    #expect(changes[1].object as? Moment == queue.moment)
    #expect(changes[2].object as? Photo == queue.photo(1))
    #expect(Self.kinds(changes) == ["unknown sync.member", "live", "live", "damaged", "deleted", "unknown later"])
    #expect(changes[5].id.rawValue == later)
  }

  private static func kinds(_ changes: [DeltaChange<any Model>]) -> [String] {
    changes.map { change in
      switch change.state {
      case .live: "live"
      case .deleted: "deleted"
      case .damaged: "damaged"
      case .unknown(let type): "unknown \(type)"
      }
    }
  }
}
