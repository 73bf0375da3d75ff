// The first part of a token, which says how the rest is signed (RFC 7515, section 4.1).

import Foundation

/// Checked here, because the library that checks the signature goes by the secret alone.
struct TokenHeader: Decodable {
  private var alg: String
  private var typ: String?

  struct Refused: Error {}

  private enum CodingKeys: CodingKey { case alg, typ, crit }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    // `crit` names extensions that the server must understand, and it understands none.
    guard !values.contains(.crit) else { throw Refused() }
    alg = try values.decode(String.self, forKey: .alg)
    typ = try values.decodeIfPresent(String.self, forKey: .typ)
  }

  /// Throws unless a token consists of three parts in base64url, without padding, and says that it is a JWT with HS256.
  static func check(_ token: Substring) throws {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isBase64URL) }),
      let bytes = Data(base64URL: parts[0])
    else { throw Refused() }
    let header = try JSONDecoder().decode(Self.self, from: bytes)
    guard header.alg == "HS256", ["jwt", "at+jwt"].contains(header.typ?.lowercased() ?? "jwt") else { throw Refused() }
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
