// Sends requests to an S3-compatible service, and waits for their answers. To be called from threads that may block.

import AsyncHTTPClient
import Determinism
import Foundation
import NIOCore
import NIOHTTP1
import SyncServer

/// The calls of a bucket. A failure is a `StorageError`, with the service's own code of it.
final class S3Client: Sendable {
  private let bucket: S3Bucket
  private let signature: S3Signature
  private let http: HTTPClient
  private let environment: RuntimeEnvironment

  /// Of a call with bytes, and of one that only looks or removes: queues are locked meanwhile.
  private static let timeLimits = (bytes: TimeAmount.seconds(60), others: TimeAmount.seconds(5))
  /// Of an answer that is no content: a list of 1,000 objects.
  private static let mostText = 4 << 20
  /// A failure that may pass is tried again after these pauses.
  private static let pauses: [TimeInterval] = [0.1, 0.5]

  init(_ bucket: S3Bucket, environment: RuntimeEnvironment = .current) {
    self.bucket = bucket
    self.environment = environment
    signature = S3Signature(credentials: bucket.credentials, region: bucket.region)
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.timeout = .init(connect: .seconds(10), read: .seconds(30))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    configuration.connectionPool.retryConnectionEstablishment = false
    http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Ends in the background.
  deinit { _ = http.shutdown() }

  // MARK: Objects

  func put(_ bytes: [UInt8], as key: String) throws {
    _ = try call(S3Request(method: "PUT", path: path(key), body: bytes), "write a file")
  }

  /// The size of an object in bytes; nil if there is none.
  func size(of key: String) throws -> Int64? {
    let answer = try call(S3Request(method: "HEAD", path: path(key)), "look at a file", allowing: [404])
    guard answer.status == 200 else { return nil }
    guard let size = answer.headers["content-length"].flatMap({ Int64($0) }) else {
      throw StorageError(.inputOutput, "The server cannot look at a file: its size is missing.")
    }
    return size
  }

  /// Bytes of an object, fewer at its end; nil if there is none.
  func get(_ key: String, at offset: Int64 = 0, count: Int) throws -> [UInt8]? {
    guard count > 0 else { return try size(of: key) == nil ? nil : [] }
    let range = [(name: "range", value: "bytes=\(offset)-\(offset + Int64(count) - 1)")]
    let answer = try call(
      S3Request(method: "GET", path: path(key), headers: range), "read a file", allowing: [404, 416],
      most: max(count, Self.mostText))
    switch answer.status {
    case 404: return nil
    case 416: return []
    default: return answer.body
    }
  }

  func delete(_ key: String) throws {
    _ = try call(S3Request(method: "DELETE", path: path(key)), "remove a file", allowing: [404])
  }

  /// Copies an object of this bucket. Returns false if there is none.
  func copy(_ source: String, to target: String) throws -> Bool {
    let headers = [(name: "x-amz-copy-source", value: path(source))]
    let answer = try call(
      S3Request(method: "PUT", path: path(target), headers: headers), "copy a file", allowing: [404])
    // A failure on the way comes with the status of success.
    if let code = answer.texts("Code").first, answer.status == 200 {
      throw StorageError(.inputOutput, "The server cannot copy a file: \(code).")
    }
    return answer.status != 404
  }

  // MARK: Lists

  /// The objects whose keys begin so, in the order of the keys.
  func list(_ prefix: String) throws -> [S3Answer.Entry] {
    try pages(prefix, []).flatMap(\.entries)
  }

  /// What stands between a prefix and the next slash, in order.
  func folders(_ prefix: String) throws -> [String] {
    let whole = bucket.prefix + prefix
    // The prefix itself stands in the answer too, without anything behind it.
    return try pages(prefix, [("delimiter", "/")]).flatMap { $0.texts("Prefix") }
      .filter { $0.hasPrefix(whole) && $0 != whole }.map { String($0.dropFirst(whole.count).dropLast()) }
  }

  /// Throws unless the bucket answers.
  func check() throws {
    let query = [("list-type", "2"), ("max-keys", "1"), ("prefix", bucket.prefix)].map { (name: $0, value: $1) }
    _ = try call(S3Request(method: "GET", path: "/\(bucket.name)", query: query), "read the bucket \(bucket.name)")
  }

  private func pages(_ prefix: String, _ more: [(String, String)]) throws -> [S3Answer] {
    var answers: [S3Answer] = []
    var token: String?
    repeat {
      let query =
        [("list-type", "2"), ("prefix", bucket.prefix + prefix)] + more
        + (token.map { [("continuation-token", $0)] } ?? [])
      let request = S3Request(
        method: "GET", path: "/\(bucket.name)", query: query.map { (name: $0, value: $1) })
      let answer = try call(request, "list files")
      answers.append(answer)
      token = answer.texts("NextContinuationToken").first
    } while token != nil
    return answers
  }

  // MARK: Objects in parts

  /// Begins an object that comes in parts; returns what its parts are sent with.
  func begin(_ key: String) throws -> String {
    let answer = try call(S3Request(method: "POST", path: path(key), query: [("uploads", "")]), "begin a file")
    guard let id = answer.texts("UploadId").first else {
      throw StorageError(.inputOutput, "The server cannot begin a file: the answer has no UploadId.")
    }
    return id
  }

  /// Sends a part, the first of which is 1; returns its tag. All but the last have 5 MiB at least.
  func put(_ bytes: [UInt8], as key: String, part: Int, of upload: String) throws -> String {
    let request = S3Request(
      method: "PUT", path: path(key), query: [("partNumber", "\(part)"), ("uploadId", upload)], body: bytes)
    guard let tag = try call(request, "write a part of a file").headers["etag"] else {
      throw StorageError(.inputOutput, "The server cannot write a part of a file: the answer has no ETag.")
    }
    return tag
  }

  func complete(_ key: String, _ upload: String, tags: [String]) throws {
    let parts = tags.enumerated().map { "<Part><PartNumber>\($0 + 1)</PartNumber><ETag>\($1)</ETag></Part>" }
    let body = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
    let answer = try call(
      S3Request(method: "POST", path: path(key), query: [("uploadId", upload)], body: Array(body.utf8)),
      "end a file")
    if let code = answer.texts("Code").first {
      throw StorageError(.inputOutput, "The server cannot end a file: \(code).")
    }
  }

  func abort(_ key: String, _ upload: String) throws {
    let request = S3Request(method: "DELETE", path: path(key), query: [("uploadId", upload)])
    _ = try call(request, "give up a file", allowing: [404])
  }

  /// Objects in parts that have not ended, whose keys begin so: at most 1,000.
  func begun(_ prefix: String) throws -> [(key: String, upload: String, time: String)] {
    let query = [(name: "uploads", value: ""), (name: "prefix", value: bucket.prefix + prefix)]
    let answer = try call(S3Request(method: "GET", path: "/\(bucket.name)", query: query), "list uploads")
    let (keys, uploads, times) = (answer.texts("Key"), answer.texts("UploadId"), answer.texts("Initiated"))
    guard keys.count == uploads.count, keys.count == times.count else { return [] }
    return zip(keys, zip(uploads, times)).map {
      (key: String($0.dropFirst(bucket.prefix.count)), upload: $1.0, time: $1.1)
    }
  }

  // MARK: Calls

  private func path(_ key: String) -> String { "/\(bucket.name)/\(bucket.prefix)\(key)" }

  /// Sends a request, again if that may help. Throws for each status from 300 on that is not allowed.
  private func call(
    _ request: S3Request, _ what: String, allowing allowed: Set<Int> = [], most: Int = mostText
  ) throws -> S3Answer {
    var pauses = Self.pauses[...]
    while true {
      do {
        // Lists too, which are asked for without a key.
        let isShort = ["HEAD", "DELETE"].contains(request.method) || request.path == "/\(bucket.name)"
        let answer = try send(request, most: most, within: isShort ? Self.timeLimits.others : Self.timeLimits.bytes)
        if answer.status < 300 || allowed.contains(answer.status) { return answer }
        guard answer.status >= 500, let pause = pauses.popFirst() else { throw Self.error(answer, what) }
        Thread.sleep(forTimeInterval: pause)
      } catch let error as StorageError { throw error } catch {
        let isSlow = (error as? HTTPClientError).map { Self.timeouts.contains($0) } ?? false
        guard !isSlow, let pause = pauses.popFirst() else {
          throw StorageError(
            .busy, "The server cannot \(what): the storage of files does not answer (\(error)).")
        }
        Thread.sleep(forTimeInterval: pause)
      }
    }
  }

  private static let timeouts: [HTTPClientError] = [.deadlineExceeded, .readTimeout, .connectTimeout]

  private static func error(_ answer: S3Answer, _ what: String) -> StorageError {
    let code = answer.texts("Code").first ?? "status \(answer.status)"
    let kind: StorageError.Code =
      switch answer.status {
      case 507: .diskFull
      case 429, 500...599: .busy
      case 401, 403: .readOnly
      default: .inputOutput
      }
    return StorageError(kind, "The server cannot \(what): the storage of files says \(code.prefix(100)).")
  }

  private func send(_ request: S3Request, most: Int, within limit: TimeAmount) throws -> S3Answer {
    let host = String(bucket.endpoint.drop { $0 != "/" }.dropFirst(2))
    var sent = try HTTPClient.Request(
      url: bucket.endpoint + S3Signature.target(request), method: HTTPMethod(rawValue: request.method))
    for (name, value) in signature.headers(of: request, host: host, at: environment.nowMilliseconds()) {
      sent.headers.add(name: name, value: value)
    }
    if !request.body.isEmpty || ["PUT", "POST"].contains(request.method) { sent.body = .bytes(request.body) }
    let accumulator = ResponseAccumulator(request: sent, maxBodySize: most)
    let answer = try http.execute(
      request: sent, delegate: accumulator, deadline: .now() + limit
    ).wait()
    let headers = Dictionary(answer.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    return S3Answer(
      status: Int(answer.status.code), headers: headers, body: answer.body.map { Array($0.readableBytesView) } ?? [])
  }
}
