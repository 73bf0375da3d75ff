// Tests of signatures, with the examples of the algorithm's documentation
// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).

import Testing

@testable import SyncS3

@Suite struct SignatureTests {
  private static let signature = S3Signature(
    credentials: S3Credentials(key: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  /// 2013-05-24T00:00:00Z.
  private static let time: Int64 = 1_369_353_600_000

  private static func signed(_ request: S3Request) -> String {
    let headers = signature.headers(of: request, host: "examplebucket.s3.amazonaws.com", at: time)
    let authorization = headers.first { $0.name == "authorization" }?.value ?? ""
    return String(authorization.split(separator: "Signature=").last ?? "")
  }

  @Test func theExamplesOfTheDocumentation() {
    let examples: [(S3Request, String)] = [
      (
        S3Request(method: "GET", path: "/test.txt", headers: [("range", "bytes=0-9")]),
        "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
      ),
      (
        S3Request(
          method: "PUT", path: "/test$file.text",
          headers: [("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
          body: Array("Welcome to Amazon S3.".utf8)),
        "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
      ),
      (
        S3Request(method: "GET", path: "/", query: [("lifecycle", "")]),
        "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
      ),
      (
        S3Request(method: "GET", path: "/", query: [("max-keys", "2"), ("prefix", "J")]),
        "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
      ),
    ]
    for (request, signature) in examples {
      #expect(Self.signed(request) == signature, "\(request.method) \(request.path)")
    }
  }

  @Test func whatIsSentIsWhatIsSigned() {
    let request = S3Request(method: "GET", path: "/a b/ü+", query: [("b", "1 2"), ("a", "ä&="), ("a", "%")])
    #expect(S3Signature.target(request) == "/a%20b/%C3%BC%2B?a=%25&a=%C3%A4%26%3D&b=1%202")
    #expect(S3Signature.target(S3Request(method: "GET", path: "/bucket")) == "/bucket")
  }

  @Test func aSessionTokenIsSignedToo() {
    let signature = S3Signature(
      credentials: S3Credentials(key: "key", secret: "secret", sessionToken: "token"), region: "eu-central-1")
    let headers = signature.headers(of: S3Request(method: "GET", path: "/"), host: "example.com", at: Self.time)
    #expect(headers.contains { $0 == ("x-amz-security-token", "token") })
    let names = headers.first { $0.name == "authorization" }?.value ?? ""
    #expect(names.contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"))
  }

  @Test(arguments: [
    ("s3://", "names no bucket"), ("s3://ab", "names no bucket"), ("s3://Bucket", "names no bucket"),
    ("s3://bucket/ü", "prefix"), ("s3://bucket/a b", "prefix"),
  ]) func whatNamesNoBucketIsRefused(text: String, words: String) {
    let environment = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
    let error = #expect(throws: S3Bucket.Refused.self) { try S3Bucket(text, environment: environment) }
    #expect(error?.description.contains(words) == true)
  }

  @Test func theEnvironmentNamesServiceAndKey() throws {
    let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
    #expect(throws: S3Bucket.Refused.self) { try S3Bucket("s3://bucket", environment: [:]) }
    let plain = try S3Bucket("s3://bucket/a//b/", environment: keys)
    #expect(plain.endpoint == "https://s3.us-east-1.amazonaws.com" && plain.name == "bucket" && plain.prefix == "a/b/")
    let other = try S3Bucket(
      "S3://bucket", environment: keys.merging(["AWS_ENDPOINT_URL": "http://[::1]:9000/", "AWS_REGION": "x"]) { $1 })
    #expect(other.endpoint == "http://[::1]:9000" && other.region == "x" && other.prefix == "")
    for wrong in ["ftp://a", "a", "https://", "https://a/path", "https://user@a", "https://a?b"] {
      #expect(throws: S3Bucket.Refused.self) {
        try S3Bucket("s3://bucket", environment: keys.merging(["AWS_ENDPOINT_URL": wrong]) { $1 })
      }
    }
  }
}
