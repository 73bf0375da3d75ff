// Opens stores with damaged files. A store throws its own errors or shows a state that it once had, and never traps.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct DamageTests {
  /// The files of a store before and after it is closed, and every state that it was in.
  private struct Sample {
    /// After closing. Everything is in the database.
    var closed: Damage.Files
    /// Before closing. The second half of the steps is in the log.
    var open: Damage.Files
    var states: [StoreImage]
  }

  private func sample(seed: UInt64) async throws -> Sample {
    let disk = FaultDisk()
    let workload = Workload(seed: seed, disk: disk)
    try workload.open()
    var states = [try StoreImage(disk)]
    for number in 0..<40 {
      // Reopening in the middle moves the first half into the database. The second half stays in the log.
      let step = number == 20 ? .reopen : workload.nextStep()
      if number != 20, step == .checkpoint || step == .reopen { continue }
      try await workload.run(step)
      states.append(try StoreImage(disk))
    }
    let open = disk.files
    workload.close()
    return Sample(closed: disk.files, open: open, states: states)
  }

  @Test func damagedStoreThrowsOrShowsEarlierState() async throws {
    var samples: [Sample] = []
    for seed in 11...18 as ClosedRange<UInt64> { samples.append(try await sample(seed: seed)) }
    var counts: [Damage: [Outcome: Int]] = [:]
    // A page that only some reads look at is hit seldom.
    let damages = Damage.allCases + [.zeroedPage, .zeroedPage]
    for seed in 1...UInt64(Self.count) {
      let dice = RuntimeEnvironment.seeded(seed)
      let damage = damages[Int(seed) % damages.count]
      let mine = samples[Int(dice.randomBits() % UInt64(samples.count))]
      let other = samples[Int(dice.randomBits() % UInt64(samples.count))]
      let files = damage.isOfLog ? (mine.open, other.open) : (mine.closed, other.closed)
      // With files of another store of the same user, every state of that store is right too.
      let states = mine.states + (damage.isForeign ? other.states : [])
      let outcome = await Outcome(FaultDisk(damage.apply(to: files.0, of: files.1, dice)), states)
      counts[damage, default: [:]][outcome, default: 0] += 1
      if case .foreignError(let error) = outcome { Issue.record("seed \(seed), \(damage): \(error)") }
      if outcome == .wrong, !damage.isBeyondSQLite {
        Issue.record("seed \(seed), \(damage): what was never there is shown")
      }
    }
    for damage in Damage.allCases {
      let line = (counts[damage] ?? [:]).sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.key) \($0.value)" }
      print("\(damage): \(line.joined(separator: ", "))")
    }
    let all = counts.values.flatMap { $0 }
    for outcome in [Outcome.right, .older, .refused(.damaged), .unreadable] {
      #expect(all.contains { $0.key == outcome }, "never \(outcome)")
    }
  }

  static let count = ProcessInfo.processInfo.environment["MODELGEN_DISK_ERRORS"] == "all" ? 5_000 : 300
}

/// The result of opening, reading and writing a store with damaged files.
private enum Outcome: Hashable {
  /// The store shows its newest state, or one that it had earlier.
  case right, older
  /// The store does not open, and throws an error with this code.
  case refused(StoreError.Code)
  /// It opens, but reading or writing throws a `StoreError`.
  case unreadable
  /// It opens, and reports damaged operations among the failed operations.
  case reported
  /// It shows a state that it never had, and reports nothing.
  case wrong
  /// Something throws an error that is no `StoreError`.
  case foreignError(String)

  init(_ disk: FaultDisk, _ states: [StoreImage]) async {
    do {
      let store = try ModelStore(at: disk.folder, schema: WorkloadSchema.self, user: Workload.user)
      do {
        self = try Self.look(at: store, disk, states)
        store.create(Sketch(zeroWithID: .new(in: nil)))
        try await store.waitUntilSaved()
      } catch _ as StoreError {
        self = .unreadable
      }
    } catch let error as StoreError {
      self = .refused(error.code)
    } catch {
      self = .foreignError("\(error)")
    }
  }

  private static func look(at store: ModelStore, _ disk: FaultDisk, _ states: [StoreImage]) throws -> Self {
    var seen: [UUIDValue: StoreImage.Content] = [:]
    for entry in try store.objects(Entry.self) {
      seen[entry.id.rawValue] = .init(type: Entry.modelName, bytes: try entry.encoded())
      _ = try store.object(entry.id)
    }
    for sketch in try store.objects(Sketch.self) {
      seen[sketch.id.rawValue] = .init(type: Sketch.modelName, bytes: try sketch.encoded())
      _ = try store.object(sketch.id)
    }
    let operations = store.memory.withLock { memory in
      memory.outbox.numbers.map { memory.outbox.operations[$0]!.bytes }
    }
    if store.failedOperations.contains(where: { $0.reason.code == .damaged }) { return .reported }
    let matches = try states.map { try $0.view() == seen && $0.operations.map(\.changes) == operations }
    if matches.last == true { return .right }
    return matches.contains(true) ? .older : .wrong
  }
}
