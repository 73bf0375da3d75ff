// A store is open at most once at a time. A second opening is refused, and loses nothing that the first one has done.

import Foundation
import ModelSupport
import SampleIDs
import TestSupport
import Testing

@testable import StoreVictim

@Suite struct ClaimTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open() throws -> ModelStore {
    try ModelStore(at: folder.url("store").path, schema: WorkloadSchema.self, user: Workload.user)
  }

  private func isBusy(_ error: any Error) -> Bool {
    (error as? StoreError).map { $0.code == .busy && $0.message.contains("open already") } ?? false
  }

  @Test func secondOpeningIsRefusedAndFirstLosesNothing() async throws {
    let first = try open()
    let (one, two) = (Sketch(zeroWithID: .new(in: nil)), Sketch(zeroWithID: .new(in: nil)))
    first.create(one)
    #expect { _ = try open() } throws: { isBusy($0) }
    first.create(two)
    try await first.close()
    #expect(first.failedOperations.isEmpty)
    let second = try open()
    #expect(try Set(second.objects(Sketch.self).map(\.id)) == [one.id, two.id])
  }

  @Test func closedStoreRefusesOperationsAndReads() async throws {
    let store = try open()
    let sketch = Sketch(zeroWithID: .new(in: nil))
    store.create(sketch)
    #expect(try store.objects(Sketch.self).count == 1)
    try await store.close()
    let late = store.update(sketch.id) { $0.text = "too late" }
    await #expect { try await late.waitUntilSaved() } throws: { ($0 as? StoreError)?.code == .closed }
    #expect { _ = try store.object(sketch.id) } throws: { ($0 as? StoreError)?.code == .closed }
    #expect { _ = try store.objects(Sketch.self) } throws: { ($0 as? StoreError)?.code == .closed }
    await #expect { try await store.dismiss(late.id) } throws: { ($0 as? StoreError)?.code == .closed }
    #expect(try open().object(sketch.id)?.text == "")
  }

  @Test func unreferencedStoreReleasesItsClaim() throws {
    _ = try open()
    _ = try open()
  }

  /// A child process that is being started has a copy of every descriptor, as after `dup`. It must not keep the claim.
  @Test func startingChildProcessDoesNotKeepClaim() async throws {
    let store = try open()
    let copies = try copies(of: folder.url("store/store.lock").path)
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    try await store.close()
    _ = try open()
  }

  private func copies(of path: String) throws -> [Int32] {
    var (wanted, found) = (stat(), stat())
    try #require(stat(path, &wanted) == 0)
    // Looks at so many numbers because other tests have thousands of descriptors open at the same time.
    let open = (3..<65_536).filter {
      fstat($0, &found) == 0 && (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino)
    }
    return open.map { dup($0) }
  }

  @Test func failedOpeningReleasesItsClaim() throws {
    _ = try open()
    #expect {
      _ = try ModelStore(at: folder.url("store").path, schema: WorkloadSchema.self, user: UserID(.zero))
    } throws: { ($0 as? StoreError)?.code == .foreign }
    _ = try open()
  }

  @Test func refusesToSalvageOpenStore() throws {
    let store = try open()
    #expect {
      try ModelStore.salvage(at: folder.url("store").path, schema: WorkloadSchema.self, user: Workload.user)
    } throws: { isBusy($0) }
    #expect(try store.objects(Sketch.self).isEmpty)
  }

  @Test func otherProcessKeepsClaimUntilItIsKilled() throws {
    let path = folder.url("victim").path
    let other = try Program.built("StoreVictim").talk([path, "1", "1000000"], in: folder.url)
    while let line = other.line(), line != VictimLine.opened.text {}
    let opening = { try ModelStore(at: path, schema: VictimSchema.self, user: StoreVictim.user) }
    #expect { _ = try opening() } throws: { isBusy($0) }
    other.signal(SIGKILL)
    while other.line() != nil {}
    _ = other.wait()
    _ = try opening()
  }

  @Test func otherProcessExitsWithReadableMessage() throws {
    let path = folder.url("victim").path
    let store = try ModelStore(at: path, schema: VictimSchema.self, user: StoreVictim.user)
    let other = try Program.built("StoreVictim").run([path, "1", "1000000"], in: folder.url)
    #expect(other.status != 0 && other.text.contains("is open already") && !other.text.contains("SQLite"))
    withExtendedLifetime(store) {}
  }
}
