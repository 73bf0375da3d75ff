// Everything that `waitUntilSaved()` promised survives a power cut, whenever it comes and whichever unsynced writes it
// keeps.

import ModelSupport
import StoreTestSupport
import Testing

@testable import ClientStore

@Suite struct PowerCutTests {
  @Test func everyCutLeavesEachStepWholeOrAbsent() async throws {
    let plan = PowerCutPlan()
    var cuts = PowerCuts(plan)
    try await cuts.run()
    let report = cuts.report
    print(report.text)
    guard plan.point == nil else { return }
    // A kind of fault that never occurred was not tested.
    for file in FaultDisk.File.allCases {
      for fate in FaultDisk.Fate.allCases {
        #expect(report.fates[file]?[fate] ?? 0 > 0, "no \(fate) in the \(file)")
      }
    }
    #expect(report.retiringPages > 0, "no page was cut by which operations leave")
    #expect(report.absent > 0 && report.whole > 0 && report.reopeningCuts > 0)
  }

  @Test func storeWithoutPowerThrowsStoreErrors() async throws {
    let points = PowerCutPlan().point.map { [$0] } ?? Array(stride(from: 1, to: 400, by: PowerCutPlan.isLong ? 1 : 23))
    for point in points {
      let disk = FaultDisk()
      let workload = Workload(seed: UInt64(point), disk: disk)
      disk.cut(at: point, seed: UInt64(point))
      while !disk.isOff {
        do { try await workload.run(workload.nextStep()) } catch { #expect(error is StoreError, "\(error)") }
      }
      if let store = workload.store {
        store.create(Sketch(zeroWithID: .new(in: nil)))
        await workload.tasks.run()
        await #expect(throws: StoreError.self) { try await store.waitUntilSaved() }
      }
      workload.close()
      disk.restart()
      try workload.open()
      let image = try StoreImage(disk)
      let problems = try workload.problems(in: image) + image.problems(of: workload.store!)
      #expect(problems.isEmpty, "Scripts/power-cuts --point \(point): \(problems)")
    }
  }
}
