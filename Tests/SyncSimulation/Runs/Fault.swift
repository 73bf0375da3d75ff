// The kinds of faults in a world, as a table.

/// Each kind is in some of the worlds only, so that other kinds are also seen without it.
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
  // Drawn apart from the others (`later`).
  case owners, manyQueues, close, once, manyOperations, ends, uploads, forgery, salvage, fileFields, copies, invitations
  case slow, poison, updates, failover, failback, retry

  /// The kinds that were added later. Each draws from a stream of its own, so that the plan of a seed without it stays
  /// what it was.
  static let later: [Self] = [
    .owners, .manyQueues, .close, .once, .manyOperations, .ends, .uploads, .forgery, .salvage, .fileFields, .copies,
    .invitations, .slow, .poison, .updates, .failover, .failback, .retry,
  ]

  /// In how many of a hundred worlds it occurs.
  var share: UInt64 {
    switch self {
    case .loss, .duplicates, .delay, .batches: 80
    case .cancel, .conditions, .dependencies, .files, .queues, .ends, .uploads, .fileFields, .copies: 60
    case .powerCut, .kill, .upkeep, .collectTombstones, .noConnection, .serverError: 50
    case .invalid, .loseFile, .restart, .membership, .role, .serverKill, .serverPowerCut, .serverDisk, .restore: 30
    case .cut, .tooLarge, .tooMany, .captivePortal, .expiredToken, .serverStorage, .forgetOutcomes: 30
    case .diskFull, .diskError, .clone, .deviceClock, .serverClock, .pause, .salvage: 20
    case .retry: 50
    case .owners, .invitations, .slow, .updates, .failover: 40
    case .poison: 15
    case .close, .once, .forgery, .failback: 30
    case .manyQueues: 12
    case .manyOperations: 5
    case .silentRestore: 10
    }
  }

  /// How often it is drawn as the event of a step; 0 for a fault that is a way to behave. For those in `later`: how
  /// many of a hundred steps in which a user would act become this fault.
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
    case .salvage, .retry: 6
    case .close, .forgery, .ends, .updates, .failover, .failback: 3
    case .manyQueues: 2
    default: 0
    }
  }
}
