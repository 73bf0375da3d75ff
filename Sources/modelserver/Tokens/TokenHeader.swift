// The first part of a token, which says how the rest is signed (RFC 7515, section 4.1).

import Foundation

/// How a token is signed (RFC 7518, section 3.1; RFC 8037).
enum TokenAlgorithm: String, Sendable {
  /// With a secret that both sides have. The others have a key pair, of which the server knows the public half.
  case hs256 = "HS256"
  case rs256 = "RS256"
  case es256 = "ES256"
  case edDSA = "EdDSA"

  /// `Ed25519` is the newer name of `EdDSA` (RFC 9864).
  init?(name: String) { self.init(rawValue: name == "Ed25519" ? "EdDSA" : name) }
}

/// Checked here, because the library that checks the signature goes by the key alone.
struct TokenHeader: Decodable {
  let algorithm: TokenAlgorithm
  /// The key that has signed the token, by its name in the key set.
  let keyID: String?

  struct Refused: Error {}

  private enum CodingKeys: CodingKey { case alg, typ, kid, crit }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    // `crit` names extensions that the server must understand, and it understands none.
    guard !values.contains(.crit) else { throw Refused() }
    let name = try values.decode(String.self, forKey: .alg)
    guard let algorithm = TokenAlgorithm(name: name) else { throw Refused() }
    self.algorithm = algorithm
    keyID = try values.decodeIfPresent(String.self, forKey: .kid)
    let type = try values.decodeIfPresent(String.self, forKey: .typ)
    guard ["jwt", "at+jwt", "application/at+jwt"].contains(type?.lowercased() ?? "jwt") else { throw Refused() }
  }

  /// Throws unless a token consists of three parts in base64url, without padding, and says that it is a JWT with an
  /// algorithm that the server knows.
  init(of token: Substring) throws {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isBase64URL) }),
      let bytes = Data(base64URL: parts[0])
    else { throw Refused() }
    self = try JSONDecoder().decode(Self.self, from: bytes)
  }

  private static func isBase64URL(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Data {
  fileprivate init?(base64URL text: Substring) {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    self.init(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
  }
}
