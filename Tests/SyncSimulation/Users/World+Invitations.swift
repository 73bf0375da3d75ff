// Some apps ask their users about queues into which others take them. Users answer sooner or later.

import ClientStore
import Determinism
import ModelTypes
import SyncProtocol
import TestSupport
import WireFormat

extension Device {
  /// So few that the limit is often reached.
  static let maximumPreviews = 2

  /// All devices of a user have the same policy. Some begin to ask in their third life only, as after an update.
  var policy: InvitationPolicy {
    guard world.plan.faults.contains(.invitations) else { return .all }
    if lives < 3, asksLater { return .all }
    return .ask
  }

  var asksLater: Bool { world.seed(of: "asks later \(name)") % 4 == 0 }
}

extension World {
  /// Answers the invitations on a device: most are accepted, some are declined, some wait. At the end all are accepted.
  func answerInvitations(on device: Device, acceptsAll: Bool = false) {
    guard plan.faults.contains(.invitations), let life = device.life, !isDiskFailing(of: device) else { return }
    RuntimeEnvironment.$current.withValue(life.environment) {
      for invitation in (try? life.store.invitations()) ?? [] {
        let isCommon = [device.app.photos, device.app.inbox].contains(invitation.queue)
        switch acceptsAll ? 0 : random.below(100) {
        case 0..<60:
          fault(.invitations, "an invitation is accepted")
          trace("\(device.name) accepts \(invitation.queue.short)")
          life.store.accept(invitation)
          device.accepted.insert(invitation.queue)
        case 60..<70 where !isCommon:
          fault(.invitations, "an invitation is declined")
          trace("\(device.name) declines \(invitation.queue.short)")
          life.store.decline(invitation)
          device.record.declinedQueues.insert(invitation.queue)
        default: break
        }
      }
    }
    device.isTouched = true
  }
}
