// Keys and tokens that another implementation has made: see make-tokens.py.

import Determinism
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import modelserver

/// All tokens are of anna's, and good at `now` and later.
struct TokenSamples: Sendable {
  private let kinds: [String: [String: String]]
  private let single: [String: String]
  private let keySets: [String: [UInt8]]

  static let now: Int64 = 1_700_000_000_000
  static let issuer = "https://login.example.com"
  static let rules = TokenRules(issuers: [issuer], audiences: ["photos"], leewaySeconds: 30)

  init() throws {
    let text = try Data(contentsOf: Repository.url("Tests/ModelserverTests/Tokens/tokens.json"))
    let values = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    kinds = values.compactMapValues { $0 as? [String: String] }
    single = values.compactMapValues { $0 as? String }
    keySets = try values.filter { $0.key.lowercased().hasSuffix("keys") }
      .mapValues { [UInt8](try JSONSerialization.data(withJSONObject: $0)) }
  }

  /// The tokens of a kind, by what is special about them.
  func tokens(_ kind: String) -> [(name: String, token: String)] {
    kinds[kind, default: [:]].sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  func good(_ name: String) throws -> String { try #require(kinds["good"]?[name]) }

  func bad(_ name: String) throws -> String { try #require(kinds["bad"]?[name]) }

  func token(_ name: String) throws -> String { try #require(single[name]) }

  func keySet(_ name: String) -> [UInt8] { keySets[name, default: []] }

  /// A checker at `now`.
  static func checker(
    _ sources: [KeySetSource], secrets: [Secret] = [], rules: TokenRules = rules
  ) async -> TokenChecker {
    let live = RuntimeEnvironment.live
    return await TokenChecker(
      secrets, keySets: sources, rules: rules,
      environment: RuntimeEnvironment(
        clock: { now }, randomness: { 0 }, spawning: { live.spawn($0) },
        sleeping: { try await live.sleep(milliseconds: $0) }))
  }
}

/// A sign-in service that publishes what a test says, on a clock of its own.
final class SampleService: Sendable {
  private let state: Mutex<State>

  private struct State {
    var published: Result<[UInt8], KeySetPlace.Unreadable>
    var now = ContinuousClock.now
    var reads = 0
    var reports: [String] = []
  }

  init(_ keys: [UInt8]) { state = Mutex(State(published: .success(keys))) }

  static let fresh = Duration.seconds(3_600)

  var source: KeySetSource {
    KeySetSource(
      "the service", now: { self.state.withLock { $0.now } },
      report: { report in self.state.withLock { $0.reports.append(report) } },
      read: {
        let published = self.state.withLock { state in
          state.reads += 1
          return state.published
        }
        return KeySetPlace.Published(json: try published.get(), fresh: Self.fresh)
      })
  }

  var reads: Int { state.withLock { $0.reads } }
  var reports: [String] { state.withLock { $0.reports } }

  func publish(_ keys: [UInt8]) { state.withLock { $0.published = .success(keys) } }

  func fail() { state.withLock { $0.published = .failure(.init(description: "It is away.")) } }

  func pass(_ time: Duration) { state.withLock { $0.now += time } }
}
