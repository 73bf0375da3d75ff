// What each release of an app has written, kept beside the tests, and read with the code of today.

import Foundation
public import ModelSupport

/// Stores and server databases that releases of an app have written, to be opened by every later version in a test.
///
///     @Test func everyReleaseIsRead() async throws {
///       let releases = try await ReleaseArchive(NotesSchema.self).check { anna in
///         let note = Note(title: "Pack the tent")
///         anna.store.create(note)
///         anna.store.perform(Note.Pin(note.id))
///       }
///       #expect(releases.contains("1.0"))
///     }
///
/// The first run of a release, such as 1.4, adds the folder `Releases/1.4` beside the test's file: **commit it**. A schema
/// that has changed since its release only checks the folders that are there.
public struct ReleaseArchive {
  let schema: any SchemaDescription.Type
  let folder: URL
  /// The release whose code runs; nil for a schema that is none.
  let release: String?

  /// `folder` is where the releases are; `Releases` beside the file of the caller unless told.
  public init(_ schema: any SchemaDescription.Type, folder: String? = nil, file: String = #filePath) {
    let beside = URL(filePath: file).deletingLastPathComponent().appending(path: "Releases")
    let isRelease = !schema.version.isEmpty && !schema.version.hasSuffix("+")
    self.init(schema, folder: folder.map { URL(filePath: $0) } ?? beside, release: isRelease ? schema.version : nil)
  }

  init(_ schema: any SchemaDescription.Type, folder: URL, release: String?) {
    (self.schema, self.folder, self.release) = (schema, folder, release)
  }

  /// Adds the release whose code runs, if it is not there yet, and checks all. Returns their names, sorted.
  ///
  /// `perform` does what users of the app do: create objects, perform operations. Of a new release, a device does it, and
  /// syncs; then once more, and this stays in its outbox. Of each release the device's store and the server's database
  /// are opened with the code of today: every object is read, what was pending goes out, nothing fails, and a new device
  /// gets the same objects. Throws a `ReleaseError` that names the release otherwise.
  public func check(_ perform: @Sendable (PreviewDevice) async throws -> Void) async throws -> [String] {
    if let release, !FileManager.default.fileExists(atPath: path(of: release)) { try await add(release, perform) }
    let releases = try releases
    for release in releases {
      do { try await read(release) } catch let error as ReleaseError { throw error } catch {
        throw ReleaseError(release: release, reason: "\(error)")
      }
    }
    return releases
  }

  private var releases: [String] {
    get throws {
      guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }
  }

  private func path(of release: String) -> String { folder.appending(path: release).path }
}

/// A release that the code of today does not read as it should.
public struct ReleaseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its name, which is that of its folder.
  public let release: String
  /// For a developer.
  public let reason: String

  public var description: String { "What \(release) has written is not read: \(reason)" }
}

/// What was in the store, written beside it.
struct ReleaseContents: Codable, Hashable {
  var user: String
  /// Operations in the outbox.
  var pending: Int
  /// By model.
  var objects: [String: Int]

  static let file = "contents.json"
  static let store = "store"
  /// Everything of a release. The bytes of files are there if any were brought.
  static let parts = [file, PreviewServer.database, PreviewServer.filesFolder, store]

  /// Copies a release from one folder to another.
  static func copy(from source: (String) -> String, to target: (String) -> String) throws {
    for part in parts where FileManager.default.fileExists(atPath: source(part)) {
      try FileManager.default.copyItem(atPath: source(part), toPath: target(part))
    }
  }
}

// Adding a release.
extension ReleaseArchive {
  private func add(_ release: String, _ perform: @Sendable (PreviewDevice) async throws -> Void) async throws {
    let server = try PreviewServer(schema, TestClock(), ScratchFolder())
    let store = server.folder.path(ReleaseContents.store)
    let anna = try server.device(of: UserID(subject: "anna", issuer: nil), at: store)
    try await perform(anna)
    try await anna.sync()
    try await perform(anna)
    try await anna.store.waitUntilSaved()
    if let failed = anna.store.failedOperations.first {
      throw ReleaseError(release: release, reason: "its own code fails at \(failed.name)")
    }
    let contents = ReleaseContents(
      user: anna.user.description, pending: anna.store.pendingOperations.count,
      objects: try anna.store.objectsOfAllModels().mapValues(\.count))
    try await anna.store.close()
    try server.close()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(contents).write(to: URL(filePath: server.folder.path(ReleaseContents.file)))
    // The whole folder appears at once, so that a run that is stopped leaves no half of a release.
    let made = folder.appending(path: ".\(release)")
    try? FileManager.default.removeItem(at: made)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: "\(store)/store.lock")
    try ReleaseContents.copy(from: server.folder.path) { made.appending(path: $0).path }
    try FileManager.default.moveItem(at: made, to: folder.appending(path: release))
  }
}

// Reading a release.
extension ReleaseArchive {
  private func read(_ release: String) async throws {
    func refuse(unless isRight: Bool, _ reason: @autoclosure () -> String) throws {
      if !isRight { throw ReleaseError(release: release, reason: reason()) }
    }
    let scratch = try ScratchFolder()
    try ReleaseContents.copy(from: { "\(path(of: release))/\($0)" }, to: scratch.path)
    let contents = try JSONDecoder().decode(
      ReleaseContents.self, from: Data(contentsOf: URL(filePath: scratch.path(ReleaseContents.file))))
    guard let user = UserID(contents.user) else {
      throw ReleaseError(release: release, reason: "\(ReleaseContents.file) names no user")
    }
    let server = try PreviewServer(schema, TestClock(), scratch)
    // A device before this one had the first seed: with the same random numbers it would make the same ids.
    _ = try server.device(of: user)
    let anna = try server.device(of: user, at: scratch.path(ReleaseContents.store))
    let (pending, objects) = (anna.store.pendingOperations.count, try anna.store.objectsOfAllModels())
    try refuse(unless: pending == contents.pending, "it has \(pending) operations pending, and had \(contents.pending)")
    for (model, count) in contents.objects.sorted(by: { $0.key < $1.key }) {
      // A model that was removed shows nothing.
      guard let found = objects[model]?.count else { continue }
      try refuse(unless: found == count, "it has \(found) objects of \(model), and had \(count)")
    }
    try await anna.sync()
    try refuse(unless: anna.store.pendingOperations.isEmpty, "what was pending does not go out")
    if let failed = anna.store.failedOperations.first {
      throw ReleaseError(release: release, reason: "\(failed.name) fails: \(failed.reason.message)")
    }
    let other = try anna.anotherDevice()
    try await other.sync()
    let (here, there) = (try anna.store.objectsOfAllModels(synced: true), try other.store.objectsOfAllModels())
    for model in here.keys.sorted() {
      try refuse(unless: here[model] == there[model], "a new device gets other objects of \(model)")
    }
    try await anna.store.close()
    try server.close()
  }
}

extension ModelStore {
  /// The bytes of all objects, by model and id. `synced`: without those that never leave the device. Throws a
  /// `WireError` for bytes that cannot be read.
  fileprivate func objectsOfAllModels(synced: Bool = false) throws -> [String: [UUIDValue: [UInt8]]] {
    try schema.models.reduce(into: [:]) { result, model in result[model.modelName] = try objects(of: model, synced) }
  }

  private func objects<Object: Model>(of model: Object.Type, _ synced: Bool) throws -> [UUIDValue: [UInt8]] {
    let objects = try objects(model).filter { !synced || $0.queueID != nil }
    return Dictionary(uniqueKeysWithValues: try objects.map { ($0.id.rawValue, try $0.encoded()) })
  }
}
