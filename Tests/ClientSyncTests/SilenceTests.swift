// Tests of when the status says that nothing comes from the server, while a request is still under way.

import Determinism
import ModelSupport
import Testing

@testable import ClientSync

extension SyncClient {
  fileprivate func enter(_ progress: ExchangeProgress) { exchanges.append(progress) }
  fileprivate var now: Int64 { environment.nowMilliseconds() }
}

@Suite struct SilenceTests {
  @Test func statusSaysOfflineOnceNothingHasMoved() async throws {
    let anna = try TestServer().device(1)
    let now = await anna.client.now
    #expect(await anna.client.status.offlineSince == nil)
    let silent = ExchangeProgress(at: now - 60_000, patience: SyncClient.offlineMilliseconds)
    await anna.client.enter(silent)
    let status = await anna.client.status
    #expect(status.offlineSince == Timestamp(millisecondsSince1970: now - 60_000))
    #expect(status.problem?.code == .unreachable)
    // A byte comes: the network is slow, and not gone.
    silent.move(at: await anna.client.now)
    #expect(await anna.client.status.offlineSince == nil)
    #expect(await anna.client.status.problem == nil)
    #expect(await anna.client.silenceWait != nil, "the client looks again when the silence may be over")
  }

  @Test func oneRequestThatMovesIsEnough() async throws {
    let anna = try TestServer().device(1)
    let now = await anna.client.now
    await anna.client.enter(ExchangeProgress(at: now - 60_000, patience: SyncClient.offlineMilliseconds))
    await anna.client.enter(ExchangeProgress(at: now, patience: 3_600_000))
    #expect(await anna.client.status.offlineSince == nil)
  }
}
