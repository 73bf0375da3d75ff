// The public keys of a sign-in service, as it publishes them: a JSON Web Key Set (RFC 7517).

import Foundation
import JWTKit

/// Keys of other kinds than tokens are signed with are left out, because services publish those in the same document.
struct KeySet: Sendable {
  struct Key: Sendable {
    let id: String?
    let algorithm: TokenAlgorithm
    /// The one key.
    let collection: JWTKeyCollection
  }

  let keys: [Key]
  let leftOut: Int

  static let mostBytes = 256 << 10
  static let mostKeys = 100

  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  init(parsing json: [UInt8]) async throws(Refused) {
    guard json.count <= Self.mostBytes else {
      throw Refused(description: "It has more than \(Self.mostBytes >> 10) kB.")
    }
    let document: Document
    do { document = try JSONDecoder().decode(Document.self, from: Data(json)) } catch {
      throw Refused(description: #"It is not a key set: JSON such as {"keys": […]} (RFC 7517)."#)
    }
    guard document.keys.count <= Self.mostKeys else {
      throw Refused(description: "It has \(document.keys.count) keys; at most \(Self.mostKeys) are read.")
    }
    var keys: [Key] = []
    for key in document.keys.compactMap(\.key) {
      if let algorithm = key.algorithm, let collection = try? await key.collection() {
        keys.append(Key(id: key.kid, algorithm: algorithm, collection: collection))
      }
    }
    guard !keys.isEmpty else {
      throw Refused(description: "None of its keys is for RS256 (2048 bits at least), ES256 or EdDSA (Ed25519).")
    }
    self.keys = keys
    leftOut = document.keys.count - keys.count
  }

  /// The keys that may have signed a token: one, unless the token or the keys have no `kid`.
  func keys(for header: TokenHeader) -> [Key] {
    keys.filter { key in
      key.algorithm == header.algorithm && (key.id == nil || header.keyID == nil || key.id == header.keyID)
    }
  }
}

private struct Document: Decodable {
  let keys: [Entry]

  /// Any key: one that is not understood is nil, and spoils no others.
  struct Entry: Decodable {
    let key: PublishedKey?
    init(from decoder: any Decoder) { key = try? PublishedKey(from: decoder) }
  }
}

/// A key as it is published. Of a private key only the public part is read.
private struct PublishedKey: Decodable {
  /// The length in base64url of 8,192 bits: with a longer modulus checks take too long.
  private static let mostModulus = 1_366

  let kty: String
  let kid: String?
  let use: String?
  let alg: String?
  let crv: String?
  let n: String?
  let e: String?
  let x: String?
  let y: String?

  /// What the key signs tokens with; nil for a key that is for something else.
  var algorithm: TokenAlgorithm? {
    guard use ?? "sig" == "sig" else { return nil }
    let own: TokenAlgorithm
    switch (kty, crv) {
    case ("RSA", _): own = .rs256
    case ("EC", "P-256"): own = .es256
    case ("OKP", "Ed25519"): own = .edDSA
    default: return nil
    }
    return alg.map { TokenAlgorithm(name: $0) == own } ?? true ? own : nil
  }

  /// A collection of this key alone. Throws if the key is broken or too short.
  func collection() async throws -> JWTKeyCollection {
    let keys = JWTKeyCollection()
    switch algorithm {
    case .rs256:
      guard let n, let e, n.utf8.count <= Self.mostModulus else { throw JWTError.invalidJWK(reason: "modulus") }
      await keys.add(rsa: try Insecure.RSA.PublicKey(modulus: n, exponent: e), digestAlgorithm: .sha256)
    case .es256:
      guard let x, let y else { throw JWTError.invalidJWK(reason: "point") }
      await keys.add(ecdsa: try ES256PublicKey(parameters: (x, y)))
    case .edDSA:
      guard let x else { throw JWTError.invalidJWK(reason: "point") }
      await keys.add(eddsa: try EdDSA.PublicKey(x: x, curve: .ed25519))
    case .hs256, nil: throw JWTError.invalidJWK(reason: "algorithm")
    }
    return keys
  }
}
