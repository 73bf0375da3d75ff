// Reads `access:`, the rights to objects and members.

struct AccessReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  /// Reports `access:` of objects that stay on the device, which no server judges, and returns nil.
  func read(_ pair: YAMLPair) -> AccessDeclaration? {
    if model.queue == .device {
      findings.report(
        .accessDevice, "A `\(model.name.text)` never leaves the device, so no server checks `access:`.",
        at: pair.key.range)
      return nil
    }
    let parts = kinds.pairs(of: pair.value, known: .access, in: "`access:`")
    if pair.value.pairs?.isEmpty == true {
      _ = kinds.entries(of: pair.value, "`access:`")
    }
    let create = creators(parts["create"])
    return AccessDeclaration(
      create: create, update: holders(of: parts["update"]) ?? [.writer], delete: deleters(parts["delete"]),
      fields: parts["fields"].map { fields($0, create) } ?? [], members: parts["members"].flatMap(members))
  }

  private func creators(_ pair: YAMLPair?) -> [RightHolder] {
    guard let pair, let holders = holders(of: pair) else { return [.writer] }
    if let index = holders.firstIndex(of: .creator) {
      let node = pair.value.elements?[index] ?? pair.value
      findings.report(
        .accessCreator, "The user who creates an object is its creator, so `creator` has no meaning in `create:`.",
        at: node.shownRange)
    }
    return holders.filter { $0 != .creator }
  }

  /// Reads the right to delete. Deleting a root object ends its queue, so only owners may; a queue with an identity never
  /// ends.
  private func deleters(_ pair: YAMLPair?) -> [RightHolder] {
    let holders = holders(of: pair)
    guard model.queue == .own else { return holders ?? [.writer] }
    if model.isQueueWithIdentity {
      if let pair, holders != [] {
        findings.report(
          .accessRoot,
          "A `\(model.name.text)` is a queue with an identity, which never ends, so nobody deletes it: leave `delete:` out. "
            + "People leave it (`unfollow: $me`) and may come again.", at: pair.key.range)
      }
      return []
    }
    if let pair, let holders, !holders.isEmpty, holders != [.owner], holders != [.creator] {
      findings.report(
        .accessRoot,
        "Deleting a `\(model.name.text)` ends its queue, which is for owners, or for the `creator` while an owner.",
        at: pair.value.shownRange, replacement: "owner", isCertain: false)
    }
    // `nobody`: this queue never ends either.
    if holders == [] { return [] }
    return holders == [.creator] ? [.creator] : [.owner]
  }

  /// `create` are those who may create objects.
  private func fields(_ pair: YAMLPair, _ create: [RightHolder]) -> [FieldRight] {
    return kinds.entries(of: pair.value, "`fields:`").compactMap { entry in
      let holders = holders(of: entry)
      guard let field = paths.field(entry.key, in: model), let holders else { return nil }
      if let reason = model.reasonFixed(entry.key.text) {
        findings.report(.fixedField, "`\(entry.key.text)` \(reason), so it never changes.", at: entry.key.range)
        return nil
      }
      if field.isNeeded, let unable = create.first(where: { !$0.isCovered(by: holders) }) {
        findings.report(
          .accessField,
          "A \(unable.shown) may create an object, but not set its `\(entry.key.text)`, which is required: "
            + "give it a default, make it optional, or add `creator` here.", at: entry.value.shownRange)
      }
      return FieldRight(field: entry.key.text, holders: holders)
    }
  }

  /// Reads the rights to change the members of the queue.
  private func members(_ pair: YAMLPair) -> MemberRights? {
    guard model.queue == .own else {
      findings.report(
        .accessMembers, "Members follow queues, and a `\(model.name.text)` is none: `members:` is for `queue: self`.",
        at: pair.key.range)
      return nil
    }
    let parts = kinds.pairs(of: pair.value, known: .members, in: "`members:`")
    if pair.value.pairs?.isEmpty == true { _ = kinds.entries(of: pair.value, "`members:`") }
    var rights = MemberRights()
    let keys: [(String, WritableKeyPath<MemberRights, [RightHolder]>)] = [
      ("invite", \.invite), ("role", \.role), ("remove", \.remove), ("creator", \.creator),
    ]
    for (key, path) in keys {
      guard let part = parts[key], let holders = holders(of: part) else { continue }
      if holders.contains(where: { if case .user = $0 { true } else { false } }) {
        findings.report(
          .accessHolder, "Who may change members is a question of roles, and no field of an object tells it.",
          at: part.value.shownRange)
      }
      rights[keyPath: path] = holders
    }
    return rights
  }

  /// Reads one holder or a list of them; nil where the key is absent.
  private func holders(of pair: YAMLPair?) -> [RightHolder]? {
    guard let pair else { return nil }
    if pair.value.text == "nobody" { return [] }
    var holders: [RightHolder] = []
    for node in kinds.oneOrMore(of: pair.value, "`\(pair.key.text):`") {
      guard let holder = HolderReader(model: model, catalog: catalog).read(node) else { continue }
      if holders.contains(holder) {
        findings.report(.unknownRole, "`\(holder.shown)` is repeated here.", at: node.shownRange)
      } else {
        holders.append(holder)
      }
    }
    return holders
  }
}

extension RightHolder {
  /// Whether everybody who creates an object as this holder has a right of these holders. A creator always is one of
  /// them.
  func isCovered(by holders: [RightHolder]) -> Bool {
    holders.contains { $0 == .creator || $0.covers(self) }
  }

  /// Whether everybody who is the other holder is this one too.
  func covers(_ other: RightHolder) -> Bool {
    switch (self, other) {
    case (.reader, _): true
    case (.writer, .writer), (.writer, .owner), (.owner, .owner), (.creator, .creator): true
    case (.writer, .user(let user)): user.role == .writer
    case (.user(let one), .user(let other)):
      one.field == other.field && one.part == other.part && (one.role == .reader || other.role == .writer)
    default: false
    }
  }
}

/// Reads the words for roles.
struct RoleWord {
  let findings: Findings

  /// Reports any other word and returns nil. `what` begins the message.
  func read(_ word: Spelled, _ what: String) -> MemberRole? {
    if let known = MemberRole(rawValue: word.text) { return known }
    let words = MemberRole.allCases.map(\.rawValue)
    findings.report(
      .unknownRole, "\(what) \(KindReader.listing(words)), not `\(word.text)`.", at: word.range,
      replacement: Suggestion.nearest(to: word.text, among: words))
    return nil
  }
}

extension DeclaredField {
  /// Whether whoever creates an object has to choose a value: it is required, has no default, and zero means nothing.
  var isNeeded: Bool {
    guard let type, type.position == .single, defaultValue == nil else { return false }
    return switch type.base {
    case .file, .uuid, .userReference, .reference, .enumeration, .structure: true
    default: false
    }
  }
}
