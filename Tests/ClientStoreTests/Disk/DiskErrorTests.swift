// A disk that fails, is full or is read-only: the store throws its own errors, and keeps everything that it promised.

import Foundation
import ModelSupport
import SampleIDs
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct DiskErrorTests {
  /// In the long mode of Scripts/power-cuts every call of twelve workloads fails once, otherwise some calls of one.
  static let isLong = ProcessInfo.processInfo.environment["MODELGEN_DISK_ERRORS"] == "all"

  static let failures: [(FaultDisk.Call, FaultDisk.Failure, isLasting: Bool)] = [
    (.any, .inputOutput, false), (.any, .inputOutput, true), (.write, .diskFull, false), (.write, .diskFull, true),
    (.sync, .inputOutput, false),
  ]

  @Test(arguments: failures.indices)
  func diskFailureThrowsStoreErrorAndLosesNothing(_ index: Int) async throws {
    let (call, failure, isLasting) = Self.failures[index]
    let stride = Self.isLong || call == .sync ? 1 : call == .any ? 13 : 3
    var (runs, errors) = (0, 0)
    for seed in Self.isLong ? 1...12 : 3...3 as ClosedRange<UInt64> {
      for number in Swift.stride(from: 1, to: .max, by: stride) {
        let run = try await Run(seed: seed, failing: call, at: number, isLasting, failure)
        for problem in run.problems {
          Issue.record("seed \(seed), \(call) \(number), \(failure), lasting \(isLasting): \(problem)")
        }
        guard run.failed > 0 else { break }
        runs += 1
        errors += run.errors
      }
    }
    print("\(failure) at one \(call) call\(isLasting ? " and all that follow" : ""): \(runs) runs, \(errors) errors")
    #expect(runs > 5 && errors > 0)
  }

  @Test func refusesToOpenOnReadOnlyDisk() async throws {
    let disk = FaultDisk()
    let workload = Workload(seed: 4, disk: disk)
    for _ in 0..<10 { try await workload.run(workload.nextStep()) }
    workload.close()
    let image = try StoreImage(disk)
    disk.setReadOnly(true)
    #expect { try workload.open() } throws: { ($0 as? StoreError)?.code == .readOnly }
    disk.setReadOnly(false)
    try workload.open()
    #expect(try StoreImage(disk) == image)
    disk.setReadOnly(true)
    let sketch = Sketch(zeroWithID: .new(in: nil))
    workload.store!.create(sketch)
    try await workload.save(workload.store!)
    workload.close()
    disk.setReadOnly(false)
    try workload.open()
    #expect(try workload.store!.object(sketch.id) == sketch, "open files are still written")
  }
}

/// Runs one workload on a failing disk. Then heals the disk, and checks the store before and after it is reopened.
private struct Run {
  var problems: [String] = []
  /// How many calls to the disk failed, and how many errors the steps threw.
  var failed = 0
  var errors = 0

  init(
    seed: UInt64, failing call: FaultDisk.Call, at number: Int, _ isLasting: Bool, _ failure: FaultDisk.Failure
  ) async throws {
    let disk = FaultDisk()
    let workload = Workload(seed: seed, disk: disk)
    disk.fail(call, at: number, lasting: isLasting, failure)
    for _ in 0..<16 {
      let step = workload.nextStep()
      do {
        try await workload.run(step)
      } catch {
        errors += 1
        if !(error is StoreError) { problems.append("\(step) threw \(type(of: error)): \(error)") }
      }
    }
    failed = disk.failures
    if isLasting, failed > 0 { problems += await problemsOfSaving(workload) }
    disk.heal()
    if let store = workload.store, store.memory.withLock({ $0.saves.closed == nil }) {
      try await workload.save(store)
      problems += try check(workload, "the same store")
    }
    workload.close()
    try workload.open()
    problems += try check(workload, "the store opened again")
  }

  /// Performs an operation while each write fails. Its handle must throw a `StoreError`. A single failed call need not
  /// be an error, because SQLite does without a checkpoint and the store tries again.
  private func problemsOfSaving(_ workload: Workload) async -> [String] {
    do {
      if workload.store == nil { try workload.open() }
      let handle = workload.store?.submit("sketch.create") { try $0.create(Sketch(zeroWithID: .new(in: nil))) }
      await workload.tasks.run()
      try await handle?.waitUntilSaved()
      return ["an operation counts as saved while each write fails"]
    } catch {
      return error is StoreError ? [] : ["saving threw \(type(of: error)): \(error)"]
    }
  }

  private func check(_ workload: Workload, _ which: String) throws -> [String] {
    let image = try StoreImage(workload.disk)
    let problems = try workload.problems(in: image) + image.problems(of: workload.store!)
    return problems.map { "\(which): \($0)" }
  }
}
