// Tests of abandoned requests: the caller goes on at once, the connection is closed, and the process does not crash, at
// whatever moment a request is cancelled.

import Foundation
import ModelSupport
import SampleIDs
import SyncProtocol
import TestSupport
import Testing

@testable import ClientSync

@Suite(.serialized) struct AbandonedExchangeTests {
  private func transport(_ server: LoopbackServer) -> HTTPTransport {
    HTTPTransport(url: server.url) { _ in "token" }
  }

  private func failure(_ body: () async throws -> TransportAnswer) async -> (any Error)? {
    do {
      _ = try await body()
      return nil
    } catch { return error }
  }

  @Test func cancelledCallerGoesOnAndTheConnectionIsClosed() async throws {
    let server = try LoopbackServer { _ in .none }
    let transport = transport(server)
    let posts = (1...20).map { _ in
      Task { try await transport.post(LoopbackServer.request, timeoutMilliseconds: 3_600_000) }
    }
    // A URL session has six connections at a time.
    #expect(await server.hasHad(6))
    for post in posts { post.cancel() }
    for post in posts { #expect(await failure { try await post.value } is CancellationError) }
    #expect(await server.hasOpen(atMost: 0), "abandoned requests keep their connections")
  }

  /// A deadline is about progress: each byte begins it anew, and what has come before it counts.
  @Test func silenceEndsAnExchangeAndWhatHasComeCounts() async throws {
    let slow = LoopbackServer.Answer(
      "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", "a", "b", "c", pauses: [0, 600_000, 600_000, 600_000])
    let server = try LoopbackServer { _ in slow }
    let answer = try await transport(server).post(LoopbackServer.request, timeoutMilliseconds: 1_500)
    #expect(answer.body == Array("abc".utf8) && !answer.isWhole)
    let silent = try LoopbackServer { _ in .none }
    let late = await failure { try await transport(silent).post(LoopbackServer.request, timeoutMilliseconds: 1_000) }
    #expect((late as? HTTPTransportError)?.description == "Nothing has come from the server for 1 seconds")
  }

  /// What has come of a compressed answer counts too, up to where it can be decompressed.
  @Test func keepsReceivedPartOfCompressedAnswer() async throws {
    let text = (0..<4_000).map { "\($0 * $0)" }.joined(separator: " ")
    let compressed = try #require(Gzip.compress(Array(text.utf8)))
    var cut = LoopbackServer.Answer(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(compressed.count)\r\n\r\n")
    cut.parts += [Array(compressed[..<(compressed.count / 2)]), []]
    let server = try LoopbackServer { [cut] _ in cut }
    let answer = try await transport(server).post(LoopbackServer.request, timeoutMilliseconds: 60_000)
    #expect(!answer.isWhole && answer.body.count > text.utf8.count / 4)
    #expect(Array(text.utf8).starts(with: answer.body))
  }

  @Test(arguments: [true, false]) func tooLargeAnswerIsCutOff(saysSo: Bool) async throws {
    let part = String(repeating: "x", count: 1 << 20)
    let server = try LoopbackServer { _ in
      var answer = LoopbackServer.Answer("HTTP/1.1 200 OK\r\n\(saysSo ? "Content-Length: 9000000000\r\n" : "")\r\n")
      answer.parts += Array(repeating: Array(part.utf8), count: 2_000)
      // Sends at the pace of a network. Foundation on Linux would take all of it faster than a busy machine cancels.
      answer.pauses = Array(repeating: 10_000, count: 2_001)
      return answer
    }
    let transport = transport(server)
    let error = await failure { try await transport.post(LoopbackServer.request, timeoutMilliseconds: 60_000) }
    #expect((error as? HTTPTransportError)?.description.contains("larger than") == true)
    #expect(await server.hasOpen(atMost: 0), "the rest of the answer is taken")
  }

  @Test func returnsPasswordPromptOfProxyAsAnswer() async throws {
    let server = try LoopbackServer { _ in
      .whole("401 Unauthorized", "who are you", fields: "WWW-Authenticate: Basic realm=\"proxy\"\r\n")
    }
    let transport = transport(server)
    for _ in 0..<20 {
      let answer = try await transport.post(LoopbackServer.request, timeoutMilliseconds: 10_000)
      #expect(answer.status == 401 && answer.body == Array("who are you".utf8))
    }
  }

  /// `CANCELLATIONS=100000 CANCELLATION_SEED=1` in the environment gives more and other cancellations.
  @Test func survivesCancellationAtAnyMoment() async throws {
    let count = Self.number("CANCELLATIONS") ?? 600
    let seed = UInt64(Self.number("CANCELLATION_SEED") ?? 7)
    print("\(count) cancellations, seed \(seed)")
    let server = try LoopbackServer { number in
      var random = SeededRandom(seed: seed &+ UInt64(number))
      return Self.answer(&random)
    }
    let transport = transport(server)
    // An app has up to five requests under way.
    let endings = await withTaskGroup(of: [String: Int].self) { group in
      for lane in 0..<5 {
        group.addTask { await Self.cancel(count / 5, over: transport, SeededRandom(seed: seed << 8 &+ UInt64(lane))) }
      }
      return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    print(endings.sorted { $0.key < $1.key })
    #expect(endings.values.reduce(0, +) == count / 5 * 5)
    // How many requests are cut short depends on the load of the machine.
    #expect(endings["cancelled", default: 0] > 0 && endings["answered", default: 0] > 0)
    #expect(await server.hasOpen(atMost: 6))
  }

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  /// A random answer, of each kind that a URL session treats differently.
  private static func answer(_ random: inout SeededRandom) -> LoopbackServer.Answer {
    let pause: UInt32 = random.chance(50) ? 0 : random.below(600)
    switch random.below(12) {
    case 0:
      return LoopbackServer.Answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", "ab", "cd", pauses: [pause, pause])
    case 1: return LoopbackServer.Answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", "", pauses: [pause, pause])
    case 2: return LoopbackServer.Answer("", pauses: [pause])
    case 3: return .whole("302 Found", fields: "Location: /elsewhere\r\n")
    case 4: return .whole("401 Unauthorized", fields: "WWW-Authenticate: Basic realm=\"proxy\"\r\n")
    case 5: return .whole("401 Unauthorized", fields: "WWW-Authenticate: Bearer\r\n")
    case 6: return LoopbackServer.Answer("no HTTP at all\r\n\r\n", "", pauses: [pause, 0])
    case 7:
      return LoopbackServer.Answer("HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 204 None\r\n\r\n", pauses: [0, pause])
    default:
      var answer = LoopbackServer.Answer.whole("200 OK")
      answer.pauses = [pause]
      return answer
    }
  }

  /// Sends `count` requests and cancels each. Adapts the delay so that about half are cancelled before they end,
  /// however fast the machine is. Returns how many have ended in which way.
  private static func cancel(
    _ count: Int, over transport: HTTPTransport, _ random: SeededRandom
  ) async -> [String: Int] {
    var random = random
    var endings: [String: Int] = [:]
    var longest = 1_000
    for _ in 0..<count {
      let post = Task { try await transport.post(LoopbackServer.request, timeoutMilliseconds: 10_000) }
      // Cancels at once, or at a random moment in the life of the request.
      let moment = random.below(longest)
      if moment > 100 { try? await Task.sleep(for: .microseconds(moment)) }
      post.cancel()
      let result = await post.result
      if case .failure(is CancellationError) = result { longest += longest / 20 } else { longest -= longest / 20 }
      switch result {
      case .success: endings["answered", default: 0] += 1
      case .failure(is CancellationError): endings["cancelled", default: 0] += 1
      case .failure(let error as HTTPTransportError): endings[error.description, default: 0] += 1
      case .failure(let error): Issue.record("\(type(of: error)): \(error)")
      }
    }
    return endings
  }

  /// Each pass cancels a poll or a request that the server refuses at the same time. `SYNC_ONCES=10000` in the
  /// environment gives more passes.
  @Test func syncOnceWithABadTokenEndsWithAnError() async throws {
    let server = try LoopbackServer { _ in
      .whole("401 Unauthorized", fields: "WWW-Authenticate: Bearer\r\nSync-Protocol-Version: 1\r\n")
    }
    let folder = try TemporaryFolder()
    let user = UserID(high: 1, low: 1)
    let store = try ModelStore(at: folder.url("store").path, schema: CardsSchema.self, user: user)
    store.create(Card(1))
    try await store.waitUntilSaved()
    let client = SyncClient(store: store, transport: HTTPTransport(url: server.url) { _ in "nonsense" })
    for _ in 0..<(Self.number("SYNC_ONCES") ?? 50) {
      await #expect { try await client.syncOnce() } throws: { ($0 as? SyncError)?.code == .signedOut }
    }
    #expect(store.pending == 1 && store.failedOperations.isEmpty)
    try await store.close()
  }
}
