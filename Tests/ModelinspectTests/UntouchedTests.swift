// The command changes no byte and no file, in whatever state the app left the folder.
import Foundation
import ModelSupport
import MomentsModels
import TestSupport
import Testing

@Suite struct UntouchedTests {
  private static let commands = [["summary"], ["objects"], ["outbox"], ["failed"]]

  /// Runs every command, and returns the outputs of all but the first.
  @discardableResult
  private func run(_ folder: TemporaryFolder, privileged: Bool = true) throws -> [String] {
    let program = try Program.built("modelinspect")
    let before = try folder.state(of: ShownStore.path)
    let outputs = try Self.commands.map { command in
      let arguments = command + [ShownStore.path]
      let outcome =
        try privileged
        ? program.run(arguments, in: folder.url) : program.runWithoutPrivileges(arguments, in: folder.url)
      #expect(outcome.status == 0, "\(outcome.text)")
      return outcome.output
    }
    #expect(try folder.state(of: ShownStore.path) == before)
    return Array(outputs.dropFirst())
  }

  @Test func changesNothingBesideRunningApp() async throws {
    let shown = try await ShownStore.filled()
    #expect(shown.folder.exists("Store/store.sqlite-wal"))
    let open = try run(shown.folder)
    let store = try #require(shown.store)
    // The app goes on as if nobody had looked.
    store.delete(shown.photos[0].id)
    try await store.waitUntilSaved()
    #expect(try run(shown.folder) != open)
    withExtendedLifetime(shown.store) {}
  }

  /// Each run sees one state of the store, so the numbers of operations have no gap.
  @Test func seesOneStateWhileAppWrites() async throws {
    let shown = try await ShownStore.filled()
    let store = try #require(shown.store)
    var sizes: Set<Int> = []
    for _ in 0..<5 {
      let running = try Program.built("modelinspect").start(["outbox", ShownStore.path], in: shown.folder.url)
      for _ in 0..<20 {
        store.perform(Photo.Hide(shown.photos[0].id))
        store.perform(Photo.Unlike(shown.photos[0].id))
        store.perform(Photo.Like(shown.photos[0].id))
        try await store.waitUntilSaved()
      }
      let outcome = try running.outcome()
      #expect(outcome.status == 0, "\(outcome.text)")
      let numbers = outcome.output.split(separator: "\n").filter { $0.first?.isNumber == true }
        .compactMap { Int($0.prefix { $0 != "." }) }
      #expect(numbers == Array(4..<4 + numbers.count))
      sizes.insert(numbers.count)
    }
    #expect(sizes.count > 1, "the store grew under the command's eyes")
  }

  @Test func changesNothingAfterAppHasClosed() async throws {
    let shown = try await ShownStore.filled()
    let open = try run(shown.folder)
    shown.close()
    #expect(!shown.folder.exists("Store/store.sqlite-wal"))
    #expect(try run(shown.folder) == open)
  }

  /// A log that no app has open: with its index, as after a crash, and without, as in a copy.
  @Test(arguments: [true, false]) func changesNothingInLogThatNoAppHasOpen(hasIndex: Bool) async throws {
    let shown = try await ShownStore.filled()
    let open = try run(shown.folder)
    let copy = try TemporaryFolder()
    for suffix in ["", "-wal"] + (hasIndex ? ["-shm"] : []) {
      let file = "Store/store.sqlite\(suffix)"
      try copy.write(file, bytes: [UInt8](Data(contentsOf: shown.folder.url(file))))
    }
    #expect(try run(copy) == open)
    withExtendedLifetime(shown.store) {}
  }

  @Test(.enabled(if: Program.keepsLocks), arguments: [true, false])
  func readsStoreInReadOnlyFolder(isOpen: Bool) async throws {
    let shown = try await ShownStore.filled()
    if !isOpen { shown.close() }
    let files = try FileManager.default.contentsOfDirectory(atPath: shown.folder.url(ShownStore.path).path)
    for file in files { try shown.folder.setPermissions(0o444, of: "Store/\(file)") }
    try shown.folder.setPermissions(0o555, of: ShownStore.path)
    defer { try? shown.folder.setPermissions(0o755, of: ShownStore.path) }
    try run(shown.folder, privileged: false)
    withExtendedLifetime(shown.store) {}
  }

  @Test(.enabled(if: Program.keepsLocks)) func reportsFileThatMayNotBeRead() async throws {
    let shown = try await ShownStore.filled()
    shown.close()
    try shown.folder.setPermissions(0, of: "Store/store.sqlite")
    let outcome = try Program.built("modelinspect").runWithoutPrivileges(["Store"], in: shown.folder.url)
    #expect(outcome.status == 3)
    #expect(outcome.errors.contains("may not be read"))
  }

  @Test func opensNameThatSQLiteWouldReadAsAddress() async throws {
    let shown = try await ShownStore.filled()
    shown.close()
    let program = try Program.built("modelinspect")
    let plain = try program.run([ShownStore.path], in: shown.folder.url)
    #expect(plain.status == 0 && plain.output.contains("Moments"), "\(plain.text)")
    let folder = try TemporaryFolder()
    let name = "a?mode=rw#b%20c é"
    try FileManager.default.copyItem(at: shown.folder.url(ShownStore.path), to: folder.url(name))
    for path in [name, folder.url(name).path, "/" + folder.url(name).path] {
      #expect(try program.run([path], in: folder.url) == plain, "\(path)")
    }
  }
}
