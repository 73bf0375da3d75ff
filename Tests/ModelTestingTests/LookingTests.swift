// People see who else looks at a moment now: from one app over the server to the other.

import ModelSupport
import ModelTesting
import MomentsModels
import Testing

/// The limit is for what hangs, not for what is slow.
@Suite(.timeLimit(.minutes(10))) struct LookingTests {
  let server: PreviewServer
  let (anna, ben): (PreviewDevice, PreviewDevice)
  let moment = Moment(title: "Hut to hut")

  init() async throws {
    server = try PreviewServer(MomentsSchema.self)
    (anna, ben) = (try server.device("anna"), try server.device("ben"))
    anna.store.create(moment)
    anna.store.perform(Moment.Share(moment.id, photos: [], recipient: ben.user))
    for device in [anna, ben] { try await device.sync() }
  }

  private var queue: QueueID { moment.id.queueID }

  /// The users whom Ben sees looking.
  private var seen: [UserID] { ben.store.signals(Looking.self, in: queue).map(\.user) }

  @Test func oneSyncEachIsEnough() async throws {
    var updates = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
    #expect(try await updates.next() == [])
    try anna.store.show(Looking(moment: moment.id))
    try await anna.sync()
    try await ben.sync()
    #expect(try await updates.next()?.map(\.user) == [anna.user])
    #expect(ben.store.signals(Looking.self, in: queue).first?.value == Looking(moment: moment.id))
    #expect(anna.store.signals(Looking.self, in: queue).isEmpty, "she knows what she looks at")
    server.clock.advance(milliseconds: 19_000)
    try await ben.sync()
    #expect(seen == [anna.user])
    server.clock.advance(milliseconds: 1_000)
    // The server counts the time in steps, on a thread of its own.
    while !seen.isEmpty {
      server.clock.advance(milliseconds: 250)
      try await ben.sync()
    }
    #expect(try await updates.next() == [])
  }

  @Test func whoIsOnlineSeesItAtOnce() async throws {
    try await anna.whileSyncing {
      try await ben.whileSyncing {
        var updates = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
        #expect(try await updates.next() == [])
        try anna.store.show(Looking(moment: moment.id))
        #expect(try await updates.next()?.map(\.user) == [anna.user])
        anna.store.hide(Looking.self, in: queue)
        // A queue tells no more than once a second.
        while !seen.isEmpty {
          server.clock.advance(milliseconds: 250)
          await Task.yield()
        }
      }
    }
  }

  @Test func valueIsShownUntilItsTaskIsCancelled() async throws {
    try await anna.whileSyncing {
      try await ben.whileSyncing {
        var updates = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
        #expect(try await updates.next() == [])
        let looking = Task { try await anna.store.keepShowing(Looking(moment: moment.id)) }
        #expect(try await updates.next()?.map(\.user) == [anna.user])
        let begin = server.clock.now.millisecondsSince1970
        // Three lifetimes later it is still shown.
        while server.clock.now.millisecondsSince1970 < begin + 60_000 {
          server.clock.advance(milliseconds: 250)
          for _ in 0..<50 { await Task.yield() }
          if seen.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        }
        looking.cancel()
        try await looking.value
        while !seen.isEmpty {
          server.clock.advance(milliseconds: 250)
          await Task.yield()
        }
      }
    }
  }

  /// As a view that gives way to another one: its task may end after that of the other has begun.
  @Test func laterShowingStaysWhenTheEarlierEnds() async throws {
    let photo = Photo.ID.new(in: queue)
    try await anna.whileSyncing {
      try await ben.whileSyncing {
        var updates = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
        #expect(try await updates.next() == [])
        let first = Task { try await anna.store.keepShowing(Looking(moment: moment.id)) }
        #expect(try await updates.next()?.map(\.value.photo) == [nil])
        let second = Task { try await anna.store.keepShowing(Looking(moment: moment.id, photo: photo)) }
        let photos = { ben.store.signals(Looking.self, in: queue).map(\.value.photo) }
        while photos() != [photo] { await letPass(250) }
        first.cancel()
        try await first.value
        for _ in 0..<8 {
          await letPass(250)
          #expect(photos() == [photo])
        }
        second.cancel()
        try await second.value
        while !photos().isEmpty { await letPass(250) }
      }
    }
  }

  /// Lets time pass, and what waited for it go on.
  private func letPass(_ milliseconds: Int64) async {
    server.clock.advance(milliseconds: milliseconds)
    for _ in 0..<200 { await Task.yield() }
  }

  @Test func devicesOfAUserAreOne() async throws {
    let tablet = try anna.anotherDevice()
    let watch = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
    try await tablet.sync()
    for device in [anna, tablet] { try device.store.show(Looking(moment: moment.id)) }
    for device in [anna, tablet, ben] { try await device.sync() }
    #expect(seen == [anna.user])
    anna.store.hide(Looking.self, in: queue)
    for device in [anna, ben] { try await device.sync() }
    server.clock.advance(milliseconds: 2_000)
    try await ben.sync()
    #expect(seen == [anna.user], "the tablet shows it still")
    withExtendedLifetime(watch) {}
  }

  @Test func offlineItIsLost() async throws {
    let updates = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
    anna.network = .offline
    try anna.store.show(Looking(moment: moment.id))
    try? await anna.sync()
    anna.network = .online
    try await anna.sync()
    try await ben.sync()
    #expect(seen == [] && anna.store.pendingOperations.isEmpty && anna.store.failedOperations.isEmpty)
    try anna.store.show(Looking(moment: moment.id))
    try await anna.sync()
    try await ben.sync()
    #expect(seen == [anna.user])
    withExtendedLifetime(updates) {}
  }

  @Test func strangersSeeNothing() async throws {
    let cleo = try server.device("cleo")
    let updates = cleo.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
    try cleo.store.show(Looking(moment: moment.id))
    try anna.store.show(Looking(moment: moment.id))
    let watched = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
    for device in [anna, cleo, ben] { try await device.sync() }
    try await cleo.sync()
    #expect(cleo.store.signals(Looking.self, in: queue).isEmpty && seen == [anna.user])
    withExtendedLifetime((updates, watched)) {}
  }

  @Test func sequenceEndsWithTheStore() async throws {
    var updates = ben.store.signalUpdates(Looking.self, in: queue).makeAsyncIterator()
    #expect(try await updates.next() == [])
    try await ben.store.close()
    let error = await #expect(throws: StoreError.self) { try await updates.next() }
    #expect(error?.code == .closed)
    #expect(throws: StoreError.self) { try ben.store.show(Looking(moment: moment.id)) }
  }

  @Test func valueThatIsTooLargeIsRefused() async throws {
    var looking = Looking(moment: moment.id)
    // The field 15, of a newer schema, with 2,000 bytes.
    try looking.merge([122, 0xD0, 0x0F] + Array(repeating: UInt8(7), count: 2_000))
    let error = #expect(throws: StoreError.self) { try anna.store.show(looking) }
    #expect(error?.code == .refused && error?.message.contains("1024") == true)
  }
}
