// Signs requests: AWS Signature Version 4
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).

import Crypto
import Foundation

/// A request before it is signed.
struct S3Request: Sendable {
  var method: String
  /// The path, with a slash at its beginning; not escaped.
  var path: String
  /// Names and values, not escaped.
  var query: [(name: String, value: String)] = []
  /// Names in lower case. `host` is added.
  var headers: [(name: String, value: String)] = []
  var body: [UInt8] = []
}

struct S3Signature {
  let credentials: S3Credentials
  let region: String

  /// The path and query as they are sent.
  static func target(_ request: S3Request) -> String {
    let query = canonicalQuery(request.query)
    return canonicalPath(request.path) + (query.isEmpty ? "" : "?\(query)")
  }

  /// All headers of the request, with its signature. `milliseconds` is the time since 1970.
  func headers(of request: S3Request, host: String, at milliseconds: Int64) -> [(name: String, value: String)] {
    let time = Self.time(milliseconds)
    let day = String(time.prefix(8))
    let payload = Self.hexadecimal(SHA256.hash(data: request.body))
    var headers = request.headers + [("host", host), ("x-amz-content-sha256", payload), ("x-amz-date", time)]
    if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
    headers.sort { $0.name < $1.name }
    let names = headers.map(\.name).joined(separator: ";")
    let canonical = [
      request.method, Self.canonicalPath(request.path), Self.canonicalQuery(request.query),
      headers.map { "\($0.name):\($0.value.trimmingCharacters(in: .whitespaces))\n" }.joined(), names, payload,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text = ["AWS4-HMAC-SHA256", time, scope, Self.hexadecimal(SHA256.hash(data: Data(canonical.utf8)))]
      .joined(separator: "\n")
    let signature = Self.hexadecimal(Self.code(text, Self.key(credentials.secret, day, region)))
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(credentials.key)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    return headers.filter { $0.name != "host" } + [("authorization", authorization)]
  }

  private static func key(_ secret: String, _ day: String, _ region: String) -> SymmetricKey {
    [day, region, "s3", "aws4_request"].reduce(SymmetricKey(data: Data("AWS4\(secret)".utf8))) { key, part in
      SymmetricKey(data: Data(code(part, key)))
    }
  }

  private static func code(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
  }

  /// Such as `20130524T000000Z`.
  static func time(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds / 1_000))
      .formatted(Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt))
  }

  private static func canonicalPath(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { escaped($0) }.joined(separator: "/")
  }

  private static func canonicalQuery(_ query: [(name: String, value: String)]) -> String {
    query.map { (escaped($0.name), escaped($0.value)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// All but the unreserved characters of RFC 3986 as `%XX`.
  private static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    for byte in text.utf8 {
      let character = Unicode.Scalar(byte)
      let isUnreserved =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~".utf8.contains(byte)
        }
      if isUnreserved {
        escaped.unicodeScalars.append(character)
      } else {
        escaped += "%" + hexadecimal(CollectionOfOne(byte)).uppercased()
      }
    }
    return escaped
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
