// One call of `syncOnce`: the state of things when it began, and whether its result is true.

import ClientStore
import ClientSync
import ModelTypes
import StoreTestSupport
import SyncProtocol
import SyncServer
import WireFormat

/// `@unchecked Sendable`: a world and everything in it runs on one thread.
final class OnceCall: @unchecked Sendable {
  private unowned let device: Device
  var hasEnded = false
  var isCancelled = false
  private let began: Circumstances
  private let wasPaused: Bool
  private let hadAccepted: Set<QueueID>
  /// How far the home queue, and each queue that it names on the server, had come when the call began.
  private var heads: [QueueID: Head] = [:]
  /// Operations that nothing hindered when the call began, also those that were still being saved, with their queues.
  private var unhindered: [OperationID: QueueID] = [:]

  /// Counts that grow if something excuses a failure, or changes what can be expected.
  private struct Circumstances: Equatable {
    var troubles: Int
    var faults: Int
    var pauses: Int
    var losses: Int
  }

  private struct Head {
    var grant: GrantID
    var revision: Int64
  }

  /// Nil if the device does not run.
  init?(_ device: Device) {
    guard let store = device.store else { return nil }
    self.device = device
    (began, wasPaused, hadAccepted) = (Self.circumstances(device), device.isPaused, device.accepted)
    let queues = device.world.server.history.state.queues
    for (id, queue) in queues {
      guard let member = queue.member(on: device), let row = queue.row else { continue }
      let membership = SyncID.membership(of: id, inHome: device.home)
      guard id == device.home || queues[device.home]?.objects[membership]?.live != nil else { continue }
      heads[id] = Head(grant: member.grant, revision: row.head)
    }
    for (queue, items) in Dictionary(grouping: store.pendingOperations, by: \.queue) {
      guard let queue, store.place(of: queue).load == .loaded, items.allSatisfy(isUnhindered) else { continue }
      for item in items { unhindered[item.id] = queue }
    }
  }

  private var world: World { device.world }

  private func isUnhindered(_ item: PendingOperation) -> Bool {
    guard item.changes.files.isEmpty, world.operations[item.id]?.after.isEmpty == true, !item.isVoided else {
      return false
    }
    switch item.state {
    case .performed, .saved, .sent: return true
    default: return false
    }
  }

  private static func circumstances(_ device: Device) -> Circumstances {
    Circumstances(
      troubles: device.troubles, faults: device.world.faultCount, pauses: device.pauses,
      losses: device.world.losses)
  }

  private var now: Circumstances { Self.circumstances(device) }

  /// Judges a call that was done: reports a queue that is behind where it was at the beginning, and an operation that
  /// could be sent and is not settled.
  func checkWhatWasDone() {
    // Nothing tells a device what the server has lost without a word.
    guard now.losses == began.losses, !world.isSilent, !world.isDiskFailing(of: device), let store = device.store
    else { return }
    let queues = world.server.history.state.queues
    for (id, head) in heads.sorted(by: { $0.key < $1.key }) {
      guard queues[id]?.members[device.user]?.grant == head.grant else { continue }
      // A queue that the user was not asked about before is only read in part.
      if store.invited.contains(id) || device.accepted.subtracting(hadAccepted).contains(id) { continue }
      let place = store.place(of: id)
      if place.load != .loaded || place.cursor < head.revision {
        report("and \(id.short) is \(place.load) at \(place.cursor), not at \(head.revision)")
      }
    }
    // The server may lack the file of an operation that is sent again; later operations on its objects wait with it.
    let waiting = Set(store.pendingOperations.filter { !$0.changes.files.isEmpty }.compactMap(\.queue))
    for item in store.pendingOperations {
      guard let queue = unhindered[item.id], store.place(of: queue).load == .loaded,
        !waiting.contains(queue)
      else { continue }
      report("and \(world.oracles.name(item.id)) is still \(item.state)")
    }
  }

  /// Judges a call that failed: reports it if nothing went wrong meanwhile.
  func check(_ error: SyncError) {
    if error.code == .paused {
      if !wasPaused && now.pauses == began.pauses { report("says that it was paused, and nobody did") }
    } else if error.code == .outdated {
      if !world.mayBeTooOld(device) { report("says that its app is too old, and it never was") }
    } else if now.troubles == began.troubles && now.faults == began.faults && device.disk.failures == 0,
      !hasNothingToBring
    {
      report("fails without need: \(error)")
    }
  }

  /// Whether an upload is left of a file that neither this device nor the server has.
  private var hasNothingToBring: Bool {
    let uploads = (try? device.life?.rows.readUploads()) ?? []
    return uploads.contains { !device.hasBytes(of: $0.hash) && !world.server.has($0) }
  }

  func reportNoEnd() { world.oracles.report("syncOnce of \(device.name) does not end") }

  private func report(_ words: String) { world.oracles.report("syncOnce of \(device.name) returns, \(words)") }
}
