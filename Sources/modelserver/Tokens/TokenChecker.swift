// Finds the user who sends a request, from a JWT (HS256) that is checked with the server's secrets.

import Determinism
import Foundation
import JWTKit
import SyncProtocol
import Synchronization
import WireFormat

/// The claims that a token needs. Others are ignored.
struct TokenClaims: JWTPayload {
  var sub: String
  /// Seconds since 1970. From then on the token is not valid any more.
  var exp: Double
  /// Seconds since 1970. Before then the token is not valid yet.
  var nbf: Double?
  var iss: String?

  init(sub: String, exp: Double, iss: String?) {
    (self.sub, self.exp, self.iss) = (sub, exp, iss)
  }

  /// Does nothing: `TokenChecker` checks the times and the issuer, because it knows the clock.
  func verify(using _: some JWTAlgorithm) {}
}

/// Checks tokens with the secrets. No error says why a token is not valid, except that it has expired.
final class TokenChecker: Sendable {
  /// One collection for each secret; never empty.
  private let keys: Mutex<[JWTKeyCollection]>
  private let issuer: String?
  private let environment: RuntimeEnvironment

  private static let mostBytes = 8_192

  init(_ secrets: [Secret], issuer: String?, environment: RuntimeEnvironment = .current) async {
    keys = Mutex(await Self.keys(of: secrets))
    self.issuer = issuer
    self.environment = environment
  }

  /// Replaces the secrets. Tokens that were signed with others are not valid any more.
  func change(to secrets: [Secret]) async {
    let new = await Self.keys(of: secrets)
    keys.withLock { $0 = new }
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

  /// The user that an `Authorization` field names. Throws `unauthenticated` if it has no valid token.
  func user(authorization: String?) async throws(RequestError) -> UserID {
    guard let authorization else { throw RequestError(.unauthenticated, "The request has no token.") }
    let words = authorization.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].lowercased() == "bearer", words[1].utf8.count <= Self.mostBytes else {
      throw RequestError(.unauthenticated, "`Authorization` is not `Bearer TOKEN`.")
    }
    guard let claims = await claims(of: words[1]) else {
      throw RequestError(.unauthenticated, "The token is not good.")
    }
    return try user(claims)
  }

  /// The claims of a token; nil if none of the secrets has signed it.
  private func claims(of token: Substring) async -> TokenClaims? {
    guard (try? TokenHeader.check(token)) != nil else { return nil }
    for keys in keys.withLock({ $0 }) {
      if let claims = try? await keys.verify(String(token), as: TokenClaims.self) { return claims }
    }
    return nil
  }

  private func user(_ claims: TokenClaims) throws(RequestError) -> UserID {
    let now = Double(environment.nowMilliseconds()) / 1_000
    guard now < claims.exp else { throw RequestError(.unauthenticated, "The token has expired.") }
    guard claims.nbf.map({ now >= $0 }) ?? true, !claims.sub.isEmpty, issuer == nil || issuer == claims.iss else {
      throw RequestError(.unauthenticated, "The token is not good.")
    }
    return SyncID.user(subject: claims.sub, issuer: claims.iss)
  }

  func sign(_ claims: TokenClaims) async throws -> String { try await keys.withLock { $0[0] }.sign(claims) }
}
