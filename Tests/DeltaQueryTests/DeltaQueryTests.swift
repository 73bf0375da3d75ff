// Reads pages of one model from a server without a store, while the queue changes, and with errors.

import ModelSupport
import MomentsModels
import SampleIDs
import TestSupport
import Testing

@Suite struct DeltaQueryTests {
  @Test func oneModelIsReadPageByPageTheNewestFirst() async throws {
    let queue = try TestQueue()
    let photos = (0..<25).map(queue.photo)
    for (index, photo) in photos.enumerated() {
      try await queue.commit { context in
        try context.create(photo)
        try context.create(queue.member(index))
      }
    }
    var changes: [DeltaChange<Photo>] = []
    var ends: [Bool] = []
    for try await page in Photo.deltaQuery.pages(queue.id, limit: 7, post: { await queue.post($0) }) {
      changes += page.changes
      ends.append(page.isLast)
    }
    #expect(changes.compactMap(\.object) == photos.reversed())
    #expect(changes.map { $0.id } == photos.reversed().map { $0.id })
    #expect(ends == Array(repeating: false, count: 7) + [true], "50 objects, 7 a page")
    for change in changes {
      #expect(change.revision > 0)
      guard case .live(_, let system) = change.state, system.createdBy == .anna else {
        Issue.record("\(change)")
        continue
      }
    }
  }

  @Test func readsOnlyChangesAfterPlace() async throws {
    let queue = try TestQueue()
    try await queue.commit { context in
      for index in 0..<3 { try context.create(queue.photo(index)) }
      try context.create(queue.member(0))
    }
    let first = try await page(queue)
    #expect(first.isLast && first.changes.count == 3)
    #expect(try await page(queue, after: first.place).changes.isEmpty)

    var edit = PatchBuilder()
    edit.set(5, "Summit")
    try await queue.commit { try $0.edit(queue.photo(1).id, edit) }
    try await queue.commit { try $0.delete(queue.photo(2).id) }
    try await queue.commit { try $0.delete(queue.member(0).id) }
    try await queue.commit { try $0.create(queue.member(1)) }
    let kept = try #require(DeltaCursor(first.place.description))
    let second = try await page(queue, after: kept)
    var edited = queue.photo(1)
    edited.caption = "Summit"
    let deletions = [queue.photo(2).id.rawValue, queue.member(0).id.rawValue]
    #expect(second.changes.map(\.object) == [edited, nil, nil])
    #expect(second.changes.map { $0.id.rawValue } == [edited.id.rawValue] + deletions, "a deletion has no type")
    #expect(second.changes.dropFirst().map(\.state) == [.deleted, .deleted])
    #expect(second.isLast)
  }

  /// The queue changes between the pages. A reader that applies the pages in order holds the final objects.
  @Test(arguments: 0..<20 as Range<UInt64>) func pagesOfChangingQueueAddUpToItsObjects(seed: UInt64) async throws {
    let queue = try TestQueue(seed: seed)
    var random = SeededRandom(seed: seed)
    try await queue.commit { context in for index in 0..<12 { try context.create(queue.photo(index)) } }
    var held: [Photo.ID: Photo] = [:]
    var alive = Set(0..<12)
    var made = alive
    for try await page in Photo.deltaQuery.pages(queue.id, limit: 3, post: { await queue.post($0) }) {
      for change in page.changes { held[change.id] = change.object }
      guard !page.isLast, random.below(4) > 0 else { continue }
      let index = random.below(20)
      if alive.contains(index) {
        alive.remove(index)
        try await queue.commit { try $0.delete(queue.photo(index).id) }
      } else if made.insert(index).inserted {
        alive.insert(index)
        try await queue.commit { try $0.create(queue.photo(index)) }
      }
    }
    var fresh: [Photo.ID: Photo] = [:]
    for change in try await page(queue).changes { fresh[change.id] = change.object }
    #expect(Set(fresh.keys) == Set(alive.map { queue.photo($0).id }), "seed \(seed)")
    let isSame = held == fresh
    #expect(isSame, "seed \(seed)")
  }

  @Test func aDamagedObjectHidesNoOther() async throws {
    let queue = try TestQueue()
    try await queue.commit { try $0.create(queue.photo(1)) }
    try await queue.commit(queue.damaged(2))
    let changes = try await page(queue).changes
    #expect(changes.compactMap(\.object) == [queue.photo(1)])
    let damaged = try #require(changes.first { $0.id == queue.photo(2).id })
    guard case .damaged(let error) = damaged.state else { throw Unexpected(text: "\(damaged)") }
    #expect(error.code == .invalidLength)
  }

  @Test func nonMemberDoesNotLearnWhetherQueueExists() async throws {
    let queue = try TestQueue()
    try await queue.commit { try $0.create(queue.photo(1)) }
    let nobodys = QueueID.queue(9)
    for (id, user) in [(queue.id, UserID.ben), (nobodys, .anna)] {
      await Self.fails(with: .forbidden) { try await page(queue, of: id, by: user) }
    }
  }

  @Test func aPlaceOfAnotherHistoryIsReset() async throws {
    let queue = try TestQueue()
    try await queue.commit { try $0.create(queue.photo(1)) }
    let place = try await page(queue).place
    let other = UUIDValue(high: 1, low: 2)
    let tooFar = DeltaCursor(place.description.replacing(/\d+$/, with: "1000"))
    let ofAnother = DeltaCursor(place.description.replacing(/^\S+/, with: other.description))
    for wrong in [tooFar, ofAnother] {
      let wrong = try #require(wrong)
      await Self.fails(with: .reset) { try await page(queue, after: wrong) }
    }
  }

  @Test func parsesOnlyValidPlaces() throws {
    let id = "00010203-0405-4607-8809-0a0b0c0d0e0f"
    for text in ["\(id) 0", "\(id) 17", "\(id) 17 -5 \(id)"] {
      #expect(try #require(DeltaCursor(text)).description == text)
    }
    let wrong = ["-1", "x", " 1", "1 2", "1 \(id) 2", "1 2 \(id) 3"].map { "\(id) \($0)" }
    for text in ["", id, " \(id) 1"] + wrong { #expect(DeltaCursor(text) == nil, "\(text)") }
  }

  private func page(
    _ queue: TestQueue, of id: QueueID? = nil, after place: DeltaCursor? = nil, by user: UserID = .anna
  ) async throws -> DeltaQuery<Photo>.Page {
    let query = Photo.deltaQuery
    return try query.page(await queue.post(query.request(id ?? queue.id, after: place), by: user))
  }

  private static func fails(with code: RequestError.Code, _ body: () async throws -> some Sendable) async {
    do {
      let page = try await body()
      Issue.record("\(code) was expected, not \(page)")
    } catch {
      #expect((error as? RequestError)?.code == code, "\(error)")
    }
  }
}

struct Unexpected: Error {
  var text: String
}

extension TestQueue {
  /// A photo whose first field, an id, has 3 bytes. The server accepts it, because it knows no model.
  func damaged(_ index: Int) throws -> OperationChanges {
    var content = RecordWriter(capacity: 16)
    content.length(1, [1, 2, 3])
    let patch = try PatchBuilder().patch(filling: content.bytes)
    return OperationChanges(objects: [ObjectChange(photo(index).id.rawValue, .create(type: "photo", patch))])
  }
}
