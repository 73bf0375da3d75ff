// The rights to change objects. Section "Access" of sync-server.md.

/// The operator's table of access for one schema.
struct PlainAccess {
  var types: [String: PlainRights] = [:]

  /// Whether a member with this role may bring files.
  func letsBringFiles(_ role: PlainRole) -> Bool {
    let all = types.values.flatMap { [$0.create.subtracting([.creator]), $0.update] + $0.fields.values }
    return role != .reader || all.contains { $0.contains(.reader) || $0.contains(.creator) }
  }
}

struct PlainRights {
  var create: Set<Holder> = [.writer]
  var update: Set<Holder> = [.writer]
  var delete: Set<Holder> = [.writer]
  var fields: [UInt64: Set<Holder>] = [:]

  enum Holder { case owner, writer, reader, creator }

  func field(_ tag: UInt64) -> Set<Holder> { fields[tag] ?? update }
}

/// The sender of a change of an object.
struct PlainSender {
  var role: PlainRole
  var isCreator: Bool

  func has(_ right: Set<PlainRights.Holder>) -> Bool {
    var mine: Set<PlainRights.Holder> = isCreator ? [.creator, .reader] : [.reader]
    if role != .reader { mine.insert(.writer) }
    if role == .owner { mine.insert(.owner) }
    return !mine.isDisjoint(with: right)
  }
}

extension PlainAccess {
  /// The part of a change that is done; nil if the change is forbidden.
  func allowed(
    _ change: PlainChange, on live: PlainLive?, by user: PlainID, as role: PlainRole, isRoot: Bool
  ) -> PlainChange? {
    switch (change.action, live) {
    case (.delete, _) where isRoot: return role == .owner ? change : nil
    case (.delete, nil), (.patch, nil): return change
    case (.delete, let live?):
      return sender(live, user, role).has(rights(live.type).delete) ? change : nil
    case (.patch(let patch), let live?):
      let (sender, rights) = (sender(live, user, role), rights(live.type))
      if change.newestBy != nil, !sender.has(rights.update) { return nil }
      let tags = patch.edited.union(change.files.map(\.tag))
      return tags.allSatisfy { sender.has(rights.field($0)) } ? change : nil
    case (.create(let type, let patch, _), nil):
      let rights = rights(type)
      guard PlainSender(role: role, isCreator: false).has(rights.create) else { return nil }
      let creator = PlainSender(role: role, isCreator: true)
      let tags = patch.edited.union(patch.fill.map(\.tag)).union(change.files.map(\.tag))
      return tags.compactMap { rights.fields[$0] }.allSatisfy(creator.has) ? change : nil
    case (.create(let type, var patch, let revival), let live?):
      let (sender, rights) = (sender(live, user, role), rights(type))
      guard PlainSender(role: role, isCreator: false).has(rights.create),
        patch.edited.allSatisfy({ sender.has(rights.field($0)) })
      else { return nil }
      var change = change
      patch.fill.removeAll { !sender.has(rights.field($0.tag)) }
      change.files.removeAll { !sender.has(rights.field($0.tag)) }
      if !sender.has(rights.update) { change.newestBy = nil }
      change.action = .create(type: type, patch, revival)
      return change
    }
  }

  private func rights(_ type: String) -> PlainRights { types[type] ?? PlainRights() }

  private func sender(_ live: PlainLive, _ user: PlainID, _ role: PlainRole) -> PlainSender {
    PlainSender(role: role, isCreator: live.createdBy == user)
  }
}

extension PlainPatch {
  /// The tags that it changes, without those that it only fills.
  fileprivate var edited: Set<UInt64> { clear.union((set + insert + remove + increment).map(\.tag)) }
}
