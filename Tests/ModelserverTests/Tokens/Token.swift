// Makes tokens without the library with which the server checks them.

import Crypto
import Foundation

enum Token {
  static let secret = "0123456789abcdef0123456789abcdef"

  static func make(
    _ user: String, secret: String = secret, header: String = #"{"alg":"HS256","typ":"JWT"}"#,
    claims: String? = nil
  ) -> String {
    let claims = claims ?? #"{"sub":"\#(user)","exp":9999999999}"#
    let signed = base64(Array(header.utf8)) + "." + base64(Array(claims.utf8))
    let key = SymmetricKey(data: Data(secret.utf8))
    return signed + "." + base64(Array(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)))
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }
}
