// Reads `access:`, the rights of members and creators.

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
    let create = holders(of: parts["create"], isCreate: true) ?? [.writer]
    return AccessDeclaration(
      create: create, update: holders(of: parts["update"]) ?? [.writer], delete: deleters(parts["delete"]),
      fields: parts["fields"].map { fields($0, create) } ?? [])
  }

  /// The holders of the right to delete. Deleting a root object ends its queue, so only owners may.
  private func deleters(_ pair: YAMLPair?) -> [RightHolder] {
    let holders = holders(of: pair)
    guard model.queue == .own else { return holders ?? [.writer] }
    if let pair, let holders, !holders.isEmpty, holders != [.owner] {
      findings.report(
        .accessRoot, "Deleting a `\(model.name.text)` ends its queue, which is for owners only.",
        at: pair.value.shownRange, replacement: "owner", isCertain: false)
    }
    return [.owner]
  }

  /// `create` are those who may create objects.
  private func fields(_ pair: YAMLPair, _ create: [RightHolder]) -> [FieldRight] {
    return kinds.entries(of: pair.value, "`fields:`").compactMap { entry in
      let holders = holders(of: entry)
      guard let field = paths.field(entry.key, in: model), let holders else { return nil }
      guard !model.isFixed(entry.key.text) else {
        findings.report(
          .fixedField, "`\(entry.key.text)` decides the queue or the id of the object, so it never changes.",
          at: entry.key.range)
        return nil
      }
      if field.isNeeded, let unable = create.first(where: { !$0.isCovered(by: holders) }) {
        findings.report(
          .accessField,
          "A \(unable.rawValue) may create an object, but not set its `\(entry.key.text)`, which is required: "
            + "give it a default, make it optional, or add `creator` here.", at: entry.value.shownRange)
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
        findings.report(.unknownRole, "`\(word.text)` is repeated here.", at: word.range)
      } else if isCreate, holder == .creator {
        findings.report(
          .accessCreator, "The user who creates an object is its creator, so `creator` has no meaning in `create:`.",
          at: word.range)
      } else {
        holders.append(holder)
      }
    }
    return holders
  }
}

extension RightHolder {
  /// Whether everybody of this role who creates an object has a right of these holders. A creator always is one of
  /// them.
  fileprivate func isCovered(by holders: [RightHolder]) -> Bool {
    let roles: [RightHolder] = [.reader, .writer, .owner]
    let own = roles.firstIndex(of: self) ?? 0
    return holders.contains { $0 == .creator || roles.firstIndex(of: $0).map { $0 <= own } ?? false }
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
