// Tests of when the keys of a sign-in service are read again.

import SyncProtocol
import Testing

@testable import modelserver

@Suite struct KeyRotationTests {
  private let samples: TokenSamples
  private let service: SampleService
  private let checker: TokenChecker
  private let good: String

  init() async throws {
    samples = try TokenSamples()
    service = SampleService(samples.keySet("keys"))
    checker = await TokenSamples.checker([service.source])
    good = try samples.good("RS256")
  }

  private func code(_ token: String) async -> RequestError.Code? {
    do throws(RequestError) {
      _ = try await checker.user(authorization: "Bearer \(token)")
      return nil
    } catch { return error.code }
  }

  @Test func aNewKeyIsReadAtOnce() async throws {
    #expect(await code(good) == nil)
    service.publish(samples.keySet("nextKeys"))
    service.pass(KeySetSource.leastPause)
    #expect(await code(try samples.token("next")) == nil)
    #expect(await code(good) == nil, "its key is in the new set too")
    #expect(service.reads == 2)
  }

  @Test func unknownKeysAreNotAskedForAgainAndAgain() async throws {
    let strange = try samples.bad("unknown kid")
    for _ in 0..<100 { #expect(await code(strange) == .unauthenticated) }
    #expect(service.reads == 1)
    service.pass(KeySetSource.leastPause - .milliseconds(1))
    #expect(await code(strange) == .unauthenticated)
    #expect(service.reads == 1)
    service.pass(.milliseconds(1))
    #expect(await code(strange) == .unauthenticated)
    #expect(service.reads == 2)
  }

  @Test func manyTokensShareOneReading() async throws {
    await withTaskGroup(of: RequestError.Code?.self) { tasks in
      for _ in 0..<100 { tasks.addTask { await code(good) } }
      for await code in tasks { #expect(code == nil) }
    }
    #expect(service.reads == 1)
  }

  /// A key that a service takes back is good no more once the keys have been read again, which is at the latest when
  /// they are stale.
  @Test func staleKeysAreReadAgain() async throws {
    let withdrawn = try samples.good("ES256")
    #expect(await code(withdrawn) == nil)
    service.publish(samples.keySet("nextKeys"))
    service.pass(SampleService.fresh)
    // The first one may still be checked with the old keys, beside which the new ones are read.
    _ = await code(withdrawn)
    while service.reads < 2 { await Task.yield() }
    while await code(withdrawn) == nil { await Task.yield() }
    #expect(await code(withdrawn) == .unauthenticated)
    #expect(await code(good) == nil)
  }

  @Test func aServiceThatIsAwayTakesNothingAway() async throws {
    #expect(await code(good) == nil)
    service.fail()
    for hour in 1...3 {
      service.pass(SampleService.fresh)
      #expect(await code(good) == nil)
      while service.reads < hour + 1 { await Task.yield() }
    }
    #expect(await code(try samples.token("next")) == .unauthenticated)
    #expect(service.reports == ["The keys of the service cannot be read. It is away. The previous keys stay in use."])
    service.publish(samples.keySet("nextKeys"))
    service.pass(KeySetSource.leastPause)
    #expect(await code(try samples.token("next")) == nil)
    #expect(service.reports.last == "The keys of the service can be read again.")
  }

  @Test func clientsWaitForAServiceThatWasAlwaysAway() async throws {
    service.fail()
    for _ in 0..<10 { #expect(await code(good) == .unavailable) }
    #expect(service.reads == 1)
    #expect(
      service.reports == [
        "The keys of the service cannot be read. It is away. No token of theirs is good until they are."
      ])
    service.publish(samples.keySet("keys"))
    service.pass(KeySetSource.leastPause)
    #expect(await code(good) == nil)
  }

  @Test func aBrokenKeySetChangesNothing() async throws {
    #expect(await code(good) == nil)
    for broken in ["", "<html>", #"{"keys":[]}"#, String(repeating: " ", count: 1 << 20)] {
      service.publish(Array(broken.utf8))
      service.pass(SampleService.fresh)
      #expect(await code(good) == nil)
    }
  }
}
