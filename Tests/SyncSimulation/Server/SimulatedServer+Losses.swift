// Losses: the server goes back to an earlier copy of itself, and tells its clients or does not know it.

import Foundation
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension SimulatedServer {
  /// The files of the database and the folder at one moment, with the history and the model of that moment.
  struct Copy {
    var files: [String: [UInt8]]
    var folder: SimulatedFolder.Copy
    var history: ServerHistory.State
    var model: PlainServer
  }

  private static let databaseFiles = [file, file + "-wal", file + "-journal"]

  /// Nil if the files may hold a transaction that the open database does not have.
  func copy() -> Copy? {
    if history.isInDoubt { return nil }
    let files = Self.databaseFiles.compactMap { name in disk[name].map { (name, $0) } }
    return Copy(
      files: Dictionary(uniqueKeysWithValues: files), folder: folder.copy, history: history.state, model: referee.model)
  }

  /// Called after each commit: a replica gets it, unless this server fails before.
  func copyToReplica() {
    guard let states = replica, let copy = copy() else { return }
    replica = states.suffix(11) + [copy]
  }

  /// Goes back to a copy. If `isAnnounced`, the operator says so: the database begins another history.
  func goBack(to copy: Copy, isAnnounced: Bool) throws {
    if world.plan.faults.contains(.failback), let present = self.copy() { givenUp = givenUp.suffix(2) + [present] }
    let lost = history.state.oldestOutcome(missingIn: copy.history)?.millisecondsSince1970 ?? .max
    // The copy may not know of an earlier loss. Then only this one tells its devices.
    let unknown = referee.model.histories.filter { !copy.model.histories.contains($0) }.map(\.since).min() ?? .max
    stop()
    for name in Self.databaseFiles { disk[name] = copy.files[name] }
    putBackFolder(copy.folder, announced: isAnnounced)
    let files = referee.filePlaces
    world.noteLoss(from: history.state, to: copy.history, isAnnounced: isAnnounced)
    history.goBack(to: copy.history)
    referee.restore(copy.model)
    if isAnnounced {
      try beginHistory(since: min(lost, unknown, copy.model.newestOutcome))
      // Devices hear of it, and ask whether the server has their files.
      world.notBroughtAgain = []
    } else {
      world.notBroughtAgain.formUnion(files.filter { !referee.filePlaces.contains($0) })
    }
    try start()
  }

  /// Does the work of `modelserver restore`. `latest` is the latest time that is true: that of the newest commit which
  /// the copy has, or of an older one which it lacks, since commits that wait for the disk need not keep the order of
  /// their times. An operator may name an earlier one to be safe, or none.
  private func beginHistory(since latest: Int64) throws {
    let usual = referee.model.usualSince
    let isUsual = usual <= latest && world.random.chance(30)
    let since = isUsual ? usual : max(0, latest - world.random.pick([0, 0, 2_000, 600_000]))
    try withoutServer { storage in
      let id = HistoryID(world.randomID())
      let told = try storage.changeHistory(since: isUsual ? nil : Timestamp(millisecondsSince1970: since), to: id)
      if told.millisecondsSince1970 != since { referee.report("it tells \(told.millisecondsSince1970), not \(since)") }
      referee.begin(PlainID(id), since: since)
      try Self.forgetMissing(in: storage, world)
    }
  }

  /// Does what an operator does to the database while the server is down.
  func withoutServer(_ body: (SQLiteStorage) throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: disk.folder, withIntermediateDirectories: true)
    let storage = try SQLiteStorage(path: "\(disk.folder)/\(Self.file)")
    try body(storage)
    try storage.close()
  }
}
