// Judges which part of a change its sender may make: the same code on server and device.

extension ObjectAccess {
  /// The change with what its sender may do of it; nil where the sender may not do it at all.
  ///
  /// A create over an object that is there fills only what its sender may change. Everything else happens as it was sent,
  /// or not. Whether the change still finds what it needs is not looked at.
  public func admitted(_ change: ObjectChange, of sender: AccessStanding) -> ObjectChange? {
    switch change.action {
    case .delete: mayDelete(sender) ? change : nil
    case .patch: mayPatch(change, sender) ? change : nil
    case .create where sender.isCreator == nil: mayPut(change, sender) ? change : nil
    case .create: filling(change, sender)
    }
  }

  /// The end of a queue is for its owners, whatever the table says, and whether its root is there or not.
  private func mayDelete(_ sender: AccessStanding) -> Bool {
    if sender.isRoot { return sender.holds([.owner]) }
    return sender.isCreator == nil || sender.holds(delete)
  }

  private func mayPatch(_ change: ObjectChange, _ sender: AccessStanding) -> Bool {
    if sender.isCreator == nil { return true }
    if change.newestBy != nil && !sender.holds(update) { return false }
    return change.namedTags.allSatisfy { sender.holds(holders(ofField: $0)) }
  }

  /// The sender is the creator of what is put there.
  private func mayPut(_ change: ObjectChange, _ sender: AccessStanding) -> Bool {
    guard sender.holds(create) else { return false }
    var creator = sender
    creator.isCreator = true
    return change.namedTags.allSatisfy { tag in fields[tag].map(creator.holds) ?? true }
  }

  private func filling(_ change: ObjectChange, _ sender: AccessStanding) -> ObjectChange? {
    guard case .create(let type, let patch, let revival) = change.action else { return change }
    // In `create`, being the creator says nothing.
    guard AccessStanding(role: sender.role).holds(create),
      patch.editedTags.allSatisfy({ sender.holds(holders(ofField: $0)) })
    else { return nil }
    var change = change
    if !sender.holds(update) { change.newestBy = nil }
    let filling = patch.filling { sender.holds(holders(ofField: $0)) }
    change.action = .create(type: type, filling, revival)
    // The object does not name the files of a field that it does not fill.
    change.files.removeAll { !sender.holds(holders(ofField: $0.tag)) }
    return change
  }
}

extension ObjectChange {
  /// The tags of fields that it writes or names files of: the right to a field covers both.
  fileprivate var namedTags: [Int] {
    let tags = files.map(\.tag)
    return switch action {
    case .create(_, let patch, _), .patch(let patch): patch.tags + tags
    case .delete: tags
    }
  }
}
