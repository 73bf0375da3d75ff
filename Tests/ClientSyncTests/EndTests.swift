// Tests of a client whose store is closed, or whose task is cancelled.

import ModelSupport
import Testing

@testable import ClientStore

@Suite struct EndTests {
  /// Holds messages that contain `word` until their sender is cancelled. Yields to `begun` when one has left.
  private func stop(_ device: TestDevice, at word: String, _ begun: AsyncStream<Void>.Continuation) {
    device.transport.goes { message, send in
      guard String(decoding: message.body, as: UTF8.self).contains(word) else { return await send() }
      let (never, hand) = AsyncStream.makeStream(of: Void.self)
      begun.yield()
      for await _ in never {}
      withExtendedLifetime(hand) {}
      throw TestTransport.Lost()
    }
  }

  /// A client that has nothing to do, and whose poll waits.
  private func idleClient() async throws -> (TestDevice, Task<Void, any Error>) {
    let (_, anna) = try await TestServer.withCard()
    try await settle(anna)
    let (polls, begun) = AsyncStream.makeStream(of: Void.self)
    stop(anna, at: "\"waitSeconds\":55", begun)
    let running = Task { try await anna.client.run() }
    for await _ in polls { break }
    return (anna, running)
  }

  /// The client has nothing to do, and its poll waits. It must end when the store is closed, though no message comes.
  @Test(.hangGuard) func closingStoreEndsIdleClient() async throws {
    let (anna, running) = try await idleClient()
    try await anna.store.close()
    await #expect { try await running.value } throws: { ($0 as? StoreError)?.code == .closed }
  }

  /// A read of the app finds damage, and no message comes.
  @Test(.hangGuard) func damageThatReadFindsEndsIdleClient() async throws {
    let (anna, running) = try await idleClient()
    let damaged = { (error: any Error) in (error as? StoreError)?.code == .damaged }
    #expect { try anna.store.damage.noting { throw StoreError(.damaged, "a page is gone") } } throws: { damaged($0) }
    await #expect { try await running.value } throws: { damaged($0) }
    await #expect { try await anna.client.syncOnce() } throws: { damaged($0) }
    try await anna.store.close()
    #expect { _ = try anna.secondProcess(seed: 9) } throws: { damaged($0) }
  }

  @Test func closedStoreDoesNotCancelSavedOperation() async throws {
    let (_, anna) = try await TestServer.withCard()
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.close()
    like.cancel()
    if case .saved = like.state {} else { Issue.record("it will be sent, and is \(like.state)") }
    #expect(try anna.secondProcess(seed: 9).store.pendingOperations.map(\.id) == [like.id])
  }

  @Test(.hangGuard) func cancelledSyncOnceThrowsCancellationError() async throws {
    let (_, anna) = try await TestServer.withCard()
    let like = anna.store.perform(Like(card: Card.id(1)))
    try await anna.store.waitUntilSaved()
    let (commits, begun) = AsyncStream.makeStream(of: Void.self)
    stop(anna, at: "\(like.id)", begun)
    let syncing = Task { try await anna.client.syncOnce() }
    for await _ in commits { break }
    syncing.cancel()
    await #expect(throws: CancellationError.self) { try await syncing.value }
    #expect(anna.store.pending == 1)
    anna.transport.goesStraight()
    try await anna.sync()
    #expect(try anna.store.pending == 0 && anna.card(1)?.likes == 1)
  }
}
