// Tests the exact answer of every route to every kind of caller.

import Foundation
import ModelSupport
import MomentsModels
import SampleIDs
import SyncProtocol
import TestSupport
import Testing
import WireFormat

@Suite struct PrincipalTests {
  /// In the order of the columns.
  static let principals = ["none", "wrong", "expired", "stranger", "revoked", "reader", "writer", "owner"]

  static let nobody = Array(repeating: "401 UNAUTHENTICATED", count: 3)

  /// The answers in the order of `principals`: three callers without a good token, a stranger, a revoked member, a
  /// reader, a writer and an owner.
  static let table: [(request: String, answers: [String])] = [
    ("GET /health", Array(repeating: "200", count: 8)),
    ("HEAD /health", Array(repeating: "200", count: 8)),
    ("POST /health", Array(repeating: "405 METHOD_NOT_ALLOWED", count: 8)),
    ("GET /ready", Array(repeating: "200", count: 8)),
    ("HEAD /ready", Array(repeating: "200", count: 8)),
    ("GET /metrics", Array(repeating: "404 NOT_FOUND", count: 8)),
    ("HEAD /metrics", Array(repeating: "404", count: 8)),
    ("GET /nowhere", Array(repeating: "404 NOT_FOUND", count: 8)),
    ("GET /files/nothing", Array(repeating: "404 NOT_FOUND", count: 8)),
    ("GET /graphql", Array(repeating: "405 METHOD_NOT_ALLOWED", count: 8)),
    ("DELETE file", Array(repeating: "405 METHOD_NOT_ALLOWED", count: 8)),
    ("another version", Array(repeating: "400 UNSUPPORTED_VERSION", count: 8)),
    ("changed", nobody + ["200", "200", "200", "200", "200"]),
    // Strangers are not told that nothing was taken because of them.
    ("signal", nobody + ["200", "200", "200", "200", "200"]),
    ("delta", nobody + ["200 REVOKED", "200 REVOKED", "200", "200", "200"]),
    ("delta of nothing", nobody + Array(repeating: "200 NO_QUEUE", count: 5)),
    ("delta of a home", nobody + ["200 NO_QUEUE", "200 NO_QUEUE", "200 NO_QUEUE", "200 NO_QUEUE", "200"]),
    ("objects", nobody + ["200 FORBIDDEN", "200 FORBIDDEN", "200", "200", "200"]),
    ("objects of nothing", nobody + Array(repeating: "200 FORBIDDEN", count: 5)),
    ("commit of the owner", nobody + Array(repeating: "401 UNAUTHENTICATED", count: 4) + ["200"]),
    ("commit of nothing", nobody + ["200 REVOKED", "200 REVOKED", "200", "200", "200"]),
    ("commits without a grant", nobody + ["200 REVOKED", "200 REVOKED"] + Array(repeating: "200 STALE", count: 3)),
    ("commit of no queue", nobody + Array(repeating: "200 NO_QUEUE", count: 5)),
    ("commit of an object", nobody + ["200 REVOKED", "200 REVOKED", "200 forbidden", "200", "200"]),
    ("commit of a role", nobody + ["200 REVOKED", "200 REVOKED", "200 forbidden", "200 forbidden", "200"]),
    ("HEAD whole file", nobody + ["403", "403", "204", "204", "204"]),
    ("HEAD part of a file", nobody + ["403", "403", "204", "204", "204"]),
    ("HEAD no file", nobody + ["403", "403", "404", "404", "404"]),
    ("GET whole file", nobody + ["403 FORBIDDEN", "403 FORBIDDEN", "200", "200", "200"]),
    ("GET range of a file", nobody + ["403 FORBIDDEN", "403 FORBIDDEN", "206", "206", "206"]),
    ("GET part of a file", nobody + ["403 FORBIDDEN", "403 FORBIDDEN"] + Array(repeating: "404 NOT_FOUND", count: 3)),
    ("GET no file", nobody + ["403 FORBIDDEN", "403 FORBIDDEN"] + Array(repeating: "404 NOT_FOUND", count: 3)),
    ("GET file of nothing", nobody + Array(repeating: "403 FORBIDDEN", count: 5)),
    ("PATCH new file", nobody + ["403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN", "204", "204"]),
    ("PATCH whole file", nobody + ["403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN", "204", "204"]),
    (
      "PATCH elsewhere",
      nobody + ["403 FORBIDDEN", "403 FORBIDDEN", "403 FORBIDDEN"]
        + Array(repeating: "409 OFFSET_MISMATCH", count: 2)
    ),
    ("PATCH file of nothing", nobody + Array(repeating: "403 FORBIDDEN", count: 5)),
    ("POST copy of whole file", nobody + Array(repeating: "403 FORBIDDEN", count: 3) + ["204", "204"]),
    (
      "POST copy of no file",
      nobody + Array(repeating: "403 FORBIDDEN", count: 3) + Array(repeating: "404 NOT_FOUND", count: 2)
    ),
    ("POST copy of new file from nothing", nobody + Array(repeating: "403 FORBIDDEN", count: 5)),
    ("POST copy of a file of nothing", nobody + Array(repeating: "403 FORBIDDEN", count: 5)),
    ("POST file from nowhere", nobody + Array(repeating: "400 BAD_REQUEST", count: 5)),
  ]

  @Test func everyRouteAnswersEveryKindOfCaller() async throws {
    let house = try await House()
    for (request, expected) in Self.table {
      var answers: [String] = []
      for (column, principal) in Self.principals.enumerated() {
        let reply = try await house.answer(request, House.token(principal), column: UInt64(column))
        answers.append(reply.summary)
        #expect((reply.fields["www-authenticate"] == "Bearer") == (reply.status == 401), "\(request) of \(principal)")
      }
      // The answers to HEAD have no body, and so no code.
      let isHead = request.hasPrefix("HEAD")
      let exact = expected.map { isHead ? String($0.prefix(3)) : $0 }
      #expect(answers == exact, "\(request)")
    }
    #expect(try house.server.program.errors() == "")
    #expect(house.server.stop() == 0)
  }

  /// A user who is no member gets the same answer for a whole file, a part of one, a missing one, and an unknown queue.
  @Test func race16_strangersAlwaysGetTheSameAnswer() async throws {
    let house = try await House()
    for method in ["HEAD", "GET"] {
      for principal in ["stranger", "revoked"] {
        var answers: Set<String> = []
        for file in ["whole file", "part of a file", "no file", "file of nothing"] {
          let reply = try await house.answer("\(method) \(file)", House.token(principal), column: 0)
          answers.insert("\(reply.summary) \(reply.bytes)")
        }
        #expect(answers.count == 1 && answers.first?.hasPrefix("403") == true, "\(method), \(principal): \(answers)")
      }
    }
    #expect(house.server.stop() == 0)
  }

  /// Reads the routes and calls from the text of the sources, so that a new one must be added to the table as well.
  @Test func theTableHasEveryRouteAndMethod() throws {
    let requests = Self.table.map(\.request)
    let routes = try String(contentsOf: Repository.url("Sources/modelserver/HTTP/Route.swift"), encoding: .utf8)
    var found: Set<String> = []
    for line in routes.matches(of: /case ((?:\.\w+(?:, )?)+): \[(\..+)\]/) {
      for route in line.1.split(separator: ", ").map({ $0.dropFirst().lowercased() }) {
        found.insert(route)
        // The requests of this route are the calls, which are checked below.
        if route == "graphql" { continue }
        for method in line.2.split(separator: ", ").map({ $0.dropFirst().uppercased() }) {
          #expect(requests.contains { $0.hasPrefix(method + " ") && $0.contains(route) }, "\(method) \(route)")
        }
      }
    }
    let cases = routes.matches(of: /\n  case (\w+)/).map { $0.1.lowercased() }
    #expect(!cases.isEmpty && found == Set(cases), "every route has its methods")
    let calls = try String(contentsOf: Repository.url("Sources/SyncProtocol/Calls/SyncCall.swift"), encoding: .utf8)
    let names = calls.matches(of: /Self\(\s*"(\w+)"/).map { $0.1.lowercased() }
    #expect(names.count >= 5)
    for name in names { #expect(requests.contains { $0.lowercased().hasPrefix(name) }, "\(name)") }
    #expect(Self.table.allSatisfy { $0.answers.count == Self.principals.count })
  }
}

/// A queue with a member of each kind, a file and a part of one.
private struct House {
  let server: LiveServer
  private let whole = Array("the whole file".utf8)
  private let part = Array("a part of a file".utf8)
  private var nothing: QueueID { .number(404) }

  static func token(_ principal: String) -> String? {
    switch principal {
    case "none": nil
    case "wrong": Token.make("owner", secret: String(repeating: "x", count: 32))
    case "expired": Token.make("owner", claims: #"{"sub":"owner","exp":1000000000}"#)
    default: Token.make(principal)
    }
  }

  init() async throws {
    server = try LiveServer(["--requests-per-second", "10000"])
    let owner = Token.make("owner")
    let join = OperationChanges(
      members: [.follow(.user("writer")), .follow(.user("reader"), as: .reader), .follow(.user("revoked"))])
    try await server.commit([.init(1, join)], token: owner)
    try await server.commit([.init(2, OperationChanges(members: [.unfollow(.user("revoked"))]))], token: owner)
    _ = try await server.upload(whole, at: 0, of: ContentHash(of: whole), token: owner)
    _ = try await server.upload(Array(part.prefix(4)), at: 0, isLast: false, of: ContentHash(of: part), token: owner)
    // Creates the owner's home queue, which only the owner may read.
    _ = try await server.call(
      .delta, DeltaRequest(queues: [.init(queue: MomentsSchema.homeQueueID(of: .user("owner")))]),
      token: owner)
  }

  func answer(_ name: String, _ token: String?, column: UInt64) async throws -> Reply {
    let words = name.split(separator: " ")
    if words.count == 2, words[1].hasPrefix("/") {
      return try await server.send(String(words[0]), String(words[1]), token: token)
    }
    switch words[0] {
    case "another":
      return try await server.send(
        "POST", "/graphql", token: token, ["Sync-Protocol-Version": "2", "Content-Type": "application/json"], body: [])
    case "HEAD", "GET", "PATCH", "POST", "DELETE": return try await file(name, token, column)
    default: return try await call(name, token, column)
    }
  }

  private func call(_ name: String, _ token: String?, _ column: UInt64) async throws -> Reply {
    let home = MomentsSchema.homeQueueID(of: .user("owner"))
    switch name {
    case "changed":
      return try await server.call(
        .changed, ChangedRequest(sums: PlaceSums(forQueues: 1), waitSeconds: 0), token: token)
    case "signal":
      let change = SignalRequest.Change(queue: .queue, type: "typing", content: [], seconds: 1)
      let session = UUIDValue(high: 0, low: column)
      return try await server.call(.signal, SignalRequest(session: session, signals: [change]), token: token)
    case "delta", "delta of nothing", "delta of a home":
      let queue: QueueID = name == "delta" ? .queue : name == "delta of nothing" ? nothing : home
      return try await server.call(.delta, DeltaRequest(queues: [.init(queue: queue)]), token: token)
    case "objects", "objects of nothing":
      let queue: QueueID = name == "objects" ? .queue : nothing
      return try await server.call(.objects, ObjectsRequest(queue: queue), token: token)
    case "commit of the owner":
      return try await server.push(
        CommitRequest(queue: .queue, mutations: []), of: .user("owner"), token: token)
    case "commit of nothing": return try await commit([], token)
    case "commit of no queue":
      let request = CommitRequest(queue: .queue(404), mutations: [.create(column, "a", operation: 300)])
      return try await server.call(.commit, request, token: token)
    case "commits without a grant":
      return try await server.call(
        .commits, CommitsRequest(commits: [CommitRequest(queue: .queue, mutations: [])]), token: token)
    case "commit of an object": return try await commit([.create(column, "a", operation: 100 + column)], token)
    default:
      let role = OperationChanges(members: [.role(.user("reader"), .reader)])
      return try await commit([.init(200 + column, role)], token)
    }
  }

  private func commit(_ mutations: [CommitRequest.Mutation], _ token: String?) async throws -> Reply {
    try await server.push(CommitRequest(queue: .queue, mutations: mutations), token: token)
  }

  private func file(_ name: String, _ token: String?, _ column: UInt64) async throws -> Reply {
    let method = String(name.prefix { $0 != " " })
    let queue: QueueID = name.hasSuffix("of nothing") ? nothing : .queue
    let source: QueueID? = name.hasSuffix("from nothing") ? nothing : name.hasPrefix("POST copy") ? .queue : nil
    var bytes = name.contains("part") || name.contains("elsewhere") ? part : whole
    if name.contains("new") { bytes = Array("\(method) \(column)".utf8) }
    if name.contains("no file") { bytes = [] }
    let path = "/files/\(queue)/\(ContentHash(of: bytes))"
    var fields: [String: String] = [:]
    if name.contains("range") { fields["Range"] = "bytes=4-8" }
    fields["Copy-From"] = source.map { "\($0)" }
    guard method == "PATCH" else { return try await server.send(method, path, token: token, fields) }
    fields = ["Content-Type": "application/partial-upload", "Upload-Complete": "?1"]
    fields["Upload-Offset"] = name.contains("elsewhere") ? "3" : "0"
    return try await server.send(method, path, token: token, fields, body: bytes)
  }
}
