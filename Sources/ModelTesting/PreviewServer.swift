// A server in the process of a test or a preview: the real service, without a network, a port or a token.

import Determinism
import Foundation
public import ModelSupport
import SyncProtocol
import SyncServer
import Synchronization

/// A sync server for tests and previews, and the devices of its users.
///
///     let server = try PreviewServer(NotesSchema.self)
///     let (anna, ben) = (try server.device("anna"), try server.device("ben"))
///     anna.store.create(Note(title: "Pack the tent"))
///     try await anna.sync()
///
/// It keeps every rule of a real one: rights, members, conditions, conflicts, files. Its data goes with it. Time stands
/// still until the test moves `clock`.
public final class PreviewServer: Sendable {
  /// The time of the server and of all its devices.
  public let clock: TestClock
  let schema: any SchemaDescription.Type
  let service: SyncService
  let files: FileService
  let identity: ServerID
  let folder: ScratchFolder
  private let storage: SQLiteStorage
  private let deviceCount = Mutex<UInt64>(0)

  /// A new, empty server for the app with this schema, which judges by the rights in it. Throws if the folder for
  /// temporary files cannot be written.
  public convenience init(_ schema: any SchemaDescription.Type, clock: TestClock = TestClock()) throws {
    try self.init(schema, clock, ScratchFolder())
  }

  /// A server on the database in a folder, which is made where there is none.
  init(_ schema: any SchemaDescription.Type, _ clock: TestClock, _ folder: ScratchFolder) throws {
    self.schema = schema
    self.clock = clock
    self.folder = folder
    let storage = try SQLiteStorage(path: folder.path(Self.database))
    self.storage = storage
    identity = storage.identity
    let rights = schema.models.map { ($0.modelName, $0.objectAccess) }
    let access = AccessTable(types: Dictionary(rights) { first, _ in first })
    service = RuntimeEnvironment.$current.withValue(clock.environment(seed: 0)) {
      SyncService(storage: storage, history: storage.history, access: AccessTables([schema.name: access]))
    }
    files = FileService(service, files: FolderStorage(path: folder.path(Self.filesFolder)), threads: 1)
  }

  static let database = "server.sqlite"
  static let filesFolder = "files"

  /// A new device of the user with this name, online. The same name gives another device of the same user. With the
  /// `schema` of another version of the app, its code of that version runs there.
  public func device(
    _ name: String, schema: (any SchemaDescription.Type)? = nil, files: FileOptions = FileOptions()
  ) throws -> PreviewDevice {
    try device(of: UserID(subject: name, issuer: nil), schema: schema, files: files)
  }

  /// With a `path`, on the store there.
  func device(
    of user: UserID, schema: (any SchemaDescription.Type)? = nil, files: FileOptions = FileOptions(),
    at path: String? = nil
  ) throws -> PreviewDevice {
    let number = deviceCount.withLock { count in
      count += 1
      return count
    }
    return try PreviewDevice(self, user, schema ?? self.schema, files, seed: number, at: path)
  }

  /// Lets go of the database. Nothing is served any more.
  func close() throws { try storage.close() }
}
