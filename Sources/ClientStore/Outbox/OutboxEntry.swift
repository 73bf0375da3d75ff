// An operation from the moment it is performed until its effect is in confirmed state.

import SyncProtocol
import WireFormat

/// An entry of the outbox. The operation itself never changes; its progress does.
struct OutboxEntry {
  /// The place of the operation in the order in which the user acted.
  let number: Int64
  /// Random, and never changed.
  let id: OperationID
  /// Nil for objects that never leave the device.
  let queue: QueueID?
  let name: String
  let parameters: [UInt8]
  let changes: OperationChanges
  /// `changes` as they are stored and sent.
  let bytes: [UInt8]
  let performedAt: Timestamp
  /// Ids of operations, of any queue, that must be applied before this one is sent. One that has left the outbox is: if
  /// it had failed, this one had failed with it.
  var dependencies: [OperationID] = []

  /// Whether the operation is on disk, and so survives a power cut.
  var isSaved = false
  /// When the operation may first have left the device: the newest server time that was known then. Nil before.
  var firstSent: Timestamp?
  /// How often the user has tried the operation again after it had failed.
  var attempt = 0
  /// Sent again, because the server may have lost it. The rows have its effect, so it is not replayed on top of them,
  /// until a page tells whether the server has it.
  var isHidden = false
  /// Whether the server lacks files of the operation. In memory only, since the server says so again.
  var isWaiting = false
  /// The operation did not get through alone, and lets the others go first. In memory only, since the next attempts
  /// show it again.
  var isAside = false
  /// Whether it has stepped aside before. Then it goes alone, so that no other operation fails with it.
  var goesAlone = false
  /// Taken back after it was sent: hidden until the server says whether that came in time.
  var isVoided = false
  var outcome: OperationOutcome?

  var isSent: Bool { firstSent != nil }

  /// Whether it deletes the root of its queue, and so ends the queue.
  var isEnd: Bool { changes.objects.contains { $0.object == queue?.root && $0.isDelete } }

  /// Whether it lets the user into its queue.
  var isDoor: Bool { queue.map(changes.letUserIn) ?? false }

  /// The queues whose invitations this operation accepts.
  var acceptedQueues: [QueueID] {
    changes.objects.compactMap { change in
      guard case .create(QueueAcceptance.type, _, _) = change.action, let content = try? change.applied(to: nil) else {
        return nil
      }
      return (try? QueueAcceptance(content: content))?.queue
    }
  }

  /// The ids whose observers must be told: those of its objects. If it changes members, also the id of its queue, and
  /// zero for the invitations.
  var touched: [UUIDValue] {
    let objects = changes.objects.map(\.object)
    guard let queue, changes.isAboutMembers else { return objects }
    return objects + [queue.root, .zero]
  }

  /// Whether it may still happen, or has happened: it was not taken back and has not failed.
  var isHopeful: Bool { !isVoided && outcome?.isFailure != true }

  /// Whether it is replayed in what the user sees.
  var isShown: Bool { isHopeful && !isHidden }
}

extension OperationOutcome {
  /// Whether the operation does not happen, or nobody knows any more whether it did.
  var isFailure: Bool {
    switch status {
    case .applied, .noEffect: false
    case .rejected, .voided, .unknown: true
    }
  }
}
