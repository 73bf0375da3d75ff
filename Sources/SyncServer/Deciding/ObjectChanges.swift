// Works out what the changes of a mutation make of objects; writes nothing.

import SyncProtocol
import WireFormat

/// Each change sees the state before the mutation. A mutation has at most one change for an object.
struct ObjectChanges {
  private(set) var changed: [Changed] = []
  /// Whether one of the changes found what it needed, even if the object was the same already.
  private(set) var hasFound = false
  /// Objects that a change has found and that are live after it, changed or not.
  private(set) var live: [Live] = []
  /// Whether an owner deletes the root, which ends the queue.
  private(set) var endsQueue = false

  struct Live {
    var id: UUIDValue
    /// The files that the change lists for its fields.
    var files: [FileField]
    /// Whether `files` replace the files that the fields named before. Not after a create: over an object that is there
    /// it may not have filled the fields, and a new object named no files.
    var replacesFiles: Bool
  }

  struct Changed {
    var id: UUIDValue
    var before: ObjectState?
    /// Nil if the object is deleted.
    var after: After?
  }

  struct After: Equatable {
    var type: String
    var content: [UInt8]
    var newestBy: Int64?
  }

  init(
    _ changes: [ObjectChange], waitingFor files: Int = 0, _ history: HistoryID, by sender: ChangeSender,
    _ work: UnitOfWork, _ budget: inout CommitBudget
  ) throws(Rejection) {
    let (isFirst, queue) = (budget.isUntouched, work.queueID)
    guard changes.count <= ProtocolLimits.objectChanges else { throw .code(RejectionCode.tooLarge) }
    for sent in changes {
      let before = try Rejection.reading { try work.object(sent.object) }
      let references = try Rejection.reading { try Self.references(of: sent, before, waitingFor: files, work) }
      let noRoom: Rejection = isFirst ? .code(RejectionCode.tooLarge) : .noRoom
      guard budget.take(contentBytes: before?.live?.content.count ?? 0), budget.take(references: references) else {
        throw noRoom
      }
      let change = try Self.admitted(sent, before, in: queue, by: sender)
      try Self.check(change, before)
      guard change.isOf(queue) else { throw .code(RejectionCode.invalid) }
      let after = try Self.result(of: change, before, history)
      guard budget.take(bytes: after?.content.count ?? 0) else { throw noRoom }
      let endsQueue = change.endsQueue(queue, by: sender.role)
      if endsQueue { self.endsQueue = true }
      guard after != nil || endsQueue || change.isDelete && before?.live != nil else { continue }
      hasFound = true
      if after != nil {
        live.append(Live(id: change.object, files: change.files, replacesFiles: change.isPatch))
      }
      if after != before.flatMap(After.init) {
        changed.append(Changed(id: change.object, before: before, after: after))
      }
    }
  }

  /// The references to files that the change makes, and those of its object, which it may replace or remove. So no object
  /// gets more of them than one commit can remove.
  private static func references(
    of change: ObjectChange, _ before: ObjectState?, waitingFor files: Int, _ work: UnitOfWork
  ) throws -> Int {
    let made = change.isDelete ? 0 : files + change.files.reduce(0) { $0 + $1.hashes.count }
    guard before?.live != nil, change.touchesReferences(waitingFor: files) else { return made }
    return made + (try work.count(.references(from: change.object)))
  }

  /// The part of the change that the sender may make. Throws a rejection if the sender may not make it at all.
  private static func admitted(
    _ change: ObjectChange, _ before: ObjectState?, in queue: QueueID, by sender: ChangeSender
  ) throws(Rejection) -> ObjectChange {
    let live = before?.live
    let type = change.createdType ?? live?.type
    // Only the server writes objects of its own types.
    let isReserved = [live?.type, type].contains { $0?.hasPrefix(reserved) == true }
    let access = type.map { sender.access[$0] } ?? .byRole
    let standing = AccessStanding(
      of: sender.user, as: sender.role, to: change.object, in: queue, of: sender.schema, under: access,
      content: live?.content, creator: live?.system.createdBy)
    guard !isReserved, let admitted = access.admitted(change, of: standing) else {
      throw .code(RejectionCode.forbidden)
    }
    return admitted
  }

  private static func check(_ change: ObjectChange, _ before: ObjectState?) throws(Rejection) {
    switch change.condition {
    case .content(let seen)? where before?.live.map({ ContentHash(of: $0.content) }) != seen:
      throw .code(RejectionCode.conditionFailed)
    case .absent? where before?.live != nil: throw .code(RejectionCode.conditionFailed)
    default: break
    }
    guard let type = change.createdType else { return }
    guard ProtocolLimits.isTypeName(type), before?.live == nil || before?.live?.type == type else {
      throw .code(RejectionCode.invalid)
    }
  }

  private static let reserved = "sync."

  /// The object after the change. Nil if the change comes too late, and for a delete.
  private static func result(
    of change: ObjectChange, _ before: ObjectState?, _ history: HistoryID
  ) throws(Rejection) -> After? {
    let live = before?.live
    switch change.action {
    case .delete: return nil
    case .patch(let patch):
      guard let live else { return nil }
      return After(
        type: live.type, content: try merged(patch, into: live.content), newestBy: change.newestBy ?? live.newestBy)
    case .create(let type, let patch, let revival):
      if let before, live == nil, !revival.overcomes(tombstone: before.revision, history: history) { return nil }
      // Over an object that is there, a create fills only what is absent; `newestBy` too.
      return After(
        type: type, content: try merged(patch, into: live?.content ?? []), newestBy: live?.newestBy ?? change.newestBy)
    }
  }

  private static func merged(_ patch: Patch, into content: [UInt8]) throws(Rejection) -> [UInt8] {
    let merged: [UInt8]
    do throws(WireError) { merged = try patch.merged(into: content) } catch { throw .code(RejectionCode.invalid) }
    guard merged.count <= ProtocolLimits.objectBytes else { throw .code(RejectionCode.tooLarge) }
    return merged
  }
}

/// The sender of a mutation, with what decides about the sender's rights.
struct ChangeSender {
  var user: UserID
  /// The name of the app's schema.
  var schema: String
  var role: QueueRole
  var access: AccessTable
}

extension ObjectChanges.After {
  fileprivate init?(_ object: ObjectState) {
    guard let live = object.live else { return nil }
    self.init(type: live.type, content: live.content, newestBy: live.newestBy)
  }
}

extension ObjectChange {
  /// Whether a create may use its id in the queue, so that no id is in two queues. The id must be bound to the queue,
  /// or be that of the queue itself, unless that is a home queue. Other changes need no check, because they do nothing
  /// to an id that is not there.
  fileprivate func isOf(_ queue: QueueID) -> Bool {
    guard case .create = action else { return true }
    return object == queue.root ? !queue.isMarkedAsHome : object.isBound(to: queue)
  }

  /// Whether the change ends the queue, even if there is no root. A queue that a restored server had lost may have been
  /// born again by a device that did not make the root.
  fileprivate func endsQueue(_ queue: QueueID, by role: QueueRole) -> Bool {
    isDelete && object == queue.root && role == .owner && !queue.isMarkedAsHome
  }

  var isDelete: Bool {
    if case .delete = action { true } else { false }
  }

  /// Whether the change makes references to files, or may replace or remove those of its object.
  func touchesReferences(waitingFor files: Int) -> Bool { isDelete || files > 0 || !self.files.isEmpty }

  fileprivate var isPatch: Bool {
    if case .patch = action { true } else { false }
  }
}
