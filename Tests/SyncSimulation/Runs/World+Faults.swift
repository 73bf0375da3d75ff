// The faults that steps inject into devices and into the server.

import ClientStore
import StoreTestSupport
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  func inject(_ fault: Fault) throws {
    switch fault {
    case .powerCut, .kill: try crash(fault)
    case .restart: restart()
    case .diskFull, .diskError: try failDisk(fault)
    case .clone: try clone()
    case .deviceClock, .serverClock: setClock(fault)
    case .pause: pause()
    case .cancel: if let device = anyDevice() { cancel(on: device) }
    case .expiredToken: anyDevice()?.hasExpiredToken = true
    case .serverPowerCut, .serverKill: try crashServer(fault)
    case .serverDisk: try failServerDisk()
    case .upkeep: try performUpkeep()
    case .restore, .silentRestore: try restore(fault)
    case .collectTombstones: try collectTombstones()
    case .forgetOutcomes: try forgetOutcomes()
    case .loseFile: try loseFile()
    case .membership: try changeMembership()
    case .role: try changeRole()
    case .owners: try changeOwners()
    case .manyQueues: try joinManyQueues()
    case .close: try closeStore()
    case .manyOperations: try workOffline()
    case .uploads: try disturbUpload()
    case .ends: try endAnAlbum()
    case .forgery: try forge()
    case .fileFields: try nameFiles()
    case .copies: try copyFile()
    case .salvage: try salvageStore()
    case .updates: updateSomething()
    case .failover: try failOver()
    case .failback: try failBack()
    case .retry: try retry()
    case .meetings: try meet()
    case .links: try useLinks()
    case .signals: try useSignals()
    default: preconditionFailure("\(fault) is a way to behave")
    }
  }

  // MARK: devices

  private func crash(_ fault: Fault) throws {
    guard let device = anyDevice() else { return }
    self.fault(fault)
    if random.chance(50) { return stop(device, fault == .kill ? .kill : .powerCut) }
    // The crash comes in the middle of one of the next calls to the disk. If there are too few, it comes afterwards.
    let process = device.life?.process
    device.losesPower = fault == .powerCut
    if random.chance(40) { device.files.fallsAfter = random.below(12) }
    let point = device.disk.points + 1 + random.below(14)
    if fault == .kill { device.disk.kill(at: point) } else { device.disk.cut(at: point, seed: random.next()) }
    if random.chance(70) { try act(on: device) }
    try passSome()
    if device.life?.process === process { stop(device, fault == .kill ? .kill : .powerCut) }
  }

  private func restart() {
    guard let device = anyDevice() else { return }
    fault(.restart)
    stop(device, .inOrder)
  }

  /// One of the next calls to the disk fails, and perhaps all that follow. After an error the app is started again.
  private func failDisk(_ fault: Fault) throws {
    guard let device = anyDevice() else { return }
    let isFull = fault == .diskFull
    let call: FaultDisk.Call = isFull ? .write : random.pick([.any, .any, .write, .sync, .read])
    device.disk.fail(
      call, at: 1 + random.below(12), lasting: random.chance(30), isFull ? .diskFull : .inputOutput)
    device.failFiles(isFull: isFull)
    failing = device.name
    try act(on: device)
    try passSome()
    let isHit = device.disk.failures + device.files.failures > 0
    device.disk.heal()
    device.files.failure = nil
    if isHit { self.fault(fault) }
    device.diskHasFailed = isHit
    if device.isRunning, device.hasSyncEnded || isHit && !isFull { stop(device, .inOrder) }
    failing = nil
  }

  func isDiskFailing(of device: Device) -> Bool { failing == device.name || device.disk.isOff }

  /// Sets up a second device from a copy of one, so that two have the same outbox.
  private func clone() throws {
    guard devices.count < 4 || plan.hasTwoApps, !hasClone, let device = anyDevice() else { return }
    fault(.clone)
    try clone(device)
  }

  func clone(_ device: Device) throws {
    guard device.isRunning else { return }
    let twin = Device(
      world: self, name: device.name + "'", user: device.user, app: device.app, files: device.files.copy())
    for file in ["store.sqlite", "store.sqlite-wal"] { twin.disk[file] = device.disk[file] }
    twin.record = device.record.copied()
    (hasClone, shared) = (true, Set(twin.record.performed))
    devices.append(twin)
    start(twin)
  }

  /// Sets a clock wrong, by up to ten years.
  private func setClock(_ fault: Fault) {
    self.fault(fault)
    let years = Int64(random.below(20_001)) - 10_000
    let offset = years * 365 * 86_400
    guard fault == .serverClock else {
      guard let device = anyDevice() else { return }
      device.clockOffset = offset
      return device.noteClock()
    }
    server.clockOffset = offset
    serverClockWasSet = true
  }

  private func pause() {
    guard let device = anyDevice() else { return }
    fault(.pause)
    device.pause()
    time.after(Int64(random.below(60_000))) { device.resume() }
  }

  func cancel(on device: Device) {
    let pending = device.store?.pendingOperations.filter { !$0.isVoided } ?? []
    let handles = pending.compactMap { device.record.handle($0.id) }
    if !handles.isEmpty { cancel(random.pick(handles), on: device) }
  }

  func cancel(_ handle: OperationHandle, on device: Device) {
    guard let store = device.store else { return }
    fault(.cancel)
    trace("\(device.name) cancels \(operations[handle.id]?.name ?? "?")")
    device.record.cancel(handle, store)
    device.isTouched = true
  }
}

extension World {
  // MARK: the server

  private func crashServer(_ fault: Fault) throws {
    guard server.isRunning else { return }
    self.fault(fault)
    server.losesPower = fault == .serverPowerCut
    if random.chance(40) {
      if fault == .serverPowerCut { server.disk.cut(seed: random.next()) }
      return stopServer()
    }
    let point = server.disk.points + 1 + random.below(14)
    if fault == .serverKill { server.disk.kill(at: point) } else { server.disk.cut(at: point, seed: random.next()) }
    try passSome()
    if server.isRunning {
      if !server.disk.isOff, fault == .serverPowerCut { server.disk.cut(seed: random.next()) }
      stopServer()
    }
  }

  /// One of the next calls to the server's disk fails, and perhaps all that follow for a while. The server goes on.
  private func failServerDisk() throws {
    guard server.isRunning else { return }
    let failure: FaultDisk.Failure = random.chance(40) ? .diskFull : .inputOutput
    let call: FaultDisk.Call = failure == .diskFull ? .write : random.pick([.write, .sync, .any])
    server.disk.fail(call, at: 1 + random.below(10), lasting: random.chance(30), failure)
    for _ in 0..<6 where server.disk.failures == 0 {
      for device in devices where device.isRunning { try act(on: device) }
      try passSome()
    }
    if server.disk.failures > 0 { fault(.serverDisk) }
    server.disk.heal()
  }

  private func collectTombstones() throws {
    let queue = anyQueue()
    guard let head = server.history.state.queues[queue]?.row?.head, head > 0 else { return }
    fault(.collectTombstones)
    let revision = random.chance(60) ? head : 1 + Int64(random.below(UInt64(head)))
    try holdingFaults {
      try server.performNow(.forgetTombstones(PlainID(queue), upTo: revision)) {
        try await $0.collectTombstones(in: queue, upTo: revision)
      }
    }
  }

  /// Lets days pass, with a round of upkeep each time, beside everything else. Only what is old by these rules is
  /// forgotten.
  private func performUpkeep() throws {
    var rules = UpkeepRules()
    rules.tombstones = random.pick([0, 1, 2, 5]) * UpkeepRules.day
    rules.outcomes = random.pick([1, 2, 5, 365]) * UpkeepRules.day
    rules.files = random.pick([0, 0, 1, 7]) * UpkeepRules.day
    for _ in 0...random.below(3) {
      guard server.isRunning else { return }
      passDays(random.pick([0, 1, 1, 2, 3]))
      fault(.upkeep)
      server.performUpkeep(rules)
      // Set at once, because a forgotten operation may be applied again in the rest of this step (seed 1888).
      hasForgotten = true
      if let device = anyDevice(), random.chance(50) { try act(on: device) }
      try passSome()
    }
  }

  /// Lets days of the server's time pass at once. Devices keep what they may have to send again for 7 days of it.
  private func passDays(_ days: Int64) {
    server.clockOffset += days * UpkeepRules.day
    daysPassed += days
    if daysPassed >= 6 { serverClockWasSet = true }
  }

  private func forgetOutcomes() throws {
    let queue = anyQueue()
    fault(.forgetOutcomes)
    let milliseconds = SimulatedProcess.start + time.now + server.clockOffset - Int64(random.below(40_000))
    try holdingFaults {
      try server.performNow(.forgetOutcomes(PlainID(queue), before: milliseconds)) {
        try await $0.forgetOutcomes(in: queue, before: Timestamp(millisecondsSince1970: milliseconds))
      }
    }
    hasForgotten = true
  }

  private func loseFile() throws {
    let places = server.referee.filePlaces
    guard !places.isEmpty, server.isRunning else { return }
    fault(.loseFile)
    try holdingFaults { try server.loseFile(random.pick(places)) }
  }

  private func changeMembership() throws {
    let app = anyApp()
    let users = users(of: app)
    let queue = random.chance(70) ? app.photos : app.inbox
    // In worlds about restores, members leave before a backup, and those who are out join after it.
    let joining = users.filter { server.history.isMember($0, of: queue) == (server.backup == nil) }
    let user = random.pick(plan.isAboutRestores && !joining.isEmpty ? joining : users)
    let isMember = server.history.isMember(user, of: queue)
    fault(.membership, isMember ? "a member leaves" : "a member joins")
    trace("\(user.short) \(isMember ? "leaves" : "joins") \(queue.short)")
    let changes = isMember ? OperationChanges(members: [.unfollow(user)]) : OperationChanges(members: [.follow(user)])
    try holdingFaults { try changeMembers(of: queue, changes) }
  }

  private func changeRole() throws {
    let app = anyApp()
    let user = random.pick(users(of: app))
    guard let membership = server.history.state.queues[app.photos]?.members[user] else { return }
    let role: QueueRole = membership.role == .reader ? .writer : .reader
    fault(.role, role == .reader ? "a role is lowered" : "a role is raised")
    try holdingFaults {
      try changeMembers(of: app.photos, OperationChanges(members: [.role(user, role)]))
    }
  }

  private func anyQueue() -> QueueID {
    let app = anyApp()
    return random.chance(60) ? app.photos : random.pick(albums.map(\.queue) + apps.map(\.inbox) + devices.map(\.home))
  }

  /// Runs `body` without faults, because the world's own requests to the server must succeed.
  func holdingFaults(_ body: () throws -> Void) rethrows {
    let before = isQuiet
    isQuiet = true
    defer { isQuiet = before }
    try body()
  }
}

extension ServerHistory {
  func isMember(_ user: UserID, of queue: QueueID) -> Bool { state.queues[queue]?.members[user] != nil }
}
