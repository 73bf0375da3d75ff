// The server loses history: it is restored, fails over to a replica that lags, or the operator goes back to a server
// that had failed.

import ClientStore
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Makes a backup if there is none. Otherwise the server goes back to it.
  func restore(_ fault: Fault) throws {
    guard server.isRunning else { return }
    guard let backup = server.backup else {
      server.backup = server.copy()
      return trace(server.backup == nil ? "no backup is made of files in doubt" : "a backup is made")
    }
    self.fault(fault)
    server.backup = nil
    try holdingFaults { try server.goBack(to: backup, isAnnounced: fault == .restore) }
  }

  /// Lets a replica lag while users work, and then take over, sometimes twice: the second one lags behind the first.
  func failOver() throws {
    guard server.isRunning, let copy = server.copy() else { return }
    server.replica = [copy]
    defer { server.replica = nil }
    for _ in 0...random.below(4) {
      if let device = anyDevice() { try act(on: device) }
      try passSome()
    }
    let away = devices.filter { !$0.isOffline && random.chance(30) }
    for device in away { device.isOffline = true }
    try takeOver("a failover")
    if random.chance(35) {
      try passSome()
      try takeOver("a failover after another")
    }
    for device in away { time.after(Int64(random.below(random.chance(50) ? 200 : 20_000))) { device.reconnect() } }
  }

  /// The server goes on from a replica that lacks its last commits.
  private func takeOver(_ what: String) throws {
    guard server.isRunning, let states = server.replica, states.count > 1 else { return }
    let lost = 1 + random.below(min(6, states.count - 1))
    fault(.failover, what)
    trace("\(lost) commits are lost")
    let copy = states[states.count - 1 - lost]
    // The next replica is even older.
    server.replica = Array(states.dropLast(lost))
    try holdingFaults { try server.goBack(to: copy, isAnnounced: true) }
  }

  /// The operator goes back to a server that was given up. What was lost is there again; what came since is lost.
  func failBack() throws {
    guard server.isRunning, !server.givenUp.isEmpty else { return }
    let copy = random.pick(server.givenUp)
    fault(.failback)
    try holdingFaults { try server.goBack(to: copy, isAnnounced: true) }
  }

  /// Notes what the server loses, and what it gets back, when it goes from one state to another.
  func noteLoss(from now: ServerHistory.State, to copy: ServerHistory.State, isAnnounced: Bool) {
    losses += 1
    for (id, queue) in now.queues {
      let after = copy.queues[id]
      if after?.row == nil, queue.row != nil { count("queues that are lost") }
      for user in queue.members.keys.sorted() where after?.members[user] == nil {
        count("memberships that are lost")
        noteLeft(user, id)
      }
      let isSame = after?.row == queue.row && after?.members == queue.members && after?.outcomes == queue.outcomes
      if !isSame, !isAnnounced { isSilent = true }
    }
    for (id, queue) in copy.queues {
      for (operation, outcome) in queue.outcomes where outcome.status == .applied {
        if now.queues[id]?.outcomes[operation]?.status != .applied { cameBack.insert(operation) }
      }
    }
  }
}
