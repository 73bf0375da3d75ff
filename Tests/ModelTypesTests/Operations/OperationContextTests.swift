// The changes that operations record, and the errors with which they are refused.

import ModelTypes
import SampleIDs
import SyncProtocol
import Testing
import WireFormat

@Suite struct OperationContextTests {
  let me = UserID(high: 1, low: 1)
  let album = Album(zeroWithID: .queue(1))
  let other = Album(zeroWithID: .queue(2))
  let draft = Draft(zeroWithID: .new(in: nil))
  let page: Page
  var context: OperationContext

  init() throws {
    page = Page(id: .object(1, in: album.id), album: album.id, text: "old", number: 7)
    var view = MemoryView()
    try view.put(album)
    try view.put(other)
    try view.put(draft)
    try view.put(page)
    context = OperationContext(user: me, now: Timestamp(millisecondsSince1970: 5), view: view)
  }

  @Test func readsObjectsAndTheirQueues() throws {
    #expect(try context.object(page.id) == page)
    #expect(try context.queue(of: page.id) == album.id.queueID)
    #expect(try context.queue(of: draft.id) == nil)
    #expect(try context.objectIfPresent(Page.ID(album.id.rawValue)) == nil, "an id is of one type")
    #expect(context.changes.isEmpty && context.queueID == nil)
  }

  @Test mutating func recordsChangesOfObjectsAndMembers() throws {
    try context.update(page.id) { $0.text = "new" }
    var edit = PatchBuilder()
    edit.set(1, "Summer")
    try context.edit(album.id, edit)
    let created = Page(album: album.id, text: "next", number: 8)
    try context.create(created)
    try context.follow(me, inQueueOf: page.id)
    try context.unfollow(UserID(.zero), inQueueOf: album.id)
    #expect(context.queueID == album.id.queueID)
    let fill = try PatchBuilder().patch(filling: created.encoded())
    #expect(
      try context.changes.objects == [
        ObjectChange(page.id.rawValue, .patch(Patch(set: [0x12, 3] + Array("new".utf8)))),
        ObjectChange(album.id.rawValue, .patch(edit.patch())),
        ObjectChange(created.id.rawValue, .create(type: "page", fill), newestBy: 8),
      ])
    #expect(context.changes.members == [.follow(me), .unfollow(.zero)])
  }

  @Test func recordsNewestByIfItsFieldChanges() throws {
    var (changed, unchanged, cleared) = (context, context, context)
    try changed.update(page.id) { $0.number = 9 }
    try changed.upsert(Page(album: album.id, text: "", number: 3), PatchBuilder())
    #expect(changed.changes.objects.map(\.newestBy) == [9, 3])
    try unchanged.update(page.id) { ($0.text, $0.number) = ("new", 7) }
    #expect(unchanged.changes.objects.map(\.newestBy) == [nil], "it was 7 before")
    var edit = PatchBuilder()
    edit.clear(3)
    try cleared.edit(page.id, edit)
    #expect(cleared.changes.objects.map(\.newestBy) == [0])
  }

  @Test mutating func editWithoutEffectRecordsNoChange() throws {
    try context.update(page.id) { $0.text = "old" }
    try context.edit(page.id, PatchBuilder())
    #expect(context.changes.isEmpty && context.queueID == album.id.queueID)
    try context.delete(page.id)
    #expect(context.changes.objects == [ObjectChange(page.id.rawValue, .delete)])
  }

  @Test mutating func namesEachRequiredFileOnce() throws {
    let file = FileReference(hash: ContentHash(words: (1, 2, 3, 4)), size: 1, mime: "", name: "a")
    context.requireUploaded(file)
    context.requireUploaded(FileReference(hash: file.hash, size: 1, mime: "", name: "b"))
    #expect(context.changes.files == [file.hash])
    #expect(try context.contentHash(file.hash.bytes) == file.hash)
    refuses(.invalidChange) { _ = try $0.contentHash([1, 2]) }
  }

  @Test func refusesObjectThatDoesNotExist() {
    let nobody = Page.ID.object(9, in: album.id)
    refuses(.noSuchObject) { _ = try $0.object(nobody) }
    refuses(.noSuchObject) { _ = try $0.queue(of: nobody) }
    refuses(.noSuchObject) { try $0.edit(nobody, PatchBuilder()) }
    refuses(.noSuchObject) { try $0.update(nobody) { _ in } }
    refuses(.noSuchObject) { try $0.delete(nobody) }
    refuses(.noSuchObject) { try $0.follow(me, inQueueOf: nobody) }
  }

  @Test func refusesASecondQueue() {
    refuses(.crossesQueue) { context in
      try context.delete(page.id)
      try context.create(Page(album: other.id, text: "", number: 0))
    }
    refuses(.crossesQueue) { context in
      try context.delete(album.id)
      try context.delete(other.id)
    }
    refuses(.crossesQueue) { context in
      try context.delete(page.id)
      try context.delete(draft.id)
    }
    refuses(.crossesQueue) { context in
      try context.delete(draft.id)
      try context.delete(page.id)
    }
    refuses(.crossesQueue) { context in
      try context.delete(page.id)
      try context.follow(me, inQueueOf: other.id)
    }
  }

  @Test func refusesFollowersOfDeviceObject() {
    refuses(.crossesQueue) { try $0.follow(me, inQueueOf: draft.id) }
    refuses(.crossesQueue) { try $0.unfollow(me, inQueueOf: draft.id) }
    refuses(nil) { try $0.delete(draft.id) }
  }

  @Test func refusesTwoChangesOfOneObject() {
    refuses(.changedTwice) { context in
      try context.delete(page.id)
      try context.delete(page.id)
    }
    refuses(.changedTwice) { context in
      try context.update(page.id) { $0.text = "" }
      try context.create(page)
    }
    refuses(.changedTwice) { context in
      try context.create(page)
      try context.upsert(page, PatchBuilder())
    }
  }

  /// Refuses random ids, ids of another queue or of the device, and queues whose id is not random.
  @Test func refusesIDsThatAreNotBoundToTheirQueue() {
    let ids: [Page.ID] = [
      ObjectID(.random()), .object(5, in: other.id), .object(5, in: QueueID?.none), .zero, Page.ID(other.id.rawValue),
    ]
    for id in ids { refuses(.invalidChange) { try $0.create(Page(id: id, album: album.id, text: "", number: 0)) } }
    refuses(nil) { try $0.create(Page(id: .object(5, in: album.id), album: album.id, text: "", number: 0)) }
    refuses(.invalidChange) { try $0.create(Draft(zeroWithID: .object(5, in: album.id))) }
    refuses(.invalidChange) { try $0.create(Draft(zeroWithID: .zero)) }
    refuses(nil) { try $0.create(Draft(zeroWithID: .object(5, in: QueueID?.none))) }
    refuses(.invalidChange) { try $0.create(Album(zeroWithID: .object(5, in: album.id))) }
    refuses(.invalidChange) {
      try $0.create(Album(zeroWithID: Album.ID(SyncID.homeQueue(ofUser: me, schema: "Albums").root)))
    }
    refuses(nil) { try $0.create(Album(zeroWithID: .queue(3))) }
  }

  @Test func errorTellsHowToMakeBoundID() {
    #expect {
      var context = context
      try context.create(Page(id: .object(5, in: other.id), album: album.id, text: "", number: 0))
    } throws: { error in
      "\(error)".hasSuffix(
        " is not bound to the queue of its page: make it with `.new(in:)`, of the same queue.")
    }
  }

  @Test func refusesContradictingOrTooLargeChanges() {
    var edit = PatchBuilder()
    edit.clear(2)
    edit.insert(2, "a")
    refuses(.invalidChange) { [edit] in try $0.edit(page.id, edit) }
    let large = String(repeating: "a", count: WireLimits.maximumBytes)
    refuses(.tooLarge) { try $0.update(page.id) { $0.text = large } }
    refuses(.tooLarge) { try $0.create(Page(album: album.id, text: large, number: 0)) }
  }

  private func refuses(
    _ expected: OperationError.Code?, location: SourceLocation = #_sourceLocation,
    _ body: (inout OperationContext) throws -> Void
  ) {
    var context = context
    var code: OperationError.Code?
    do { try body(&context) } catch { code = (error as? OperationError)?.code }
    #expect(code == expected, sourceLocation: location)
  }
}
