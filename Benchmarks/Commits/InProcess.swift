// The loop in C, and the parts of the server without HTTP.

import Foundation
import GraphQL
import RawCommits
import SyncProtocol
import SyncServer
import WireFormat

/// `@unchecked Sendable`: one thread runs it.
final class RawLoop: CommitSubject, @unchecked Sendable {
  let name = "raw C, one commit after the other"
  private let path: String
  private var commits: OpaquePointer?

  init(_ folder: URL) async throws {
    path = folder.appending(path: "raw.sqlite").path
    let storage = try SQLiteStorage(path: path)
    let service = SyncService(storage: storage)
    for client in 0..<CommitBench.clients {
      let birth = try Samples.request(client, under: nil)
      try Samples.check(try await service.commit(birth, by: Samples.asker(client)))
    }
    try storage.close()
  }

  func prepare() throws {
    commits = raw_commits_open(path)
    guard commits != nil else { throw Samples.Refused("the loop in C cannot open its database") }
  }

  func commit(_ count: Int) throws {
    for number in 0..<count {
      let client = number % CommitBench.clients
      let code = raw_commits_run(
        commits, Samples.queue(client).rawValue.bytes, Samples.user(client).rawValue.bytes, Samples.id().bytes,
        Samples.id().bytes, Samples.content, Int32(Samples.content.count), 1_000_000_000_000)
      guard code == 0 else { throw Samples.Refused("SQLite's code \(code) of the loop in C") }
    }
  }
}

struct ServiceAlone: CommitSubject {
  let name: String
  private let service: SyncService
  private let together: GroupCommitStorage?
  private let grants = Grants()

  init(_ folder: URL, _ name: String, isTogether: Bool) throws {
    self.name = name
    let storage = try SQLiteStorage(path: folder.appending(path: "service-\(isTogether).sqlite").path)
    together = isTogether ? GroupCommitStorage(storage) : nil
    service = SyncService(storage: together ?? storage)
  }

  var perSync: Double? { together.map { Double($0.written.transactions) / Double($0.written.syncs) } }

  func prepare() async throws { try await commit(CommitBench.clients) }

  func commit(_ count: Int) async throws {
    try await atOnce(count) { client in
      let request = try Samples.request(client, under: grants[client])
      grants[client] = try Samples.check(try await service.commit(request, by: Samples.asker(client)))
    }
  }
}

/// The service, with the bodies of requests and answers encoded and decoded as well.
struct GraphQLAlone: CommitSubject {
  let name = "and GraphQL"
  private let service: SyncService
  private let storage: GroupCommitStorage
  private let grants = Grants()

  init(_ folder: URL) throws {
    storage = GroupCommitStorage(try SQLiteStorage(path: folder.appending(path: "graphql.sqlite").path))
    service = SyncService(storage: storage)
  }

  var perSync: Double? { Double(storage.written.transactions) / Double(storage.written.syncs) }

  func prepare() async throws { try await commit(CommitBench.clients) }

  func commit(_ count: Int) async throws {
    try await atOnce(count) { client in
      let body = SyncCall.commit.body(try Samples.request(client, under: grants[client]))
      let answer = await service.answer(body, by: Samples.user(client))
      grants[client] = try Samples.check(try SyncCall.commit.answer(answer.body))
    }
  }
}
