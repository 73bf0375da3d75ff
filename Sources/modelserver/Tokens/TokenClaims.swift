// What a token says, and what it has to say.

import JWTKit

/// The claims of a token that the server looks at (RFC 7519, section 4.1).
struct TokenClaims: JWTPayload {
  /// All claims that are texts, `sub` and `iss` among them, because any of them may name the user.
  let texts: [String: String]
  let audiences: [String]
  /// Seconds since 1970. From then on the token is not valid any more. Nil if it does not say so, which it must.
  let expires: Double?
  /// Seconds since 1970. Before then the token is not valid yet.
  let notBefore: Double?

  var issuer: String? { texts["iss"] }

  init(user: String, expires: Double, issuer: String?, audience: String?) {
    texts = ["sub": user].merging(issuer.map { ["iss": $0] } ?? [:]) { $1 }
    audiences = audience.map { [$0] } ?? []
    (self.expires, notBefore) = (expires, nil)
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
    static let expires = Self(stringValue: "exp")
    static let notBefore = Self(stringValue: "nbf")
    static let audience = Self(stringValue: "aud")
  }

  init(from decoder: any Decoder) throws {
    let claims = try decoder.container(keyedBy: Name.self)
    var texts: [String: String] = [:]
    for name in claims.allKeys { texts[name.stringValue] = try? claims.decode(String.self, forKey: name) }
    self.texts = texts
    expires = try? claims.decode(Double.self, forKey: .expires)
    // What is no time never comes.
    do { notBefore = try claims.decodeIfPresent(Double.self, forKey: .notBefore) } catch { notBefore = .infinity }
    audiences = texts["aud"].map { [$0] } ?? (try? claims.decode([String].self, forKey: .audience)) ?? []
  }

  func encode(to encoder: any Encoder) throws {
    var claims = encoder.container(keyedBy: Name.self)
    for (name, text) in texts { try claims.encode(text, forKey: Name(stringValue: name)) }
    try claims.encodeIfPresent(expires, forKey: .expires)
    try claims.encodeIfPresent(notBefore, forKey: .notBefore)
    if !audiences.isEmpty { try claims.encode(audiences, forKey: .audience) }
  }

  /// Does nothing: `TokenRules` checks the claims, because `TokenChecker` knows the clock.
  func verify(using _: some JWTAlgorithm) {}
}

/// What a token must say, besides that it is signed.
struct TokenRules: Sendable {
  /// The issuers whose tokens are good; all if there are none.
  var issuers: [String] = []
  /// A token names one of these; any or none if there are none.
  var audiences: [String] = []
  /// The claim that says who the user is.
  var userClaim = "sub"
  /// By how many seconds the clocks of the server and the sign-in service may differ.
  var leewaySeconds = 0.0

  /// The name of the user, which is one of the issuer's. `now` is in seconds since 1970.
  func user(of claims: TokenClaims, at now: Double) throws(TokenProblem) -> String {
    guard let expires = claims.expires else { throw .form }
    guard now - leewaySeconds < expires else { throw .expired }
    guard claims.notBefore.map({ now + leewaySeconds >= $0 }) ?? true else { throw .early }
    guard issuers.isEmpty || claims.issuer.map(issuers.contains) ?? false else { throw .issuer }
    guard audiences.isEmpty || claims.audiences.contains(where: audiences.contains) else { throw .audience }
    guard let user = claims.texts[userClaim], !user.isEmpty else { throw .user }
    return user
  }
}

/// Why a token is not good. Only the operator is told, by a metric, except that a token has expired.
enum TokenProblem: String, CaseIterable, Error {
  /// It is no JWT with `exp`, or signed in a way that the server does not know.
  case form
  /// No key that the server knows has signed it.
  case signature
  /// It expired, or is not good yet.
  case expired, early
  /// It is another's, for another app, or names no user.
  case issuer, audience, user
  /// The keys to check it with could not be read yet.
  case keys
}
