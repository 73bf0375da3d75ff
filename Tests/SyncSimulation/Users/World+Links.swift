// Members make links to their albums, and others join by them: at once, or once they have a connection.

import ClientStore
import ClientSync
import Determinism
import ModelTypes
import SyncProtocol
import SyncServer
import TestSupport
import WireFormat

extension World {
  /// Lets a member make a link or close one, and others join by one.
  func useLinks() throws {
    fault(.links)
    if links.isEmpty || random.chance(60) { try makeLink() }
    // Mostly the server has the link before somebody uses it.
    if random.chance(75) { try passSome() }
    if random.chance(15) { try closeLink() }
    if !links.isEmpty { try join(by: random.pick(links.suffix(3))) }
    if random.chance(15) { try closeLink() }
  }

  /// Lets a member make a link to an album. If no device shows one that it could be to, somebody makes an album first.
  private func makeLink() throws {
    if try albumsShown().isEmpty, let device = anyDevice(), !isDiskFailing(of: device) {
      try act(on: device, in: device.app.number) { $0.makeAlbum() }
    }
    let shown = try albumsShown()
    guard !shown.isEmpty else { return }
    let (device, queue) = random.pick(shown)
    let link = InvitationLink(to: queue, secret: LinkSecret(randomID()))
    let role = random.pick([QueueRole.owner, .writer, .writer, .reader])
    let uses = 1 + random.below(3)
    // Some links are over soon, and some already.
    let validity: Int64 =
      switch random.below(100) {
      case 0..<80: UpkeepRules.day
      case 80..<90: 5_000
      default: -5_000
      }
    // The server's time does not go back with its clock.
    let now = max(SimulatedProcess.start + time.now + server.clockOffset, server.referee.newestTime)
    let until = Timestamp(millisecondsSince1970: now + validity)
    guard perform(on: device, { $0.open(link, as: role, uses: uses, until: until) }) else { return }
    trace("\(device.name) makes a link to \(queue.short) for \(uses), as \(role)")
    links.append(link)
  }

  /// Lets a member close one of the links that a device shows.
  private func closeLink() throws {
    let shown = try albumsShown().flatMap { device, queue in
      ((try? device.store?.links(of: queue)) ?? []).map { (device, $0) }
    }
    guard !shown.isEmpty else { return }
    let (device, link) = random.pick(shown)
    guard perform(on: device, { $0.close(link) }) else { return }
    trace("\(device.name) closes a link to \(link.queue.short)")
  }

  /// Lets people join by a link, more of them than it is for, and perhaps without a connection. Few of them are members.
  private func join(by link: InvitationLink) throws {
    let number = app(of: link.queue).number
    let isWrong = random.chance(10)
    let tried = isWrong ? InvitationLink(to: link.queue, secret: LinkSecret(randomID())) : link
    let isOffline = random.chance(40)
    for device in devices where device.app.number == number && device.isRunning && !isDiskFailing(of: device) {
      guard random.chance(server.history.isMember(device.user, of: link.queue) ? 20 : 75) else { continue }
      if isOffline { device.isOffline = true }
      if perform(on: device, { $0.join(tried) }) {
        trace("\(device.name) joins \(link.queue.short) by a link" + (isWrong ? ", with a wrong secret" : ""))
        count(isOffline ? "joins performed offline" : "joins performed")
        // It need not ask its user about a queue that the user wanted to join.
        device.record.usedQueues.insert(link.queue)
      }
      if isOffline { time.after(Int64(random.below(random.chance(50) ? 200 : 20_000))) { device.reconnect() } }
    }
  }

  /// The devices that show an album other than those which all share, each with its queue.
  func albumsShown() throws -> [(Device, QueueID)] {
    var shown: [(Device, QueueID)] = []
    for device in devices where device.isRunning && !isDiskFailing(of: device) {
      let home = try device.life?.rows.read()[device.home]
      for album in albums where !album.isCommon && device.knows(album, home) {
        if device.store?.invited.contains(album.queue) == false { shown.append((device, album.queue)) }
      }
    }
    return shown
  }

  /// Performs something about a link. Returns whether the store took it. The oracles of operations do not know it,
  /// because it edits no object.
  private func perform(on device: Device, _ body: (ModelStore) -> OperationHandle) -> Bool {
    guard let life = device.life else { return false }
    let before = life.store.pendingOperations.map(\.id)
    let handle = RuntimeEnvironment.$current.withValue(life.environment) { body(life.store) }
    device.isTouched = true
    if case .failed(let error) = handle.state {
      trace("\(device.name) is refused: \(error)")
      count("links refused when performed")
      return false
    }
    device.record.note(handle)
    device.record.noteVanished(Set(before).subtracting(life.store.pendingOperations.map(\.id)))
    return true
  }
}
