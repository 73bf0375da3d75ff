// The rights to change objects and members. Sections "Who may do what" and "Access" of sync-server.md.

import Crypto

/// The operator's table of access for one schema.
struct PlainAccess {
  var types: [String: PlainRights] = [:]

  /// Whether a member with this role may bring files.
  func letsBringFiles(_ role: PlainRole) -> Bool {
    func mayHold(_ holder: PlainRights.Holder) -> Bool {
      switch holder {
      case .owner: role == .owner
      case .writer, .named(_, forReaders: false, _): role != .reader
      case .reader, .creator, .named(_, forReaders: true, _): true
      }
    }
    let all = types.values.flatMap { [$0.create.subtracting([.creator]), $0.update] + $0.fields.values }
    return role != .reader || all.contains { $0.contains(where: mayHold) }
  }
}

struct PlainRights {
  var create: Set<Holder> = [.writer]
  var update: Set<Holder> = [.writer]
  var delete: Set<Holder> = [.writer]
  var fields: [UInt64: Set<Holder>] = [:]
  var fixed: Set<UInt64> = []
  /// Paths to the values that the id is made of; empty if it is random. Without a table nobody knows.
  var identity: [[UInt64]]?
  /// Fields of the identity that name users.
  var users: Set<UInt64> = []
  var members = PlainMemberRights()

  enum Holder: Hashable {
    case owner, writer, reader, creator
    /// The user in a field, or whose object of a type is named there, by the tag of that object's only identity field.
    case named(UInt64, forReaders: Bool, Kin? = nil)
  }

  struct Kin: Hashable {
    var type: String
    var tag: UInt64
  }

  /// The holders of the right to change a field of an existing object.
  func field(_ tag: UInt64) -> Set<Holder> { fixed.contains(tag) ? [] : fields[tag] ?? update }
}

struct PlainMemberRights {
  var invite: Set<PlainRights.Holder> = [.writer]
  var role: Set<PlainRights.Holder> = [.owner]
  var remove: Set<PlainRights.Holder> = [.owner]
  var creator: Set<PlainRights.Holder> = []
}

/// The sender of a change of an object with some content.
struct PlainSender {
  var user: PlainID
  var role: PlainRole
  var queue = PlainID.zero
  var isCreator = false
  var content: [UInt8] = []

  func has(_ right: Set<PlainRights.Holder>) -> Bool {
    right.contains { holder in
      switch holder {
      case .owner: role == .owner
      case .writer: role != .reader
      case .reader: true
      case .creator: isCreator
      case .named(let tag, let forReaders, let kin):
        (forReaders || role != .reader)
          && ((try? content.records()) ?? []).filter { $0.tag == tag } == [
            PlainRecord(tag: tag, wireType: 2, value: name(kin).bytes)
          ]
      }
    }
  }

  /// What a field holds that names the sender.
  private func name(_ kin: PlainRights.Kin?) -> PlainID {
    guard let kin else { return user }
    return .derived(in: queue, type: kin.type, [PlainRecord(tag: kin.tag, wireType: 2, value: user.bytes)])
  }
}

extension PlainAccess {
  /// The part of a change that is done; nil if the change is forbidden.
  func allowed(
    _ change: PlainChange, on live: PlainLive?, by user: PlainID, as role: PlainRole, in queue: PlainID,
    of schema: String
  ) -> PlainChange? {
    let isRoot = change.object == queue
    var sender = PlainSender(user: user, role: role, queue: queue)
    sender.isCreator = live?.createdBy == user
    sender.content = live?.content ?? []
    switch (change.action, live) {
    case (.delete, _) where isRoot && queue.isOfIdentity: return nil
    case (.delete, let live) where isRoot:
      return role == .owner && (live.map { sender.has(rights($0.type).delete) } ?? true) ? change : nil
    case (.delete, nil), (.patch, nil): return change
    case (.delete, let live?): return sender.has(rights(live.type).delete) ? change : nil
    case (.patch(let patch), let live?):
      let rights = rights(live.type)
      if change.newestBy != nil, !sender.has(rights.update) { return nil }
      let tags = patch.edited.union(change.files.map(\.tag))
      return tags.allSatisfy { sender.has(rights.field($0)) } ? change : nil
    case (.create(let type, var patch, let revival), let live):
      let rights = rights(type)
      guard let content = try? patch.merged(into: []) else { return nil }
      // Only owners make a root that is not there.
      if isRoot, live == nil, role != .owner { return nil }
      // Whether an object is there or not, the right to create is that to the object that the create would make.
      var maker = PlainSender(user: user, role: role, queue: queue)
      maker.content = content
      guard maker.has(rights.create), rights.prove(change.object, type, content, in: queue, of: schema)
      else { return nil }
      if live == nil {
        maker.isCreator = true
        let tags = patch.edited.union(patch.fill.map(\.tag)).union(change.files.map(\.tag))
        return tags.compactMap { rights.fields[$0] }.allSatisfy(maker.has) ? change : nil
      }
      guard patch.edited.allSatisfy({ sender.has(rights.field($0)) }) else { return nil }
      var change = change
      patch.fill.removeAll { !sender.has(rights.field($0.tag)) }
      change.files.removeAll { !sender.has(rights.field($0.tag)) }
      if !sender.has(rights.update) { change.newestBy = nil }
      change.action = .create(type: type, patch, revival)
      return change
    }
  }

  /// Whether a member may make a change of members. Founders are those whom nobody else has taken in; the root is
  /// that of the queue, if it is there.
  func allows(
    _ change: PlainMemberChange, by user: PlainID, _ members: [PlainID: PlainMember], _ founders: Set<PlainID>,
    _ root: PlainLive?
  ) -> Bool {
    guard let role = members[user]?.role else { return false }
    let rights = root.map { self.rights($0.type) }?.members ?? PlainMemberRights()
    let sender = PlainSender(user: user, role: role, isCreator: founders.contains(user))
    let before = members[change.user]?.role.rank ?? 0
    let mayLower = !founders.contains(change.user) || change.user == user || sender.has(rights.creator)
    switch change.action {
    case .unfollow where change.user == user: return true
    case .follow(let given): return sender.has(rights.invite) && given.rank <= role.rank
    case .role(let given):
      return sender.has(rights.role) && given.rank <= role.rank && before <= role.rank
        && (given.rank >= before || mayLower)
    case .unfollow: return sender.has(rights.remove) && before <= role.rank && mayLower
    }
  }

  /// Whether a member may open a link that gives a role, or close one, for nil. `root` is that of the queue, if it is
  /// there.
  func allowsLink(to given: PlainRole?, by sender: PlainSender, _ root: PlainLive?) -> Bool {
    let rights = root.map { self.rights($0.type) }?.members ?? PlainMemberRights()
    return sender.has(rights.invite) && given?.rank ?? 0 <= sender.role.rank
  }

  private func rights(_ type: String) -> PlainRights {
    types[type] ?? PlainRights(identity: types.isEmpty ? nil : [])
  }
}

extension PlainRights {
  /// Whether the id of a new object is the one that its content gives. That of a random queue says nothing.
  fileprivate func prove(
    _ id: PlainID, _ type: String, _ content: [UInt8], in queue: PlainID, of schema: String
  ) -> Bool {
    let isRoot = id == queue
    if isRoot && !queue.isOfIdentity { return true }
    guard let identity else { return !isRoot }
    if identity.isEmpty { return !id.isDerived }
    guard let values = identityValues(in: content, isRoot: isRoot) else { return false }
    return id == (isRoot ? .queue(schema: schema, type: type, values) : .derived(in: queue, type: type, values))
  }

  /// The values of which an id is made, under the first tags of their paths; nil if one is missing or there twice. In a
  /// root, a field may be a set: several values, each larger than the one before.
  func identityValues(in content: [UInt8], isRoot: Bool) -> [PlainRecord]? {
    guard let identity, !identity.isEmpty else { return nil }
    var values: [PlainRecord] = []
    for path in identity {
      if isRoot, path.count == 1 {
        guard let found = try? content.records().filter({ $0.tag == path[0] }), !found.isEmpty,
          zip(found, found.dropFirst()).allSatisfy({ $0.value.lexicographicallyPrecedes($1.value) })
        else { return nil }
        values += found
        continue
      }
      var bytes = content
      for (depth, tag) in path.enumerated() {
        guard let found = try? bytes.records().filter({ $0.tag == tag }), found.count == 1, let record = found.first,
          depth + 1 == path.count || record.wireType == 2
        else { return nil }
        bytes = record.value
        if depth + 1 == path.count {
          values.append(PlainRecord(tag: path[0], wireType: record.wireType, value: record.value))
        }
      }
    }
    return values
  }
}

extension PlainRole {
  fileprivate var rank: Int {
    switch self {
    case .reader: 1
    case .writer: 2
    case .owner: 3
    }
  }
}

extension PlainPatch {
  /// The tags that it changes, without those that it only fills.
  fileprivate var edited: Set<UInt64> { clear.union((set + insert + remove + increment + raise + lower).map(\.tag)) }
}
