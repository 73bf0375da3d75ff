// What the changes of a mutation make of objects: worked out, not written.

import SyncProtocol
import WireFormat

/// Each change sees the state before the mutation; a mutation has at most one for an object.
struct ObjectChanges {
  private(set) var changed: [Changed] = []
  /// One of the changes found what it needed, also where the same was there already.
  private(set) var hasFound = false

  struct Changed {
    var id: UUIDValue
    var before: ObjectState?
    /// Nil where the object is deleted.
    var after: After?
  }

  struct After: Equatable {
    var type: String
    var content: [UInt8]
    var newestBy: Int64?
    /// Nil where the sender is the creator.
    var createdBy: UUIDValue?
  }

  init(
    _ changes: [ObjectChange], in queue: UUIDValue, _ snapshot: any QueueSnapshot, _ budget: inout TouchedBytes
  ) throws(Rejection) {
    let isFirst = budget.isUntouched
    for change in changes {
      let before = try Rejection.storing { try snapshot.object(change.object, in: queue) }
      guard budget.take(before?.live?.content.count ?? 0) else {
        throw isFirst ? .code(RejectionCode.tooLarge) : .noRoom
      }
      try Self.check(change, before)
      let after = try Self.result(of: change, before)
      let isDeleted = change.isDelete && before?.live != nil
      guard after != nil || isDeleted else { continue }
      hasFound = true
      if after != before.flatMap(After.init) {
        changed.append(Changed(id: change.object, before: before, after: after))
      }
    }
  }

  private static func check(_ change: ObjectChange, _ before: ObjectState?) throws(Rejection) {
    switch change.condition {
    case .content(let seen)? where before?.live.map({ ContentHash(of: $0.content) }) != seen:
      throw .code(RejectionCode.conditionFailed)
    case .absent? where before?.live != nil: throw .code(RejectionCode.conditionFailed)
    default: break
    }
    // What the server itself writes, into home queues, nobody else does.
    if before?.live?.type.hasPrefix(reserved) == true { throw .code(RejectionCode.forbidden) }
    guard case .create(let type, _, _) = change.action else { return }
    if type.hasPrefix(reserved) { throw .code(RejectionCode.forbidden) }
    guard ProtocolLimits.isTypeName(type), before?.live == nil || before?.live?.type == type else {
      throw .code(RejectionCode.invalid)
    }
  }

  private static let reserved = "sync."

  /// Nil where the change comes too late, and for a delete.
  private static func result(of change: ObjectChange, _ before: ObjectState?) throws(Rejection) -> After? {
    let live = before?.live
    switch change.action {
    case .delete: return nil
    case .patch(let patch):
      guard let live else { return nil }
      return After(
        type: live.type, content: try merged(patch, into: live.content), newestBy: change.newestBy ?? live.newestBy,
        createdBy: live.createdBy)
    case .create(let type, let patch, let isReviving):
      if before != nil && live == nil && !isReviving { return nil }
      // Over an object that is there a create fills what is absent, and the number too.
      return After(
        type: type, content: try merged(patch, into: live?.content ?? []), newestBy: live?.newestBy ?? change.newestBy,
        createdBy: live?.createdBy)
    }
  }

  private static func merged(_ patch: Patch, into content: [UInt8]) throws(Rejection) -> [UInt8] {
    let merged: [UInt8]
    do throws(WireError) { merged = try patch.merged(into: content) } catch { throw .code(RejectionCode.invalid) }
    guard merged.count <= ProtocolLimits.objectBytes else { throw .code(RejectionCode.tooLarge) }
    return merged
  }
}

/// What a commit may still read of contents: a few bytes of changes can name objects of gigabytes.
struct TouchedBytes {
  private var rest = ProtocolLimits.touchedBytes

  var isUntouched: Bool { rest == ProtocolLimits.touchedBytes }

  mutating func take(_ bytes: Int) -> Bool {
    rest -= bytes
    return rest >= 0
  }
}

extension ObjectChanges.After {
  fileprivate init?(_ object: ObjectState) {
    guard let live = object.live else { return nil }
    self.init(type: live.type, content: live.content, newestBy: live.newestBy, createdBy: live.createdBy)
  }
}

extension ObjectChange {
  fileprivate var isDelete: Bool {
    if case .delete = action { true } else { false }
  }
}
