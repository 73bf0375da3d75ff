// Tests of requests that wait for a token of the app: they get it, or an error in time.

import Foundation
import ModelSupport
import Testing

@testable import ClientSync

@Suite struct TokenTests {
  /// An app that answers when it is told to.
  private actor App {
    private(set) var questions: [Bool] = []
    private var open: [CheckedContinuation<String, any Error>] = []

    func ask(_ isRefused: Bool) async throws -> String {
      questions.append(isRefused)
      return try await withCheckedThrowingContinuation { open.append($0) }
    }

    func answer(_ result: Result<String, any Error>) async {
      while open.isEmpty { await Task.yield() }
      open.removeFirst().resume(with: result)
    }
  }

  private struct NoNetwork: Error {}

  private func failure(_ body: () async throws -> String) async -> (any Error)? {
    do {
      _ = try await body()
      return nil
    } catch { return error }
  }

  @Test func asksAppOnceForManyRequests() async throws {
    let app = App()
    let tokens = TokenStore { try await app.ask($0) }
    let everybody = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<10 { group.addTask { try await tokens.token() } }
      await app.answer(.success("a"))
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(everybody == Array(repeating: "a", count: 10))
    #expect(try await tokens.token() == "a")
    #expect(await app.questions == [false])
    await tokens.refused("earlier")
    #expect(try await tokens.token() == "a")
    await tokens.refused("a")
    async let next = tokens.token()
    await app.answer(.success("b"))
    #expect(try await next == "b")
    #expect(await app.questions == [false, true])
  }

  @Test func namesMissingTokenFileInShortError() async throws {
    let tokens = TokenStore { _ in try String(contentsOfFile: "/nowhere/token", encoding: .utf8) }
    let error = try #require(await failure { try await tokens.token() } as? SyncError)
    #expect(error.message.contains("/nowhere/token") && error.message.count < 150)
    #expect(!error.message.contains("Domain") && !error.message.contains("\n"), "\(error.message)")
  }

  @Test func anAppThatFailsIsAskedAgain() async throws {
    let app = App()
    let tokens = TokenStore { try await app.ask($0) }
    async let first = failure { try await tokens.token() }
    await app.answer(.failure(NoNetwork()))
    #expect((await first as? SyncError)?.code == .unreachable)
    async let second = failure { try await tokens.token() }
    await app.answer(.failure(SyncError(.signedOut, "Sign in.")))
    #expect((await second as? SyncError)?.code == .signedOut)
    async let third = tokens.token()
    await app.answer(.success("a"))
    #expect(try await third == "a")
  }

  /// The app does not answer. Requests fail at their deadline or when they are cancelled. The app is not asked again,
  /// because it may be showing a window to sign in.
  @Test func hangingAppDoesNotHoldUpRequests() async throws {
    let app = App()
    let tokens = TokenStore { try await app.ask($0) }
    let late = await failure { try await tokens.token(within: 1) }
    #expect((late as? SyncError)?.code == .unreachable)
    let waits = Task { try await tokens.token(within: 3_600_000) }
    waits.cancel()
    #expect(await failure { try await waits.value } is CancellationError)
    await app.answer(.success("a"))
    #expect(try await tokens.token() == "a")
    #expect(await app.questions == [false])
  }
}
