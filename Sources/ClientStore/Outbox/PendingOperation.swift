// An operation between the moment it is performed and the moment its effect has come back.

import ModelTypes
import SyncProtocol
import WireFormat

/// An entry of the outbox. What was performed never changes; how far it has come does.
struct PendingOperation {
  /// Its place in the order in which the user acted.
  let number: Int64
  /// Random, for life.
  let id: UUIDValue
  /// Nil where its objects never leave the device.
  let queue: QueueID?
  let name: String
  let parameters: [UInt8]
  let changes: OperationChanges
  /// `changes` as they are stored and sent.
  let bytes: [UInt8]
  let performedAt: Timestamp
  /// Ids of operations, of any queue, that have to be applied before this one is sent.
  var dependencies: [UUIDValue] = []
  /// The record that whoever performed it may ask later.
  let record: OperationRecord

  /// On disk, and so able to survive a power cut.
  var isSaved = false
  /// The newest time of the server that was known when it first may have left the device, or an earlier one
  /// (`ModelStore.send`); nil before.
  var firstSent: Timestamp?
  /// The server's history in which what was sent last may have been applied; nil where that is not known.
  var sentIn: UUIDValue?
  /// The server lacks files of it; kept in memory only, since it says so again.
  var isWaiting = false
  /// Taken back after it was sent: hidden, until the server says whether it came too late.
  var isVoided = false
  var outcome: OperationOutcome?

  var isSent: Bool { firstSent != nil }

  /// The server's history in which it was sent is lost, and the one that there is does not know it: it may wait, be taken
  /// back and fail with what it was built on like one that never left.
  mutating func becomeUnsent() {
    firstSent = nil
    sentIn = nil
    isWaiting = false
    record.enter(.saved)
  }

  /// Whether it deletes the root of its queue, and so ends that.
  var isEnd: Bool { changes.objects.contains { $0.object == queue?.rawValue && $0.isDelete } }

  /// Queues that the user is not asked about any more.
  var acceptedQueues: [QueueID] {
    changes.objects.compactMap { change in
      guard case .create(QueueAcceptance.type, _, _) = change.action, let content = try? change.applied(to: nil) else {
        return nil
      }
      return (try? QueueAcceptance(content: content)).map { QueueID($0.queue) }
    }
  }

  /// The ids that observers may look at: its objects, and where it changes members its queue, and zero for those of any queue.
  var touched: [UUIDValue] {
    let objects = changes.objects.map(\.object)
    guard let queue, !changes.members.isEmpty else { return objects }
    return objects + [queue.rawValue, .zero]
  }

  /// Whether it still counts in what the user sees.
  var isShown: Bool { !isVoided && outcome?.isFailure != true }
}

extension OperationOutcome {
  /// The operation did not happen, and will not.
  var isFailure: Bool {
    switch status {
    case .applied, .noEffect: false
    case .rejected, .voided, .unknown: true
    }
  }
}
