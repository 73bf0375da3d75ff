// What a change breaks, seen in what generated code does: objects, ids, stores and operations of older versions in today's.

import ClientStore
import Foundation
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

/// Looks for everything that today's code does otherwise than the code of a release.
struct Evidence {
  let change: ChangeCase
  private(set) var found: [String: String] = [:]

  /// What can be seen here. Swift source and the outputs for other platforms are seen by their compilers.
  static let visible: Set<String> = ["bytes", "ids", "stores", "pending operations", "access"]

  init(_ change: ChangeCase) async throws {
    self.change = change
    let now = change.versions[change.versions.count - 1]
    for release in change.versions.dropLast() {
      compareIDs(release, now)
      for model in release.models {
        // A model that is gone stays as it is on disk: nothing reads it.
        guard let today = now.models.first(where: { $0.name == model.name }) else { continue }
        if model.access != today.access { note("access", "\(model.name): other rights") }
        for record in try records(of: model, upTo: release) { try compare(record, model, today) }
      }
      try await compareStores(release, now)
      try await compareOperations(release, now)
    }
  }

  private mutating func note(_ kind: String, _ what: String) { found[kind] = found[kind] ?? what }

  // MARK: - Objects

  /// Records of this release: one without any field, as of an older version that knew none of them, its own, and those of
  /// releases before it as this one writes them again.
  private func records(of model: VersionedModel, upTo release: Version) throws -> [Record] {
    var records: [Record] = []
    for version in change.versions {
      if let writer = version.models.first(where: { $0.name == model.name }) {
        records += try (1...32).map { try model.read(writer.sample($0)).record }
      }
      if version.name == release.name { break }
    }
    let empty = try model.sample(nil)
    // And one with an empty struct each, as of a version that knew none of the struct's fields: tag, length 0.
    let hollow = (1...15).map { Record(id: empty.id, blob: [UInt8($0 << 3 | 2), 0]) }
    return records + [empty] + hollow.filter { (try? model.read($0)) != nil }
  }

  private mutating func compare(_ record: Record, _ model: VersionedModel, _ today: VersionedModel) throws {
    let before = try model.read(record)
    guard let after = try? today.read(record) else { return note("bytes", "today's code cannot read them") }
    var known: Set<String> = []
    for (name, value) in before.fields {
      let new = change.renames[name] ?? name
      known.insert(new)
      guard let text = after.fields[new] else { continue }
      if !isKept(parsed(value), parsed(text)) { note("bytes", "\(name) was \(value) and is \(text)") }
    }
    let zero = try today.read(Record(id: record.id, blob: []))
    for (name, text) in after.fields where !known.contains(name) {
      if text != zero.fields[name], !change.converted.contains(name) {
        note("bytes", "\(name) is new, and shows \(text) of another field")
      }
      if Self.isNonsense(text) { note("bytes", "\(name) is new and required, and shows \(text)") }
    }
    if before.queue != after.queue { note("ids", "the queue was \(before.queue) and is \(after.queue)") }
    if before.identity != after.identity { note("ids", "the id is derived in another way") }
    guard let again = try? model.read(after.record) else {
      return note("bytes", "the release cannot read what today's code writes")
    }
    if again.fields != before.fields { note("bytes", "lost when today's code writes them again") }
  }

  /// Whether a value is the same today. Inside of it too a field may be gone, be new and empty, or have another name.
  private func isKept(_ before: Any, _ after: Any) -> Bool {
    if let before = before as? [Any], let after = after as? [Any] {
      return before.count == after.count && zip(before, after).allSatisfy(isKept)
    }
    guard let before = before as? [String: Any], let after = after as? [String: Any] else {
      let (old, new) = ("\(before)", "\(after)")
      return old == new || change.renames[old] == new
    }
    return after.allSatisfy { name, value in
      let former = before[name] ?? change.renames.first { $0.value == name }.flatMap { before[$0.key] }
      return former.map { isKept($0, value) } ?? ["<null>", "0", "", "(\n)", "[]"].contains("\(value)")
    }
  }

  private func parsed(_ text: String) -> Any {
    // A text of `fieldTexts`, which has made it with the same class.
    ((try? JSONSerialization.jsonObject(with: Data("[\(text)]".utf8))) as? [Any])?.first ?? text
  }

  /// What no author has meant: the id of nothing, the case without a name, the beginning of 1970, a file without bytes.
  private static func isNonsense(_ text: String) -> Bool {
    ["\"00000000-0000", "\"unknown(0)\"", "\"1970-01-01T00:00:00"].contains { text.hasPrefix($0) }
      || text.contains("\"hash\":\"0000000000")
  }

  private mutating func compareIDs(_ release: Version, _ now: Version) {
    let user = UserID(subject: "anna", issuer: nil)
    if release.schema.homeQueueID(of: user) != now.schema.homeQueueID(of: user) { note("ids", "another home queue") }
  }

  // MARK: - Stores and operations

  private static let user = UserID(subject: "anna", issuer: nil)

  private static func open(_ version: Version, in folder: TemporaryFolder) throws -> ModelStore {
    try ModelStore(at: folder.url("store"), schema: version.schema, user: user)
  }

  /// Writes objects with the code of a release, and opens the store with today's.
  private mutating func compareStores(_ release: Version, _ now: Version) async throws {
    let folder = try TemporaryFolder()
    do {
      let store = try Self.open(release, in: folder)
      for model in release.models { for seed: UInt64 in 1...3 { _ = model.create(store, seed) } }
      try await store.waitUntilSaved()
      try await store.close()
    }
    do {
      try await Self.open(now, in: folder).close()
    } catch let error as StoreError {
      note("stores", error.message)
    }
  }

  /// Performs each operation on an object that is not there, with the code of a release, and reads the report with
  /// today's; and on one that is there, with both.
  private mutating func compareOperations(_ release: Version, _ now: Version) async throws {
    for operation in release.operations {
      let today = now.operations.first { $0.name == operation.name }
      let folder = try TemporaryFolder()
      let store = try Self.open(release, in: folder)
      let parameters = try operation.perform(store, UUIDValue(high: 0x4000, low: 1 << 63 | 9))
      let failed = store.failedOperations
      guard let report = failed.first, failed.count == 1 else { preconditionFailure("its object is not there") }
      if let read = try today?.read(report) {
        compare(parameters, read)
      } else {
        note("pending operations", "a failed \(operation.name) cannot be read")
      }
      try await store.close()
      guard let today else { continue }
      let effects = try (Self.effect(of: operation, release), Self.effect(of: today, now))
      if effects.0 != effects.1 { note("pending operations", "\(operation.name) does something else") }
    }
  }

  private mutating func compare(_ before: [String: String], _ after: [String: String]) {
    // By value: a parameter may have another name at its old position.
    let lost = before.filter { name, value in
      after[name] != value && !(after[name] == nil && after.values.contains(value))
    }
    for (name, value) in lost where after[name] != nil {
      note("pending operations", "the parameter \(name) was \(value) and is \(after[name] ?? "")")
    }
    for (name, value) in after where before[name] == nil && value != "null" && !before.values.contains(value) {
      note("pending operations", "the parameter \(name) is \(value), which nobody has entered")
    }
  }

  /// The fields of an object by tag behind an operation on it.
  private static func effect(of operation: VersionedOperation, _ version: Version) throws -> [UInt8]? {
    let folder = try TemporaryFolder()
    let store = try open(version, in: folder)
    guard let model = version.models.first, let record = model.create(store, 1) else { return nil }
    _ = try operation.perform(store, record.id)
    return try store.pendingOperations.last?.changes.encoded()
  }
}
