// A service with a folder of files, whose clock and storage a test commands.

import Determinism
import Foundation
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

/// `@unchecked Sendable`: no property changes.
struct FileServer: @unchecked Sendable {
  let folder: TemporaryFolder
  let time = SettableTime()
  let database: TestStorage
  /// The database, as the service uses it.
  let storage: HookedStorage
  let service: SyncService
  let files: FileService

  init() throws {
    folder = try TemporaryFolder()
    database = try RuntimeEnvironment.$current.withValue(time.environment) { try TestStorage() }
    let storage = HookedStorage(database)
    self.storage = storage
    service = RuntimeEnvironment.$current.withValue(time.environment) { SyncService(storage: storage) }
    files = FileService(service, files: FolderStorage(path: folder.url("files").path), threads: 1)
  }

  func folderStorage(hasLinks: Bool = true) -> FolderStorage {
    FolderStorage(path: folder.url("files").path, hasLinks: hasLinks)
  }

  /// Another service of the same files.
  func files(_ quota: FileQuota = .none, in storage: (any FileStorage)? = nil) -> FileService {
    FileService(service, files: storage ?? folderStorage(), quota: quota, threads: 1)
  }

  /// Commits one mutation. Returns its status; nil if it waits or is refused.
  @discardableResult
  func commit(
    _ changes: OperationChanges, number: UInt64 = .random(in: 1 ... .max), in queue: QueueID = .queue,
    by user: UserID = .anna
  ) async throws -> OperationOutcome.Status? {
    let request = CommitRequest(queue: queue, mutations: [.init(number, changes)])
    return try await service.commit(request, by: user).result.decided?.outcomes.first?.status
  }

  @discardableResult
  func commit(
    _ members: [MemberChange], in queue: QueueID = .queue, by user: UserID = .anna
  ) async throws -> OperationOutcome.Status? {
    try await commit(OperationChanges(members: members), in: queue, by: user)
  }

  func begin(
    _ place: FileKey, at offset: Int64 = 0, by user: UserID = .anna, _ files: FileService? = nil
  ) async throws -> FilePart {
    guard case .part(let part) = try await (files ?? self.files).begin(place, at: offset, by: user) else {
      throw RequestError(.offsetMismatch, "It is there, or begins elsewhere.")
    }
    return part
  }

  /// Brings a whole file, unless it is there.
  func upload(
    _ bytes: [UInt8], in queue: QueueID = .queue, by user: UserID = .anna, _ files: FileService? = nil
  ) async throws {
    let (files, place) = (files ?? self.files, FileKey(queue: queue, hash: ContentHash(of: bytes)))
    guard case .part(var part) = try await files.begin(place, at: 0, by: user) else { return }
    try await files.append(bytes, to: &part)
    try await files.finish(part)
  }

  func read(_ place: FileKey, by user: UserID = .anna, _ files: FileService? = nil) async throws -> [UInt8] {
    let files = files ?? self.files
    return try await files.read(files.download(place, by: user), at: 0, count: 100)
  }

  func performUpkeep() async throws { try await files.performUpkeep(UpkeepRules()) }

  /// The names in a queue's folder, in order.
  func names(in queue: QueueID = .queue) -> [String] {
    let path = folder.url("files/\(queue)").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}

/// The code with which a call is refused; nil if it is served.
func refusal(_ call: () async throws -> Void) async -> RequestError.Code? {
  do {
    try await call()
    return nil
  } catch { return (error as? RequestError)?.code ?? .internalServerError }
}
