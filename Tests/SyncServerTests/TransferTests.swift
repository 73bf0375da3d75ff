// Tests of downloads and uploads under way while members of their queue come and go.

import SyncProtocol
import SyncServer
import Synchronization
import Testing
import WireFormat

@Suite(.onEachStorage) struct TransferTests {
  private let server: FileServer
  private var files: FileService { server.files }
  private let bytes = Array("a picture of a mountain".utf8)
  private let other = FileKey(queue: .queue, hash: ContentHash(words: (1, 2, 3, 4)))
  private var place: FileKey { FileKey(queue: .queue, hash: ContentHash(of: bytes)) }

  /// A queue of Anna, with Ben and Cleo as writers, and a file.
  init() async throws {
    server = try FileServer()
    try await server.commit([.follow(.ben), .follow(.cleo)])
    try await server.upload(bytes)
  }

  static let out = OperationChanges(members: [.unfollow(.ben)])
  static func role(_ role: QueueRole) -> OperationChanges {
    OperationChanges(members: [.role(.ben, role)])
  }

  @Test(
    arguments: [
      ("is taken out", [out], nil, ends: true, endsWriting: true),
      ("leaves", [out], .ben, ends: true, endsWriting: true),
      ("is taken out and in", [out, OperationChanges(members: [.follow(.ben)])], nil, ends: true, endsWriting: true),
      ("becomes a reader", [role(.reader)], nil, ends: false, endsWriting: true),
      ("becomes a reader and a writer", [role(.reader), role(.writer)], nil, ends: false, endsWriting: false),
      ("becomes an owner", [role(.owner)], nil, ends: false, endsWriting: false),
      (
        "is there while Cleo goes", [OperationChanges(members: [.unfollow(.cleo)])], nil, ends: false,
        endsWriting: false
      ),
      ("is there while Anna writes", [OperationChanges(objects: [.create(1, "a")])], nil, false, false),
    ] as [(String, [OperationChanges], UserID?, ends: Bool, endsWriting: Bool)])
  func transfersEndWithTheMembership(
    _ ben: String, _ changes: [OperationChanges], by user: UserID?, ends: Bool, endsWriting: Bool
  ) async throws {
    let (download, ofAnna) = (try await files.download(place, by: .ben), try await files.download(place, by: .anna))
    var part = try await server.begin(other, by: .ben)
    try await files.append([1, 2, 3], to: &part)
    #expect(try await files.read(download, at: 0, count: 5) == Array(bytes.prefix(5)))
    let mutations = changes.enumerated().map { CommitRequest.Mutation(100 + UInt64($0), $1) }
    _ = try await server.service.commit(CommitRequest(queue: .queue, mutations: mutations), by: user ?? .anna)
    let forbidden = RequestError.Code.forbidden
    #expect(await refusal { _ = try await files.read(download, at: 5, count: 5) } == (ends ? forbidden : nil))
    #expect(await refusal { try await files.append([4, 5], to: &part) } == (endsWriting ? forbidden : nil))
    #expect(try await files.status(of: other, by: .anna).offset == (endsWriting ? 3 : 5), "nothing more was written")
    // The bytes do not have the hash, so the end is refused in any case: for the membership, or else for the hash.
    #expect(await refusal { try await files.finish(part) } == (endsWriting ? forbidden : .hashMismatch))
    #expect(try await files.read(ofAnna, at: 5, count: 5) == Array(bytes.dropFirst(5).prefix(5)), "Anna reads on")
    // The bytes that came stay for other members.
    if endsWriting { _ = try await server.begin(other, at: 3, by: .cleo) }
  }

  /// The membership ends between the server's read of it and the first byte.
  @Test(arguments: [true, false])
  func noTransferBeginsUnderAMembershipThatHasJustEnded(isWriting: Bool) async throws {
    server.storage.afterNextRead { [server] in try await server.commit(Self.out) }
    let code = await refusal {
      if isWriting {
        var part = try await server.begin(other, by: .ben)
        try await files.append([1], to: &part)
      } else {
        _ = try await files.read(try await files.download(place, by: .ben), at: 0, count: 5)
      }
    }
    #expect(code == .unavailable)
    #expect(await refusal { _ = try await files.status(of: other, by: .anna) } == .notFound, "something was written")
    #expect(await refusal { _ = try await files.download(place, by: .ben) } == .forbidden)
  }

  /// A commit that fails may be on the disk all the same. Transfers end unless a read shows that a membership goes on.
  @Test(
    arguments: [(.afterwards, false, .forbidden), (.before, false, nil), (.before, true, .unavailable)]
      as [(HookedStorage.Failure, Bool, RequestError.Code?)])
  func failedCommitEndsTransfersInDoubt(
    _ failure: HookedStorage.Failure, readFails: Bool, _ expected: RequestError.Code?
  ) async throws {
    let download = try await files.download(place, by: .ben)
    let grant = try await server.service.grant(of: .anna, in: .queue)
    let request = CommitRequest(queue: .queue, grant: grant, mutations: [.init(1, Self.out)])
    server.storage.failNextWrite(failure)
    if readFails { server.storage.beforeNextRead { throw StorageError(.inputOutput, "The disk fails.") } }
    await #expect(throws: StorageError.self) { try await server.service.commit(request, by: .anna) }
    #expect(await refusal { _ = try await files.read(download, at: 0, count: 5) } == expected)
  }

  @Test func reportsTheEndOfATransferOnce() async throws {
    let count = Mutex(0)
    let box = Box { count.withLock { $0 += 1 } }
    let download = try await files.download(place, by: .ben)
    download.onEnd { box.body() }
    #expect(count.withLock { $0 } == 0)
    try await server.commit(Self.out)
    #expect(count.withLock { $0 } == 1, "before the commit is answered")
    try await server.commit([.follow(.ben)])
    try await server.commit(Self.out)
    #expect(count.withLock { $0 } == 1)
    download.onEnd { box.body() }
    #expect(count.withLock { $0 } == 2, "at once where it has ended")
  }

  @Test func finishedTransferIsReleased() async throws {
    let count = Mutex(0)
    var box: Box? = Box { count.withLock { $0 += 1 } }
    weak let kept = box
    var download: FileDownload? = try await files.download(place, by: .ben)
    download?.onEnd { [box] in box?.body() }
    box = nil
    #expect(kept != nil)
    download = nil
    #expect(kept == nil, "something still refers to it")
    try await server.commit(Self.out)
    #expect(count.withLock { $0 } == 0 && download == nil)
  }
}

/// An object whose release a test can see.
private final class Box: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// A storage that calls hooks of a test, or fails, at the next read or write.
final class HookedStorage: QueueStorage {
  enum Failure: Sendable {
    case before, afterwards
    /// Of all writes from now on.
    case alwaysAfterwards
  }

  typealias Hook = @Sendable () async throws -> Void

  private let storage: TestStorage
  private let before = Mutex<Hook?>(nil)
  private let after = Mutex<Hook?>(nil)
  private let beforeWrite = Mutex<Hook?>(nil)
  private let failure = Mutex<Failure?>(nil)
  private let readCount = Mutex(0)

  init(_ storage: TestStorage) { self.storage = storage }

  func beforeNextRead(_ hook: @escaping Hook) { before.withLock { $0 = hook } }
  func afterNextRead(_ hook: @escaping Hook) { after.withLock { $0 = hook } }
  func beforeNextWrite(_ hook: @escaping Hook) { beforeWrite.withLock { $0 = hook } }
  func isAwaited(_: QueueID, besides user: UserID) -> Bool { user == .anna }
  func failNextWrite(_ failure: Failure) { self.failure.withLock { $0 = failure } }
  var reads: Int { readCount.withLock { $0 } }

  func read<Result: Sendable>(_ body: @Sendable (any QueueSnapshot) throws -> Result) async throws -> Result {
    readCount.withLock { $0 += 1 }
    try await before.withLock { $0.take() }?()
    let result = try storage.read(body)
    try await after.withLock { $0.take() }?()
    return result
  }

  func write<Result: Sendable>(
    to queue: QueueID, _ body: @Sendable (any QueueTransaction) throws -> Result
  ) async throws -> Result {
    try await beforeWrite.withLock { $0.take() }?()
    let failure = failure.withLock { $0 == .alwaysAfterwards ? $0 : $0.take() }
    if failure == .before { throw StorageError(.inputOutput, "The disk fails.") }
    let result = try storage.write(to: queue, body)
    if failure != nil { throw StorageError(.inputOutput, "The disk fails.") }
    return result
  }
}
