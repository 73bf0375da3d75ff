// The service that tests of buckets share: moto, which checks signatures.

import Foundation
import SyncS3
import TestSupport
import Testing

/// Started once; the bucket has a prefix for each test.
enum S3Service {
  private static let started = Result { try start() }

  /// A bucket whose keys begin with `prefix`; nil if moto is not installed, which it says.
  static func bucket(_ prefix: String, secret: String? = nil, name: String = "team-files") throws -> S3Bucket? {
    guard let service = try started.get() else { return nil }
    return try S3Bucket(
      "s3://\(name)/\(prefix)",
      environment: [
        "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:\(service.port)", "AWS_REGION": "eu-central-1",
        "AWS_ACCESS_KEY_ID": service.key, "AWS_SECRET_ACCESS_KEY": secret ?? service.secret,
      ])
  }

  private struct Running {
    var program: TalkingProgram
    var port: String
    var key: String
    var secret: String
  }

  private static func start() throws -> Running? {
    guard let program = try PythonPackage.moto.talk("Tests/SyncS3Tests/service.py") else { return nil }
    let words = (program.line() ?? "").split(separator: " ").map(String.init)
    let errors = try program.errors()
    try #require(words.count == 3, "moto did not start: \(errors)")
    return Running(program: program, port: words[0], key: words[1], secret: words[2])
  }
}
