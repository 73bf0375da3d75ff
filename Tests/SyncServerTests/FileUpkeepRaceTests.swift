// Tests of upkeep that removes files while operations name them and objects are deleted.

import Crypto
import Determinism
import Foundation
import SyncProtocol
import SyncServer
import TestSupport
import Testing
import WireFormat

@Suite struct FileUpkeepRaceTests {
  private let folder: TemporaryFolder
  private let time = SettableTime()
  private let storage: HookedStorage
  private let service: SyncService
  private let files: FileService
  private let place: FileKey

  /// A queue of Anna, with a file that is old enough to go, and that nothing names.
  init() async throws {
    folder = try TemporaryFolder()
    let bytes = Array("a picture of a mountain".utf8)
    place = FileKey(queue: .queue, hash: try #require(ContentHash(bytes: Array(SHA256.hash(data: bytes)))))
    let storage = HookedStorage(try SQLiteStorage(path: folder.url("server.sqlite").path))
    self.storage = storage
    service = RuntimeEnvironment.$current.withValue(time.environment) { SyncService(storage: storage) }
    files = FileService(service, files: FolderStorage(path: folder.url("files").path), threads: 1)
    _ = try await service.commit(CommitRequest(queue: .queue, mutations: []), by: .anna)
    guard case .part(var part) = try await files.begin(place, at: 0, by: .anna) else { return }
    try await files.append(bytes, to: &part)
    try await files.finish(part)
    time.pass(days: 8)
  }

  private static func commit(_ mutation: CommitRequest.Mutation, _ service: SyncService) async throws {
    let answer = try await service.commit(CommitRequest(queue: .queue, mutations: [mutation]), by: .anna)
    guard case .decided(let decided) = answer.result else { throw RequestError(.badRequest, "It is refused.") }
    #expect(decided.outcomes.map(\.status) == [.applied])
  }

  private var name: CommitRequest.Mutation {
    .init(1, OperationChanges(objects: [.create(1, "a")], files: [place.hash]))
  }
  private static let delete = CommitRequest.Mutation(2, .delete(1))

  /// The size of the file; nil if the server does not have it.
  private func size() async throws -> Int64? {
    do { return try await files.status(of: place, by: .anna).offset } catch let error as RequestError {
      #expect(error.code == .notFound)
      return nil
    }
  }

  @Test func keepsAFileNamedAfterUpkeepHasLooked() async throws {
    storage.afterNextRead { [name, service] in try await Self.commit(name, service) }
    try await files.performUpkeep(UpkeepRules())
    #expect(try await size() == 23)
    try await Self.commit(Self.delete, service)
    try await files.performUpkeep(UpkeepRules())
    #expect(try await size() == nil)
  }

  /// The file is named only while upkeep looks at it.
  @Test func nextRoundRemovesAFileThatWasNamedDuringTheLast() async throws {
    storage.beforeNextRead { [name, service, storage] in
      try await Self.commit(name, service)
      storage.afterNextRead { try await Self.commit(Self.delete, service) }
    }
    try await files.performUpkeep(UpkeepRules())
    #expect(try await size() == 23)
    try await files.performUpkeep(UpkeepRules())
    #expect(try await size() == nil)
  }
}
