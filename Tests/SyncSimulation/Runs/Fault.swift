// The kinds of faults in a world, as a table.

/// Each kind is in some of the worlds only, so that other kinds are also seen without it.
package enum Fault: String, CaseIterable, Sendable {
  // On the way.
  case loss, duplicates, delay, cut, noConnection, serverError, tooLarge, tooMany, captivePortal, expiredToken
  case slow, poison, uploads
  // On devices.
  case powerCut, kill, restart, diskFull, diskError, clone, deviceClock, pause, cancel, close, once, salvage
  // On the server.
  case serverPowerCut, serverKill, serverStorage, restore, silentRestore, collectTombstones, forgetOutcomes, loseFile
  case serverClock, serverDisk, upkeep, membership, role, failover, failback, copies
  // Of users.
  case invalid, conditions, dependencies, files, queues, batches, owners, manyQueues, manyOperations, ends, forgery
  case fileFields, invitations, updates, retry, meetings, links, signals

  /// In how many of a hundred worlds it occurs.
  var share: UInt64 {
    switch self {
    case .loss, .duplicates, .delay, .batches: 80
    case .cancel, .conditions, .dependencies, .files, .queues, .ends, .uploads, .fileFields, .copies, .forgery: 60
    case .powerCut, .kill, .upkeep, .collectTombstones, .noConnection, .serverError, .retry, .meetings: 50
    case .owners, .invitations, .slow, .updates, .failover, .links, .signals: 40
    case .invalid, .loseFile, .restart, .membership, .role, .serverKill, .serverPowerCut, .serverDisk, .restore: 30
    case .cut, .tooLarge, .tooMany, .captivePortal, .expiredToken, .serverStorage, .forgetOutcomes: 30
    case .close, .once, .failback: 30
    case .diskFull, .diskError, .clone, .deviceClock, .serverClock, .pause, .salvage: 20
    case .poison: 15
    case .manyQueues: 12
    case .silentRestore: 10
    case .manyOperations: 5
    }
  }

  /// How often it is drawn as the event of a step; 0 for a fault that is a way to behave.
  var weight: Int {
    switch self {
    case .owners: 24
    case .salvage, .retry: 18
    case .uploads, .fileFields, .copies, .meetings: 15
    case .cancel, .links, .signals: 12
    case .membership: 10
    case .close, .forgery, .ends, .updates, .failover, .failback: 9
    case .role, .restore, .silentRestore, .collectTombstones, .forgetOutcomes, .upkeep, .manyQueues: 6
    case .powerCut, .kill, .serverPowerCut, .serverKill, .serverDisk, .diskFull, .diskError: 5
    case .restart, .expiredToken, .deviceClock, .serverClock, .pause, .loseFile: 4
    case .clone: 3
    default: 0
    }
  }
}
