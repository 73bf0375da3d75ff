// What may go wrong in a world, as a table.

/// Each is in some of the worlds only: a run without it shows what the others alone do.
package enum Fault: String, CaseIterable, Sendable {
  // On the way.
  case loss, duplicates, delay, cut, noConnection, serverError, tooLarge, tooMany, captivePortal, expiredToken
  // On devices.
  case powerCut, kill, restart, diskFull, diskError, clone, deviceClock, pause, cancel
  // On the server.
  case serverPowerCut, serverKill, serverStorage, restore, silentRestore, collectTombstones, forgetOutcomes, loseFile
  case serverClock, serverDisk, upkeep, membership, role
  // Of users.
  case invalid, conditions, dependencies, files, queues, batches
  // Drawn by themselves (`later`).
  case owners, manyQueues, close, once, manyOperations, ends, uploads, forgery, salvage, fileFields, copies, invitations

  /// These came after the others: each draws from a stream of its own, so that the plan of a seed without them stays what
  /// it was.
  static let later: [Self] = [
    .owners, .manyQueues, .close, .once, .manyOperations, .ends, .uploads, .forgery, .salvage, .fileFields, .copies,
    .invitations,
  ]

  /// In how many of a hundred worlds it is.
  var share: UInt64 {
    switch self {
    case .loss, .duplicates, .delay, .batches: 80
    case .cancel, .conditions, .dependencies, .files, .queues, .ends, .uploads, .fileFields, .copies: 60
    case .powerCut, .kill, .upkeep, .collectTombstones, .noConnection, .serverError: 50
    case .invalid, .loseFile, .restart, .membership, .role, .serverKill, .serverPowerCut, .serverDisk, .restore: 30
    case .cut, .tooLarge, .tooMany, .captivePortal, .expiredToken, .serverStorage, .forgetOutcomes: 30
    case .diskFull, .diskError, .clone, .deviceClock, .serverClock, .pause, .salvage: 20
    case .owners, .invitations: 40
    case .close, .once, .forgery: 30
    case .manyQueues: 12
    case .manyOperations: 5
    case .silentRestore: 10
    }
  }

  /// How often it is drawn among the things that happen at a moment; 0 where it is a way to behave. Of the later ones:
  /// in how many of a hundred steps in which a user would do something.
  var weight: Int {
    switch self {
    case .cancel: 12
    case .membership: 10
    case .role, .restore, .silentRestore, .collectTombstones, .forgetOutcomes, .upkeep: 6
    case .powerCut, .kill, .serverPowerCut, .serverKill, .serverDisk, .diskFull, .diskError: 5
    case .restart, .expiredToken, .deviceClock, .serverClock, .pause, .loseFile: 4
    case .clone: 3
    case .owners: 8
    case .uploads, .fileFields, .copies: 5
    case .salvage: 6
    case .close, .forgery, .ends: 3
    case .manyQueues: 2
    default: 0
    }
  }
}
