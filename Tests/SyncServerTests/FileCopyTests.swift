// Tests of files that the server copies from one queue into another, and of changes in between.

import SampleIDs
import SyncProtocol
import SyncServer
import Testing
import WireFormat

@Suite(.onEachStorage) struct FileCopyTests {
  private let server: FileServer
  private let bytes = Array("a picture of a mountain".utf8)
  private var hash: ContentHash { ContentHash(of: bytes) }
  private var target: FileKey { FileKey(queue: Self.other, hash: hash) }
  private static let other = QueueID.queue(2)

  /// A queue of Anna with a file, where Ben reads, and a queue of Ben, where Anna writes and Cleo reads.
  init() async throws {
    server = try FileServer()
    try await server.commit([.follow(.ben, as: .reader)])
    try await server.commit([.follow(.anna), .follow(.cleo, as: .reader)], in: Self.other, by: .ben)
    try await server.upload(bytes)
  }

  private func copy(
    from source: QueueID = .queue, by user: UserID = .ben, with files: FileService? = nil
  ) async -> RequestError.Code? {
    await refusal {
      let size = try await (files ?? server.files).copy(target, from: source, by: user)
      #expect(size == Int64(bytes.count))
    }
  }

  private func end(_ queue: QueueID, by user: UserID) async throws {
    let end = OperationChanges(objects: [ObjectChange(queue.root, .delete)])
    #expect(try await server.commit(end, in: queue, by: user) == .applied)
  }

  /// With and without hard links.
  @Test(arguments: [true, false]) func copyAndOriginalOutliveEachOther(hasLinks: Bool) async throws {
    let files = server.files(in: server.folderStorage(hasLinks: hasLinks))
    #expect(await copy(with: files) == nil)
    #expect(server.names(in: Self.other) == ["\(hash)"])
    #expect(try await server.read(target, by: .ben) == bytes)
    try await end(.queue, by: .anna)
    try await server.performUpkeep()
    #expect(server.names(in: .queue) == [])
    #expect(try await server.read(target, by: .ben) == bytes)
    server.time.pass(days: 8)
    try await server.performUpkeep()
    #expect(server.names(in: Self.other) == [], "nothing names it")
    #expect(await copy(from: Self.other, with: files) == .notFound)
  }

  @Test(
    arguments: [
      ("reads here, writes there", UserID.ben, QueueID.queue, nil),
      ("no member here", .cleo, .queue, .forbidden), ("a reader there", .cleo, other, .forbidden),
      ("a queue that does not exist", .ben, .queue(9), .forbidden),
      ("another's home queue", .ben, SyncID.homeQueue(ofUser: .anna), .forbidden),
      ("a queue that has no such file", .ben, other, .notFound),
    ] as [(String, UserID, QueueID, RequestError.Code?)])
  func copyNeedsRightsInBothQueues(name: String, user: UserID, source: QueueID, expected: RequestError.Code?)
    async throws
  {
    #expect(await copy(from: source, by: user) == expected, "\(name)")
    #expect(server.names(in: Self.other).isEmpty == (expected != nil), "\(name)")
  }

  @Test func refusesToCopyAPart() async throws {
    let place = FileKey(queue: .queue, hash: ContentHash(words: (1, 2, 3, 4)))
    var part = try await server.begin(place)
    try await server.files.append([1, 2, 3], to: &part)
    await #expect(throws: RequestError.self) {
      try await server.files.copy(FileKey(queue: Self.other, hash: place.hash), from: .queue, by: .ben)
    }
  }

  /// The file is there already, so the server does not look at the source again.
  @Test func repeatedCopyNeedsNoRightToItsSource() async throws {
    #expect(await copy() == nil)
    try await server.commit([.unfollow(.ben)])
    #expect(await copy() == nil)
  }

  @Test func reportsNotFoundWhereUpkeepRemovesTheSource() async throws {
    server.time.pass(days: 8)
    server.storage.afterNextRead { [server] in try await server.performUpkeep() }
    #expect(await copy() == .notFound)
    #expect(server.names(in: Self.other) == [])
  }

  /// Ben's membership of either queue ends, after the server has read the memberships (`isEarly`) or after it has
  /// copied the bytes.
  @Test(arguments: [true, false], [true, false])
  func copyEndsWithEitherMembership(isOfSource: Bool, isEarly: Bool) async throws {
    let end: HookedStorage.Hook = { [server] in
      try await server.commit([.unfollow(.ben)], in: isOfSource ? .queue : Self.other, by: isOfSource ? .anna : .ben)
    }
    if !isOfSource { try await server.commit([.role(.anna, .owner)], in: Self.other, by: .ben) }
    if isEarly { server.storage.afterNextRead(end) } else { server.storage.beforeNextWrite(end) }
    #expect(await copy() == (isEarly ? .unavailable : .forbidden))
    #expect(server.names(in: Self.other) == [], "nothing stays")
    #expect(await copy() == .forbidden)
  }

  /// Ben is removed and added again during the copy. It is refused, though his new membership would let him copy.
  @Test func copyEndsThoughTheMembershipBeginsAgain() async throws {
    server.storage.beforeNextWrite { [server] in
      try await server.commit([.unfollow(.ben)])
      try await server.commit([.follow(.ben)])
    }
    #expect(await copy() == .forbidden)
    #expect(server.names(in: Self.other) == [])
    #expect(await copy() == nil)
  }

  @Test func leavesNothingWhereTheQueueEnds() async throws {
    server.storage.beforeNextWrite { try await end(Self.other, by: .ben) }
    #expect(await copy() == .forbidden)
    #expect(server.names(in: Self.other) == [])
  }

  @Test func refusedCopyKeepsTheFileOfAnotherOne() async throws {
    server.storage.beforeNextWrite { [server, target] in
      _ = try await server.files.copy(target, from: .queue, by: .anna)
      try await server.commit([.unfollow(.ben)])
    }
    #expect(await copy() == .forbidden)
    #expect(try await server.read(target, by: .ben) == bytes)
  }

  /// The database fails after the bytes were copied. They count as no file until a second copy records them.
  @Test func failedCopyCanBeRepeated() async throws {
    server.storage.failNextWrite(.before)
    #expect(await copy() == .internalServerError)
    await #expect(throws: RequestError.self) { try await server.files.status(of: target, by: .ben) }
    #expect(await copy() == nil)
    #expect(try await server.read(target, by: .ben) == bytes)
  }

  @Test func uploadThatIsRefusedAtItsEndLeavesNoBytes() async throws {
    var part = try await server.begin(target)
    try await server.files.append(bytes, to: &part)
    server.storage.beforeNextWrite { [server] in
      try await server.commit([.role(.anna, .reader)], in: Self.other, by: .ben)
    }
    await #expect(throws: RequestError.self) { try await server.files.finish(part) }
    #expect(server.names(in: Self.other) == [])
  }
}
