// Reads `access:`, the rights of members and creators.

struct AccessReader {
  let model: CatalogModel
  let catalog: Catalog
  let findings: Findings
  private var kinds: KindReader { KindReader(findings: findings) }

  static let keys = ["create", "update", "delete", "fields"]

  /// Reports `access:` of objects that stay on the device, which no server judges, and returns nil.
  func read(_ pair: YAMLPair) -> AccessDeclaration? {
    if model.queue == .device {
      findings.report(
        .accessDevice, "A `\(model.name.text)` never leaves the device, so no server asks who may change it.",
        at: pair.key.range)
      return nil
    }
    let parts = kinds.pairs(of: pair.value, known: Self.keys, in: "`access:`")
    if parts.isEmpty, case .mapping(let pairs) = pair.value.content, pairs.isEmpty {
      _ = kinds.entries(of: pair.value, "`access:`")
    }
    return AccessDeclaration(
      create: holders(of: parts["create"], isCreate: true) ?? [.writer],
      update: holders(of: parts["update"]) ?? [.writer], delete: deleters(parts["delete"]),
      fields: parts["fields"].map(fields) ?? [])
  }

  /// The holders of the right to delete. Deleting a root object ends its queue, so only owners may.
  private func deleters(_ pair: YAMLPair?) -> [RightHolder] {
    let holders = holders(of: pair)
    guard model.queue == .own else { return holders ?? [.writer] }
    if let pair, let holders, !holders.isEmpty, holders != [.owner] {
      findings.report(
        .accessRoot, "Deleting a `\(model.name.text)` ends its queue, which is for owners only.",
        at: pair.value.shownRange, replacement: "owner")
    }
    return [.owner]
  }

  private func fields(_ pair: YAMLPair) -> [FieldRight] {
    let resolver = PathResolver(catalog: catalog, findings: findings)
    return kinds.entries(of: pair.value, "`fields:`").compactMap { entry in
      let holders = holders(of: entry)
      guard resolver.field(entry.key, in: model) != nil, let holders else { return nil }
      guard !model.isFixed(entry.key.text) else {
        findings.report(
          .fixedField, "`\(entry.key.text)` decides the queue or the id of the object, so nobody ever changes it.",
          at: entry.key.range)
        return nil
      }
      return FieldRight(field: entry.key.text, holders: holders)
    }
  }

  /// Reads one holder or a list of them; nil where the key is absent.
  private func holders(of pair: YAMLPair?, isCreate: Bool = false) -> [RightHolder]? {
    guard let pair else { return nil }
    var holders: [RightHolder] = []
    for node in kinds.oneOrMore(of: pair.value, "`\(pair.key.text):`") {
      guard let word = kinds.plain(node, "A right"),
        let holder = RoleWord(findings: findings).read(word, "A right is of") as RightHolder?
      else { continue }
      if holders.contains(holder) {
        findings.report(.unknownRole, "`\(word.text)` stands here a second time.", at: word.range)
      } else if isCreate, holder == .creator {
        findings.report(
          .accessCreator, "Whoever creates an object is its creator, so `creator` says nothing in `create:`.",
          at: word.range)
      } else {
        holders.append(holder)
      }
    }
    return holders
  }
}

/// Reads the words for roles and for holders of rights.
struct RoleWord {
  let findings: Findings

  /// Reports any other word and returns nil. `what` begins the message.
  func read<Word: RawRepresentable<String> & CaseIterable>(_ word: Spelled, _ what: String) -> Word? {
    if let known = Word(rawValue: word.text) { return known }
    let words = Word.allCases.map(\.rawValue)
    findings.report(
      .unknownRole, "\(what) \(KindReader.listing(words)), not `\(word.text)`.", at: word.range,
      replacement: Suggestion.nearest(to: word.text, among: words))
    return nil
  }
}
