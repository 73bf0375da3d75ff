// Runs the real program on a free port, with short calls for requests.

import Foundation
import JSON
import ModelSupport
import MomentsModels
import SampleIDs
import SyncProtocol
import TestSupport
import WireFormat

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `@unchecked Sendable`: no property changes.
final class LiveServer: @unchecked Sendable {
  let program: TalkingProgram
  let url: URL
  /// The URL of the operator's port.
  let operatorURL: URL
  let folder: TemporaryFolder
  let session: URLSession

  /// Makes the database and the secret if there are none, so a second server in the same folder goes on where the first
  /// has stopped.
  init(_ flags: [String] = [], in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    if !folder.exists("secret") {
      try folder.write("secret", Token.secret + "\n")
      try folder.setPermissions(0o600, of: "secret")
    }
    let arguments = ["serve", "--create", "--database", "team.sqlite", "--secret-file", "secret", "--port", "0"]
    let program = try Program.built("modelserver").talk(
      arguments + ["--metrics-port", "0"] + flags, in: folder.url)
    self.program = program
    // Two lines, in either order.
    var places: [String: URL] = [:]
    while places.count < 2, let line = program.line() {
      let words = line.components(separatedBy: " http://")
      if words.count == 2 { places[words[0]] = URL(string: "http://" + words[1]) }
    }
    guard let url = places["modelserver listens on"], let operatorURL = places["metrics are on"] else {
      throw Silence(errors: try program.errors())
    }
    (self.url, self.operatorURL) = (url, operatorURL)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 100
    session = URLSession(configuration: configuration)
  }

  deinit { session.finishTasksAndInvalidate() }

  struct Silence: Error {
    var errors: String
  }

  func send(
    _ method: String, _ path: String, token: String? = nil, _ fields: [String: String] = [:], body: [UInt8]? = nil,
    toOperatorPort: Bool = false
  ) async throws -> Reply {
    var request = URLRequest(url: URL(string: path, relativeTo: toOperatorPort ? operatorURL : url)!)
    request.httpMethod = method
    request.timeoutInterval = 120
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = body.map { Data($0) }
    let (data, response) = try await session.data(for: request)
    return Reply(data, response as! HTTPURLResponse)
  }

  /// Sends a call of the protocol, as clients do.
  func call<Request, Answer>(
    _ call: SyncCall<Request, Answer>, _ request: Request, of user: UserID? = nil, token: String?
  ) async throws -> Reply {
    try await send(
      "POST", "/graphql", token: token, Self.graphQL, body: call.body(request, schema: MomentsSchema.name, of: user))
  }

  static let graphQL = [
    "Content-Type": "application/json", "Accept": "application/graphql-response+json", "Sync-Protocol-Version": "1",
  ]

  /// Commits mutations as a client that has read the queue. Bears a queue that does not exist.
  @discardableResult
  func commit(
    _ mutations: [CommitRequest.Mutation], in queue: QueueID = .queue, token: String
  ) async throws -> CommitAnswer.Result {
    try SyncCall.commit.answer(try await push(CommitRequest(queue: queue, mutations: mutations), token: token).bytes)
      .result
  }

  /// Sends a commit under the sender's grant, which a refusal tells. Bears a queue that does not exist.
  func push(_ request: CommitRequest, of user: UserID? = nil, token: String?) async throws -> Reply {
    let reply = try await call(.commit, request, of: user, token: token)
    var request = request
    switch (try? SyncCall.commit.answer(reply.bytes))?.result {
    case .refused(.stale(let grant)): request.grant = grant
    case .refused(.noQueue):
      let born = try await call(.commit, .birth(of: request.queue), token: token)
      guard case .decided(let decided) = try SyncCall.commit.answer(born.bytes).result else { return reply }
      request.grant = decided.grant
    default: return reply
    }
    return try await call(.commit, request, of: user, token: token)
  }

  /// Uploads a part of a file.
  func upload(
    _ bytes: [UInt8], at offset: Int, isLast: Bool = true, of hash: ContentHash, in queue: QueueID = .queue,
    token: String
  ) async throws -> Reply {
    try await send(
      "PATCH", "/files/\(queue)/\(hash)", token: token,
      [
        "Content-Type": "application/partial-upload", "Upload-Offset": "\(offset)",
        "Upload-Complete": isLast ? "?1" : "?0",
      ], body: bytes)
  }

  /// Ends the server as an operator does, and returns its exit status.
  func stop() -> Int32 {
    program.signal(SIGTERM)
    return program.wait()
  }
}

/// An HTTP answer.
struct Reply {
  var status: Int
  var fields: [String: String]
  var bytes: [UInt8]

  init(_ data: Data, _ response: HTTPURLResponse) {
    status = response.statusCode
    bytes = [UInt8](data)
    fields = Dictionary(
      response.allHeaderFields.compactMap { name, value in
        (name as? String).map { ($0.lowercased(), "\(value)") }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The code of an error, or of the first refusal or rejection in the answer; nil if there is none.
  var code: String? {
    guard let value = try? JSONValue(parsing: bytes) else { return nil }
    if let error = RequestError(answer: value) { return error.code.rawValue }
    return Self.refusal(value)
  }

  /// The code of the first refusal or rejection, at any depth.
  private static func refusal(_ value: JSONValue) -> String? {
    switch value {
    case .object(let members):
      for member in members {
        if ["reason", "code"].contains(member.name), case .string(let text) = member.value { return text }
        if let found = refusal(member.value) { return found }
      }
      return nil
    case .array(let elements): return elements.lazy.compactMap(refusal).first
    default: return nil
    }
  }

  /// The status and the code, such as `401 UNAUTHENTICATED`, `204`, `200 REVOKED`.
  var summary: String { code.map { "\(status) \($0)" } ?? "\(status)" }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
