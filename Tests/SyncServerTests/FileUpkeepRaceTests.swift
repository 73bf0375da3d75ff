// Tests of upkeep that removes files while operations name them and objects are deleted.

import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct FileUpkeepRaceTests {
  private let server: FileServer
  private let place: FileKey

  /// A queue of Anna, with a file that is old enough to go, and that nothing names.
  init() async throws {
    server = try FileServer()
    let bytes = Array("a picture of a mountain".utf8)
    place = FileKey(queue: .queue, hash: ContentHash(of: bytes))
    try await server.commit([])
    try await server.upload(bytes)
    server.time.pass(days: 8)
  }

  private func name() async throws {
    let changes = OperationChanges(objects: [.create(1, "a")], files: [place.hash])
    #expect(try await server.commit(changes) == .applied)
  }

  private func delete() async throws {
    #expect(try await server.commit(OperationChanges(objects: [.delete(1)])) == .applied)
  }

  /// The size of the file; nil if the server does not have it.
  private func size() async throws -> Int64? {
    do { return try await server.files.status(of: place, by: .anna).offset } catch let error as RequestError {
      #expect(error.code == .notFound)
      return nil
    }
  }

  @Test func keepsAFileNamedAfterUpkeepHasLooked() async throws {
    server.storage.afterNextRead { try await name() }
    try await server.performUpkeep()
    #expect(try await size() == 23)
    try await delete()
    try await server.performUpkeep()
    #expect(try await size() == nil)
  }

  /// The file is named only while upkeep looks at it.
  @Test func nextRoundRemovesAFileThatWasNamedDuringTheLast() async throws {
    server.storage.beforeNextRead {
      try await name()
      server.storage.afterNextRead { try await delete() }
    }
    try await server.performUpkeep()
    #expect(try await size() == 23)
    try await server.performUpkeep()
    #expect(try await size() == nil)
  }
}
