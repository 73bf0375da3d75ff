// Tests of tokens that a sign-in service signs with a private key, made by another implementation.

import Foundation
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@testable import modelserver

@Suite struct PublicKeyTests {
  private let samples: TokenSamples
  private let service: SampleService
  private let anna = SyncID.user(subject: "anna", issuer: TokenSamples.issuer)

  init() throws {
    samples = try TokenSamples()
    service = SampleService(samples.keySet("keys"))
  }

  /// The user, or what the client is told.
  private func answer(_ checker: TokenChecker, _ token: String) async -> Result<UserID, RequestError> {
    do throws(RequestError) { return .success(try await checker.user(authorization: "Bearer \(token)")) } catch {
      return .failure(error)
    }
  }

  @Test func eachAlgorithmIsGood() async throws {
    let checker = await TokenSamples.checker([service.source])
    let tokens = samples.tokens("good")
    #expect(tokens.count == 10)
    for (name, token) in tokens { #expect(await answer(checker, token) == .success(anna), "\(name)") }
    #expect(service.reads == 1)
  }

  @Test func whatIsWrongIsRefusedWithoutAReason() async throws {
    let checker = await TokenSamples.checker([service.source])
    let refused = Result<UserID, RequestError>.failure(RequestError(.unauthenticated, "The token is not good."))
    let tokens = samples.tokens("bad")
    #expect(tokens.count == 22)
    for (name, token) in tokens { #expect(await answer(checker, token) == refused, "\(name)") }
    // The operator is told.
    #expect(checker.refusals == [.form: 5, .signature: 6, .early: 1, .issuer: 2, .audience: 5, .user: 3])
    for (name, token) in samples.tokens("good") {
      let parts = token.split(separator: ".").map(String.init)
      let (head, body, signature) = (parts[0], parts[1], parts[2])
      let broken = ["\(head).\(body).", "\(head)..\(signature)", "\(head).\(body).AAAA", "\(token)A", "\(token).A"]
      for token in broken { #expect(await answer(checker, token) == refused, "\(name): \(token)") }
    }
  }

  @Test func anExpiredOneIsSaidToBe() async throws {
    let checker = await TokenSamples.checker([service.source])
    for (name, token) in samples.tokens("expired") {
      let error = RequestError(.unauthenticated, "The token has expired.")
      #expect(await answer(checker, token) == .failure(error), "\(name)")
    }
  }

  @Test func rulesMayNameSeveralAndAnotherClaim() async throws {
    var rules = TokenSamples.rules
    rules.issuers.append("https://accounts.example.com")
    rules.audiences.append("tablets")
    let both = await TokenSamples.checker([service.source], rules: rules)
    let other = SyncID.user(subject: "anna", issuer: "https://accounts.example.com")
    #expect(await answer(both, try samples.token("otherIssuer")) == .success(other))
    #expect(await answer(both, try samples.good("RS256")) == .success(anna))
    rules.userClaim = "uid"
    let byClaim = await TokenSamples.checker([service.source], rules: rules)
    #expect(await answer(byClaim, try samples.token("uid")) == .success(anna))
    #expect(await answer(byClaim, try samples.token("otherIssuer")) != .success(anna), "it has no `uid`")
  }

  @Test func aSecretIsGoodBesideKeys() async throws {
    let claims = #"{"sub":"anna","exp":9999999999,"iss":"\#(TokenSamples.issuer)","aud":"photos"}"#
    let (own, forged) = (Token.make("", claims: claims), Token.make("", secret: "x" + Token.secret, claims: claims))
    let folder = try TemporaryFolder()
    try folder.write("secret", Token.secret)
    let secrets = try Secret.read(folder.url.appending(path: "secret").path)
    let checker = await TokenSamples.checker([service.source], secrets: secrets)
    #expect(await answer(checker, own) == .success(anna))
    #expect(await answer(checker, forged) != .success(anna))
    #expect(service.reads == 0, "a token with a secret reads no keys")
    #expect(await answer(checker, try samples.good("RS256")) == .success(anna))
  }

  @Test func keysWithoutNamesAreTried() async throws {
    let checker = await TokenSamples.checker([SampleService(samples.keySet("namelessKeys")).source])
    for (name, token) in samples.tokens("nameless") {
      #expect(await answer(checker, token) == .success(anna), "\(name)")
    }
  }

  @Test func severalServicesAreTried() async throws {
    let other = SampleService(samples.keySet("namelessKeys"))
    let checker = await TokenSamples.checker([other.source, service.source])
    #expect(await answer(checker, samples.tokens("nameless")[0].token) == .success(anna))
    for (name, token) in samples.tokens("good") { #expect(await answer(checker, token) == .success(anna), "\(name)") }
    other.fail()
    other.pass(SampleService.fresh)
    for (name, token) in samples.tokens("good") { #expect(await answer(checker, token) == .success(anna), "\(name)") }
  }

  @Test(arguments: [
    ("[]", "It is not a key set"), ("{}", "It is not a key set"), ("<html>", "It is not a key set"), ("", "It is not"),
    (#"{"keys":[]}"#, "None of its keys"), (#"{"keys":[{"kty":"oct","k":"c2VjcmV0"},7,null]}"#, "None of its keys"),
    (#"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#, "None of its keys"),
    (#"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#, "None of its keys"),
    (#"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}"#, "None of its keys"),
    (#"{"keys":[{"kty":"OKP","crv":"X25519","x":"AA"}]}"#, "None of its keys"),
    (#"{"keys":[{"kty":"RSA","n":"\#(String(repeating: "A", count: 1_367))","e":"AQAB"}]}"#, "None of its keys"),
    (#"{"keys":[\#(Array(repeating: "{}", count: 101).joined(separator: ","))]}"#, "It has 101 keys"),
    (String(repeating: " ", count: 1 << 20), "It has more than 256 kB"),
  ]) func whatIsNoKeySetIsRefused(text: String, reason: String) async {
    let error = await #expect(throws: KeySet.Refused.self) { _ = try await KeySet(parsing: Array(text.utf8)) }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }

  @Test func keysOfOtherKindsAreLeftOut() async throws {
    let keys = try await KeySet(parsing: samples.keySet("keys"))
    #expect(keys.keys.map(\.id) == ["rsa", "ec", "ed"])
    #expect(keys.leftOut == 7)
  }

  @Test func freshnessIsWithinBounds() {
    let cases: [([String], Int)] = [
      ([], 3_600), (["public"], 3_600), (["public, max-age=19567, must-revalidate"], 19_567), (["max-age=0"], 60),
      (["max-age=99999999"], 86_400), (["max-age=99999999999999999999"], 3_600), (["no-cache"], 60),
      (["private", "Max-Age=\"120\""], 120), (["no-store, max-age=900"], 60), (["max-age=-1"], 3_600),
    ]
    for (header, seconds) in cases { #expect(KeySetPlace.fresh(header) == .seconds(seconds), "\(header)") }
  }
}
