// Judges which part of a change its sender may make. Server and device use the same code.

import WireFormat

extension ObjectAccess {
  /// The part of a change that its sender may make; nil if the sender may not make it at all.
  ///
  /// A create over an object that is there fills only the fields that its sender may change. Every other change is
  /// allowed as a whole, or not at all. Does not check the change's condition.
  package func admitted(_ change: ObjectChange, of sender: AccessStanding) -> ObjectChange? {
    switch change.action {
    case .delete: mayDelete(sender) ? change : nil
    case .patch: mayPatch(change, sender) ? change : nil
    case .create where sender.isCreator == nil: mayPut(change, sender) ? change : nil
    case .create: filling(change, sender)
    }
  }

  /// The tag of the first field that keeps the sender from the change; nil if no field does.
  package func refusedField(of change: ObjectChange, by sender: AccessStanding) -> Int? {
    switch change.action {
    case .delete: return nil
    case .patch: return change.namedTags.first { !sender.holds(holders(ofField: $0)) }
    case .create where sender.isCreator == nil:
      // The sender becomes the creator of the object.
      var creator = sender
      creator.isCreator = true
      return change.namedTags.first { tag in fields[tag].map { !creator.holds($0) } ?? false }
    case .create(_, let patch, _): return patch.editedTags.first { !sender.holds(holders(ofField: $0)) }
    }
  }

  /// Only owners may delete the root, which ends the queue, whatever the table says, and whether the root is there or
  /// not.
  private func mayDelete(_ sender: AccessStanding) -> Bool {
    if sender.isRoot { return sender.holds([.owner]) }
    return sender.isCreator == nil || sender.holds(delete)
  }

  private func mayPatch(_ change: ObjectChange, _ sender: AccessStanding) -> Bool {
    if sender.isCreator == nil { return true }
    if change.newestBy != nil && !sender.holds(update) { return false }
    return refusedField(of: change, by: sender) == nil
  }

  private func mayPut(_ change: ObjectChange, _ sender: AccessStanding) -> Bool {
    sender.holds(create) && refusedField(of: change, by: sender) == nil
  }

  private func filling(_ change: ObjectChange, _ sender: AccessStanding) -> ObjectChange? {
    guard case .create(let type, let patch, let revival) = change.action else { return change }
    // The right to create does not depend on who created the object that is there.
    guard AccessStanding(role: sender.role).holds(create),
      refusedField(of: change, by: sender) == nil
    else { return nil }
    var change = change
    if !sender.holds(update) { change.newestBy = nil }
    let filling = patch.filling { sender.holds(holders(ofField: $0)) }
    change.action = .create(type: type, filling, revival)
    // The object names no files of a field that the change does not fill.
    change.files.removeAll { !sender.holds(holders(ofField: $0.tag)) }
    return change
  }
}

extension ObjectChange {
  /// The tags of the fields that the change writes, or whose files it names. The right to a field covers both.
  fileprivate var namedTags: [Int] {
    let tags = files.map(\.tag)
    return switch action {
    case .create(_, let patch, _), .patch(let patch): patch.tags + tags
    case .delete: tags
    }
  }
}
