// People show what they do for seconds, and watch what others do. The referee judges what the server tells of it.

import ClientStore
import Determinism
import ModelTypes
import SyncServer
import TestSupport
import WireFormat

/// The queues whose signals an app watches in one life. `@unchecked Sendable`: one thread.
final class SignalWatches: @unchecked Sendable {
  private var ends: [QueueID: () -> Void] = [:]

  /// Begins to watch a queue, or ends that.
  func toggle(_ queue: QueueID, _ store: ModelStore) {
    guard let end = ends.removeValue(forKey: queue) else { return watch(queue, store) }
    end()
  }

  func watch(_ queue: QueueID, _ store: ModelStore) {
    guard ends[queue] == nil else { return }
    let number = store.watch(queue) {}
    ends[queue] = { [weak store] in store?.endWatching(queue, number) }
  }

  func end() {
    for (_, end) in ends.sorted(by: { $0.key < $1.key }) { end() }
    ends = [:]
  }
}

extension World {
  /// Lets some people show something, take it back, and watch.
  func useSignals() throws {
    fault(.signals)
    for device in devices where random.chance(70) {
      if let life = device.life { life.watches.watch(device.app.photos, life.store) }
    }
    for _ in 0...random.below(8) {
      guard let device = anyDevice(), let life = device.life else { return }
      let albums = try albumsShown().filter { $0.0 === device }.map(\.1)
      var queue = albums.isEmpty || random.chance(60) ? device.app.photos : random.pick(albums)
      // Strangers show something too, and watch. The server has to see to it.
      let all = server.history.state.queues.keys.sorted()
      if random.chance(25), !all.isEmpty { queue = random.pick(all) }
      switch random.below(10) {
      case 0..<7: try show("\(random.below(3)) by \(device.name)", in: queue, on: device)
      case 7:
        life.store.hide(Typing.self, in: queue)
        count("signals taken back")
      default: life.watches.toggle(queue, life.store)
      }
      if random.chance(70) { try passSome() }
    }
  }

  private func show(_ text: String, in queue: QueueID, on device: Device) throws {
    guard let store = device.store else { return }
    try store.show(Typing(album: queue, text: text))
    count("signals shown")
  }

  /// Without faults, all who watch see what others show, soon, and soon nothing of it. Throws a `Violation` otherwise.
  func showToEverybody() throws {
    for app in apps {
      let queue = app.photos
      let members = devices.filter { device in
        device.app.number == app.number && server.history.isMember(device.user, of: queue)
          && device.once?.hasStanding ?? true
      }
      for device in members {
        guard let life = device.life else { continue }
        life.watches.watch(queue, life.store)
      }
      // Of two devices of one user, either text may be the one that is shown.
      func missing(_ texts: [UserID: Set<String>]) -> String? {
        for device in members {
          let seen = device.store?.signals(Typing.self, in: queue) ?? []
          let wanted = texts.keys.filter { $0 != device.user }.sorted()
          if seen.map(\.user) != wanted || !seen.allSatisfy({ texts[$0.user]?.contains($0.value.text) == true }) {
            return "\(device.name) sees \(seen.map(\.value.text)) of others"
          }
        }
        return nil
      }
      let texts = Dictionary(members.map { ($0.user, [$0.name]) }, uniquingKeysWith: +).mapValues(Set.init)
      let show = { for device in members { try self.show(device.name, in: queue, on: device) } }
      try pass(until: { missing(texts) }, doing: show)
      count("signals seen at rest")
      try pass(until: { missing([:]) }, doing: {})
    }
    for device in devices { device.life?.watches.end() }
  }

  /// Lets half a minute pass, or less if nothing is missing before.
  private func pass(until missing: () -> String?, doing step: () throws -> Void) throws {
    for _ in 0..<20 {
      try step()
      try pass(1_500)
      if missing() == nil { return }
    }
    throw Violation("signals: \(missing() ?? "")")
  }
}
