// What an app's tests can play with a preview server: being offline, conflicts, refusals, lost answers, files, time.

import ModelRuntime
import ModelTesting
import MomentsModels
import Testing

@Suite struct PreviewServerTests {
  let server: PreviewServer
  let (anna, ben): (PreviewDevice, PreviewDevice)
  let moment = Moment(title: "Hut to hut")

  /// A moment of Anna's that she shares with Ben.
  init() async throws {
    server = try PreviewServer(MomentsSchema.self)
    (anna, ben) = (try server.device("anna"), try server.device("ben"))
    anna.store.create(moment)
    anna.store.perform(Moment.Share(moment.id, photos: [], recipient: ben.user))
    try await anna.sync()
    try await ben.sync()
  }

  /// `$now` in the schema, too.
  @Test func operationsGoByTheClockOfTheServer() throws {
    let notes = try ben.store.objects(MomentNotification.self)
    #expect(notes.map(\.createdAt) == [server.clock.now])
  }

  @Test func sharedMomentComesToTheOtherUser() throws {
    #expect(try ben.store.object(moment.id)?.title == "Hut to hut")
    #expect(try Set(ben.store.members(of: moment.id.queueID).map(\.user)) == [anna.user, ben.user])
  }

  @Test func offlineWorkGoesOutLater() async throws {
    anna.network = .offline
    anna.store.update(moment.id) { $0.title = "Loop" }
    await #expect(throws: SyncError.self) { try await anna.sync() }
    #expect(try anna.store.object(moment.id)?.title == "Loop" && !anna.store.pendingOperations.isEmpty)
    anna.network = .online
    try await anna.sync()
    try await ben.sync()
    #expect(try ben.store.object(moment.id)?.title == "Loop")
  }

  @Test func lastEditInTheOrderOfTheServerWins() async throws {
    let photo = Photo(moment: moment.id, owner: .zero, file: .zero, takenAt: server.clock.now)
    anna.store.create(photo)
    try await anna.sync()
    try await ben.sync()
    ben.store.update(photo.id) { $0.caption = "Ben's" }
    ben.store.perform(Photo.Label(photo.id, tag: "hut"))
    anna.store.update(photo.id) { $0.caption = "Anna's" }
    anna.store.perform(Photo.Label(photo.id, tag: "summit"))
    try await ben.sync()
    try await anna.sync()
    try await ben.sync()
    for device in [anna, ben] {
      let seen = try #require(try device.store.object(photo.id))
      #expect(seen.caption == "Anna's" && seen.tags == ["hut", "summit"])
    }
  }

  @Test func lostAnswerIsAskedForAgain() async throws {
    let photo = Photo(moment: moment.id, owner: .zero, file: .zero, takenAt: server.clock.now)
    anna.network = .losesAnswers
    let create = anna.store.create(photo)
    await #expect(throws: SyncError.self) { try await anna.sync() }
    anna.network = .online
    try await anna.sync()
    try await create.waitUntilConfirmed()
    #expect(anna.store.failedOperations.isEmpty)
  }

  @Test func onlyTheOwnerEndsTheMoment() async throws {
    #expect(!ben.store.can(.delete, moment.id))
    ben.store.delete(moment.id)
    #expect(ben.store.failedOperations.map(\.reason.code) == [.forbidden])
    anna.store.delete(moment.id)
    try await anna.sync()
    try await ben.sync()
    #expect(try ben.store.object(moment.id) == nil)
  }

  @Test func filesGoOverTheServer() async throws {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let file = try await anna.store.files.add(from: .bytes(bytes), name: "summit.jpg")
    anna.store.create(Photo(moment: moment.id, owner: .zero, file: file, takenAt: server.clock.now))
    try await anna.sync()
    let fetched = try await ben.whileSyncing { [ben, moment] in
      try await ben.store.files.read(file, in: moment.id.queueID).bytes()
    }
    #expect(fetched == bytes)
  }

  @Test func slowRequestsWaitForTheClock() async throws {
    anna.network = .slow(milliseconds: 4_000)
    anna.store.update(moment.id) { $0.title = "Loop" }
    let (server, isOver) = (server, Task { [anna] in try await anna.sync() })
    let moving = Task {
      while !Task.isCancelled {
        server.clock.advance(milliseconds: 1_000)
        await Task.yield()
      }
    }
    try await isOver.value
    moving.cancel()
    #expect(server.clock.now > Timestamp(millisecondsSince1970: 1_700_000_004_000))
  }

  @Test func refusedTokenIsTold() async throws {
    anna.network = .refuses(status: 401)
    await #expect { try await anna.sync() } throws: { ($0 as? SyncError)?.code == .signedOut }
  }

  @Test func temporaryStoreNeedsNoServer() throws {
    let store = try ModelStore.temporary(MomentsSchema.self)
    store.create(moment)
    #expect(try store.object(moment.id) == moment)
  }
}
