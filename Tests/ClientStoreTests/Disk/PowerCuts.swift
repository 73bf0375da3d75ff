// Runs workloads, cuts the power at every point of them, and checks the store that is left.

import ClientStore
import Foundation
import ModelSupport
import StoreTestSupport
import Testing

/// The number of power cuts and the first seed. Scripts/power-cuts sets them; an ordinary test run makes few cuts.
struct PowerCutPlan {
  static let isLong = setting("MODELGEN_POWER_CUTS") != nil
  var cuts = setting("MODELGEN_POWER_CUTS") ?? 1_500
  var seed = UInt64(setting("MODELGEN_POWER_CUT_SEED") ?? 100)
  /// Checks only the cuts at this point, to repeat one failure.
  var point = setting("MODELGEN_POWER_CUT_POINT")
  var stepsPerSeed = 14
  /// How many cuts are made at each point, each with other unsynced writes lost.
  var cutsPerPoint = setting("MODELGEN_POWER_CUTS_PER_POINT") ?? 2
  /// One in so many reopenings is cut too, at each of its own points.
  var reopeningsCut: UInt64 = 60

  private static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }
}

/// The counts of a run.
struct PowerCutReport {
  var cuts = 0
  var reopeningCuts = 0
  var points = 0
  var steps: [Workload.Step: Int] = [:]
  var fates: [FaultDisk.File: [FaultDisk.Fate: Int]] = [:]
  /// Cuts inside a step after which the store was in the state before the step, or in the state after it.
  var absent = 0
  var whole = 0
  /// Pages that removed operations from the outbox.
  var retiringPages = 0

  mutating func count(_ disk: FaultDisk) {
    for file in FaultDisk.File.allCases {
      for fate in FaultDisk.Fate.allCases { fates[file, default: [:]][fate, default: 0] += disk.count(file, fate) }
    }
  }

  var text: String {
    var lines = ["\(cuts) power cuts at \(points) points, \(reopeningCuts) more while reopening"]
    lines.append("steps cut: \(absent) absent afterwards, \(whole) whole; pages that retire: \(retiringPages)")
    for file in FaultDisk.File.allCases {
      let counts = FaultDisk.Fate.allCases.map { "\($0) \(fates[file]?[$0] ?? 0)" }
      lines.append("\(file): " + counts.joined(separator: ", "))
    }
    let names = steps.sorted { "\($0.key)" < "\($1.key)" }.map { "\($0.key) \($0.value)" }
    lines.append("steps: " + names.joined(separator: ", "))
    return lines.joined(separator: "\n")
  }
}

struct PowerCuts {
  let plan: PowerCutPlan
  private(set) var report = PowerCutReport()

  init(_ plan: PowerCutPlan) {
    self.plan = plan
  }

  mutating func run() async throws {
    var seed = plan.seed
    while report.cuts < plan.cuts {
      try await run(seed)
      seed += 1
      if plan.point != nil { break }
    }
  }

  private mutating func run(_ seed: UInt64) async throws {
    let disk = FaultDisk()
    let workload = Workload(seed: seed, disk: disk)
    disk.copyPoints(plan.cutsPerPoint, seed: seed)
    try workload.open()
    var before = try StoreImage(disk)
    try check(disk, [before], "\(again(seed)), open")
    for _ in 0..<plan.stepsPerSeed {
      let step = workload.nextStep()
      try await workload.run(step)
      let after = try StoreImage(disk)
      let problems = try workload.problems(in: after) + after.problems(of: workload.store!)
      #expect(problems.isEmpty, "\(again(seed)), \(step), without a cut: \(problems)")
      try check(disk, [before, after], "\(again(seed)), \(step)")
      report.steps[step, default: 0] += 1
      if step == .page, after.operations.count < before.operations.count { report.retiringPages += 1 }
      before = after
    }
    workload.close()
    try check(disk, [before], "\(again(seed)), close")
    report.points += disk.points
    report.count(disk)
  }

  private func again(_ seed: UInt64) -> String { "Scripts/power-cuts --seed \(seed)" }

  /// Opens a store on every copy of the disk that the last step made. Expects one of the images: the step whole or
  /// absent.
  private mutating func check(_ disk: FaultDisk, _ images: [StoreImage], _ step: String) throws {
    while let copy = disk.takeCopy() {
      if let point = plan.point, point != copy.point { continue }
      report.cuts += 1
      let cutsReopening = copy.seed % plan.reopeningsCut == 0
      if cutsReopening { copy.disk.copyPoints(1, seed: copy.seed) }
      let image = try check(copy, images, step)
      if images.count == 2, images[0] != images[1] {
        if image == images[0] { report.absent += 1 } else { report.whole += 1 }
      }
      guard cutsReopening, let image else { continue }
      while let second = copy.disk.takeCopy() {
        report.reopeningCuts += 1
        try check(second, [image], "\(step), cut at point \(copy.point) under \(copy.seed) and again while reopening")
      }
      report.count(copy.disk)
    }
  }

  @discardableResult
  private func check(_ copy: FaultDisk.Copy, _ images: [StoreImage], _ step: String) throws -> StoreImage? {
    let place = "\(step), point \(copy.point), cut under \(copy.seed)"
    do {
      let store = try ModelStore(at: copy.disk.folder, schema: WorkloadSchema.self, user: Workload.user)
      let image = try StoreImage(copy.disk)
      var problems = try image.problems(of: store)
      if !images.contains(image) {
        let expected = images.map(\.summary).joined(separator: " or ")
        problems.append(
          "invariant 3, the step is neither whole nor absent: found \(image.summary), expected \(expected)")
      }
      if !problems.isEmpty { Issue.record("\(place): \(problems.joined(separator: "; "))") }
      return image
    } catch {
      Issue.record(error, "\(place)")
      return nil
    }
  }
}
