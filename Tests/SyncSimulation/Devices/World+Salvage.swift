// Salvages the store of a device in the middle of a run: the app ends, a new store is made of the old one, and the app
// goes on with that.
//
// Only the report of a damaged operation is promised. If it had left the device before, or another device has it, the
// server may still apply it, also behind later ones: a caption may go back to it then.

import ClientStore
import Foundation
import ModelTypes
import StoreTestSupport
import TestSupport
import WireFormat

extension World {
  func salvageStore() throws {
    guard let device = anyDevice(), !device.hasSyncEnded, !device.diskHasFailed else { return }
    if random.chance(70) { try act(on: device) }
    try pass(Int64(random.below(80)), jobs: random.chance(50) ? 1 + random.below(40) : .max)
    guard device.isRunning, !device.hasSyncEnded, !device.diskHasFailed, !device.disk.isOff else { return }
    fault(.salvage)
    let end: Device.End = random.pick([.inOrder, .kill, .powerCut])
    trace("\(device.name) ends: \(end)")
    device.stop(end)
    try device.salvage()
    startLater(device)
  }
}

extension Device {
  /// Replaces the store on the disk by a salvaged one, while no app uses it. A salvage needs real files, so it works on
  /// copies in a temporary folder.
  fileprivate func salvage() throws {
    // Breaks the connections of the last life, so that none of them writes into the new store.
    disk.kill()
    disk.restart()
    let folder = try TemporaryFolder()
    for file in ["store.sqlite", "store.sqlite-wal"] {
      if let bytes = disk[file] { try folder.write(file, bytes: bytes) }
    }
    let before = try StoreContents(folder: disk.folder)
    let damage = try StoreDamage.draw(folder, &world.random)
    let salvage = try ModelStore.salvage(at: folder.url.path, schema: schema, user: user)
    disk["store.sqlite"] = [UInt8](try Data(contentsOf: folder.url("store.sqlite")))
    for file in ["store.sqlite-wal", "store.sqlite-shm"] { disk[file] = nil }
    let after = try StoreContents(folder: disk.folder)
    world.count("salvaged stores")
    world.count("salvaged operations", salvage.operations)
    world.count("salvaged reports", salvage.failedOperations)
    world.count("salvaged retired operations", after.retired.count)
    record.noteSalvage()
    judge(salvage, damage, before, after)
  }

  /// Reports what was not carried over, except what the server has, and damage that was not reported.
  private func judge(_ salvage: Salvage, _ damage: StoreDamage, _ before: StoreContents, _ after: StoreContents) {
    let report = { [unowned self] (what: String) in world.oracles.report("salvage: that of \(name) \(what)") }
    var (before, after) = (before, after)
    if salvage.operations != after.operations.count || salvage.failedOperations != after.failedOperations.count {
      report("counts \(salvage.operations) operations and \(salvage.failedOperations) reports")
    }
    var hasProblems = false
    switch damage {
    case .none: break
    case .objects:
      world.count("salvages without a page of objects")
      hasProblems = true
    case .operation(let id):
      world.count("salvages with a damaged operation")
      world.trace("damaged: \(world.oracles.name(id))")
      record.damaged.insert(id)
      before = before.without(id)
      if !after.takeReportOfDamage(id) { report("does not tell that \(world.oracles.name(id)) is damaged") }
    }
    if salvage.problems.isEmpty == hasProblems { report("has the problems \(salvage.problems)") }
    if let difference = after.difference(from: before) { report("loses something: \(difference)") }
  }
}
