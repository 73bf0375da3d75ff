// Where files lie: a bucket of an S3-compatible service, and the key to it.

import Foundation

/// A bucket, as `s3://BUCKET/PREFIX` names it, with what the environment says of its service.
package struct S3Bucket: Sendable {
  /// Scheme, host and port of the service, without a path.
  let endpoint: String
  let region: String
  let name: String
  /// What all keys begin with: empty, or with a slash at its end.
  let prefix: String
  let credentials: S3Credentials

  package struct Refused: Error, CustomStringConvertible {
    package let description: String
  }

  /// Whether a text names a bucket, rightly or not.
  package static func isNamed(by text: String) -> Bool { text.lowercased().hasPrefix("s3://") }

  /// Reads the variables that other tools for S3 read too. Throws if one is missing or the name is none.
  package init(_ text: String, environment: [String: String]) throws(Refused) {
    let parts = text.dropFirst("s3://".count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let name = parts.first ?? ""
    guard name.utf8.count >= 3, name.utf8.count <= 63, name.utf8.allSatisfy(Self.isPartOfAName) else {
      throw Refused(description: "\(text) names no bucket: s3://BUCKET or s3://BUCKET/PREFIX.")
    }
    let folders = parts.dropFirst().filter { !$0.isEmpty }
    guard folders.joined().utf8.allSatisfy({ Self.isPartOfAName($0) || $0 == UInt8(ascii: "_") }) else {
      throw Refused(description: "The prefix in \(text) may have a to z, 0 to 9, `-`, `.`, `_` and `/` only.")
    }
    self.name = name
    prefix = folders.map { $0 + "/" }.joined()
    credentials = try S3Credentials(environment)
    region = environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"] ?? "us-east-1"
    endpoint = try Self.endpoint(environment, region)
  }

  private static func isPartOfAName(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func endpoint(_ environment: [String: String], _ region: String) throws(Refused) -> String {
    guard let text = environment["AWS_ENDPOINT_URL_S3"] ?? environment["AWS_ENDPOINT_URL"] else {
      return "https://s3.\(region).amazonaws.com"
    }
    guard let url = URLComponents(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
      let host = url.host, !host.isEmpty, url.path.isEmpty || url.path == "/", url.user == nil, url.query == nil
    else { throw Refused(description: "AWS_ENDPOINT_URL_S3 is not the address of a service: \(text).") }
    return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
  }
}

package struct S3Credentials: Sendable {
  let key: String
  let secret: String
  /// Of credentials that end.
  let sessionToken: String?

  init(key: String, secret: String, sessionToken: String? = nil) {
    (self.key, self.secret, self.sessionToken) = (key, secret, sessionToken)
  }

  init(_ environment: [String: String]) throws(S3Bucket.Refused) {
    guard let key = environment["AWS_ACCESS_KEY_ID"], let secret = environment["AWS_SECRET_ACCESS_KEY"],
      !key.isEmpty, !secret.isEmpty
    else {
      throw S3Bucket.Refused(
        description: "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: the key to the bucket, from its service.")
    }
    self.init(key: key, secret: secret, sessionToken: environment["AWS_SESSION_TOKEN"])
  }
}
