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
    case .create where !sender.isThere: mayPut(change, sender) ? change : nil
    case .create: filling(change, sender)
    }
  }

  /// The tag of the first field that keeps the sender from the change; nil if no field does.
  package func refusedField(of change: ObjectChange, by sender: AccessStanding) -> Int? {
    switch change.action {
    case .delete: nil
    case .patch: change.namedTags.first { !sender.holds(holders(ofField: $0)) }
    case .create(_, let patch, _):
      madeContent(by: patch).flatMap { refusedField(of: change, patch, by: sender, sender.making($0, under: self)) }
    }
  }

  /// The same of a create. Its `maker` is the sender who has created what it makes where there is nothing.
  private func refusedField(
    of change: ObjectChange, _ patch: Patch, by sender: AccessStanding, _ maker: AccessStanding
  ) -> Int? {
    if !maker.holds(creators) { return create.first(where: \.isUser)?.tag }
    return sender.isThere
      ? patch.editedTags.first { !sender.holds(holders(ofField: $0)) }
      : change.namedTags.first { tag in fields[tag].map { !maker.holds($0) } ?? false }
  }

  /// Only an owner may delete the root, which ends the queue, whatever the table says, and whether the root is there or
  /// not. A queue with an identity never ends, because its id could not be used again.
  private func mayDelete(_ sender: AccessStanding) -> Bool {
    if sender.isRoot, sender.queue.isDerived || !sender.holds([.owner]) { return false }
    return !sender.isThere || sender.holds(delete)
  }

  private func mayPatch(_ change: ObjectChange, _ sender: AccessStanding) -> Bool {
    if !sender.isThere { return true }
    if change.newestBy != nil && !sender.holds(update) { return false }
    return refusedField(of: change, by: sender) == nil
  }

  /// Whether the sender may create the object, and edit what a create over an object edits. A root that is not there
  /// is made by owners: by whoever gives birth to the queue, or makes it again.
  private func mayPut(_ change: ObjectChange, _ sender: AccessStanding) -> Bool {
    guard case .create(let type, let patch, _) = change.action, let content = madeContent(by: patch) else {
      return false
    }
    if sender.isRoot, !sender.isThere, !sender.holds([.owner]) { return false }
    let maker = sender.making(content, under: self)
    return maker.holds(creators) && refusedField(of: change, patch, by: sender, maker) == nil
      && isProven(change, type, content, to: sender)
  }

  /// The right to create, in which `creator` stands for nobody.
  private var creators: [AccessHolder] { create.filter { $0 != .creator } }

  /// What a create makes where there is nothing, if a right may depend on that; else no bytes. The right to create goes by
  /// it in any case, so that it does not depend on what others have done. Nil if the patch cannot be merged.
  private func madeContent(by patch: Patch) -> [UInt8]? {
    let isAsked = identity?.isEmpty == false || !userHolders.isEmpty
    return isAsked ? try? patch.merged(into: []) : []
  }

  private func filling(_ change: ObjectChange, _ sender: AccessStanding) -> ObjectChange? {
    guard case .create(let type, let patch, let revival) = change.action else { return change }
    guard mayPut(change, sender) else { return nil }
    var change = change
    if !sender.holds(update) { change.newestBy = nil }
    let filling = patch.filling { sender.holds(holders(ofField: $0)) }
    change.action = .create(type: type, filling, revival)
    // The object names no files of a field that the change does not fill.
    change.files.removeAll { !sender.holds(holders(ofField: $0.tag)) }
    return change
  }
}

extension AccessHolder {
  /// The field that names the holder.
  fileprivate var tag: Int? { if case .user(let tag, _, _) = self { tag } else { nil } }
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
