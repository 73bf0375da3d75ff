// Finds the user who sends a request, from a JWT that is checked with the server's secrets, or with the public keys of
// a sign-in service.

import Determinism
import Foundation
import JWTKit
import SyncProtocol
import Synchronization
import WireFormat

/// Checks tokens. No error says why a token is not valid, except that it has expired; `refusals` count why.
final class TokenChecker: Sendable {
  /// One collection for each secret.
  private let secrets: Mutex<[JWTKeyCollection]>
  let keySets: [KeySetSource]
  private let rules: TokenRules
  private let environment: RuntimeEnvironment
  private let problems = Mutex<[TokenProblem: Int]>([:])

  private static let mostBytes = 8_192

  init(
    _ secrets: [Secret], keySets: [KeySetSource] = [], rules: TokenRules = TokenRules(),
    environment: RuntimeEnvironment = .current
  ) async {
    self.secrets = Mutex(await Self.keys(of: secrets))
    (self.keySets, self.rules, self.environment) = (keySets, rules, environment)
  }

  /// Replaces the secrets. Tokens that were signed with others are not valid any more.
  func change(to secrets: [Secret]) async {
    let new = await Self.keys(of: secrets)
    self.secrets.withLock { $0 = new }
  }

  private static func keys(of secrets: [Secret]) async -> [JWTKeyCollection] {
    var all: [JWTKeyCollection] = []
    for secret in secrets {
      let keys = JWTKeyCollection()
      await keys.add(hmac: HMACKey(from: secret.bytes), digestAlgorithm: .sha256)
      all.append(keys)
    }
    return all
  }

  /// The user that an `Authorization` field names. Throws `unauthenticated` if it has no valid token, `unavailable` if
  /// no key to check it with could be read yet.
  func user(authorization: String?) async throws(RequestError) -> UserID {
    guard let authorization else { throw RequestError(.unauthenticated, "The request has no token.") }
    let words = authorization.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer", words[1].utf8.count <= Self.mostBytes else {
      throw RequestError(.unauthenticated, "`Authorization` is not `Bearer TOKEN`.")
    }
    do throws(TokenProblem) { return try await user(words[1]) } catch {
      problems.withLock { $0[error, default: 0] += 1 }
      switch error {
      case .expired: throw RequestError(.unauthenticated, "The token has expired.")
      case .keys: throw RequestError(.unavailable, "The keys that tokens are signed with are not known yet.")
      default: throw RequestError(.unauthenticated, "The token is not good.")
      }
    }
  }

  private func user(_ token: Substring) async throws(TokenProblem) -> UserID {
    guard let header = try? TokenHeader(of: token) else { throw .form }
    let claims = try await claims(of: token, header)
    let name = try rules.user(of: claims, at: Double(environment.nowMilliseconds()) / 1_000)
    return SyncID.user(subject: name, issuer: claims.issuer)
  }

  private func claims(of token: Substring, _ header: TokenHeader) async throws(TokenProblem) -> TokenClaims {
    if header.algorithm == .hs256 {
      guard let claims = await claims(of: token, signedBy: secrets.withLock { $0 }) else { throw .signature }
      return claims
    }
    var isKnown = false
    for source in keySets {
      let keys = await source.knownKeys(for: header) ?? []
      isKnown = isKnown || keys.contains { $0.id != nil && $0.id == header.keyID }
      if let claims = await claims(of: token, signedBy: keys.map(\.collection)) { return claims }
    }
    var problem = TokenProblem.signature
    for keys in await newestKeys(for: header) {
      guard let keys else {
        // Its key may be one of those; but a key that is known has not signed it.
        if !isKnown { problem = .keys }
        continue
      }
      if let claims = await claims(of: token, signedBy: keys.map(\.collection)) { return claims }
    }
    throw problem
  }

  /// Of each service, all of which are asked at once; nil for one whose keys are not known.
  private func newestKeys(for header: TokenHeader) async -> [[KeySet.Key]?] {
    await withTaskGroup(of: [KeySet.Key]?.self) { tasks in
      for source in keySets { tasks.addTask { await source.newestKeys(for: header) } }
      return await tasks.reduce(into: []) { $0.append($1) }
    }
  }

  private func claims(of token: Substring, signedBy keys: [JWTKeyCollection]) async -> TokenClaims? {
    for key in keys {
      if let claims = try? await key.verify(String(token), as: TokenClaims.self) { return claims }
    }
    return nil
  }

  /// How many tokens had a problem.
  var refusals: [TokenProblem: Int] { problems.withLock { $0 } }

  /// Signs with the first secret, which must be there.
  func sign(_ claims: TokenClaims) async throws -> String { try await secrets.withLock { $0[0] }.sign(claims) }
}
