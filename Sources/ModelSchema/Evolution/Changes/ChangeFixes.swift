// The fixes of changes: what was removed is reserved. A rename is written down where the author says that it is one.

struct ChangeFixes {
  private let change: FoundChange
  private let tree: FactNode
  /// `model note`, `field 4`.
  private let things: [FactKey.Thing]

  init(_ change: FoundChange, _ tree: FactNode) {
    self.change = change
    self.tree = tree
    things = FactKey(Substring(change.subject + " name")).things
  }

  func find(_ places: inout ChangePlaces) -> [Fix] {
    guard let old = change.old, let last = things.last else { return [] }
    switch change.rule {
    case .fieldRemoved:
      return reserve(.field(tag: String(last.name), name: old), behind: "fields", &places)
    case .caseRemoved:
      return reserve(.enumCase(number: String(last.name), name: old), behind: "cases", &places)
    case .modelRemoved: return modelRemoved(String(last.name), &places)
    case .fieldReplaced: return renamed(old, key: "type", &places)
    case .caseReplaced: return renamed(old, key: "number", &places)
    default: return []
    }
  }

  private func reserve(_ reserved: ReservedEdit, behind key: String, _ places: inout ChangePlaces) -> [Fix] {
    guard let (file, owner) = places.declaration(of: things.dropLast()) else { return [] }
    return reserved.fix(in: owner, behind: key, YAMLLayout(file)).map { [$0] } ?? []
  }

  /// The same thing under a new name: the author has to say so.
  private func renamed(_ old: String, key: String, _ places: inout ChangePlaces) -> [Fix] {
    guard let names = names, let now = names.last, let (file, owner) = places.declaration(of: things.dropLast()),
      let kind = things.last?.kind, let part = owner.pair(ChangePlaces.part(of: kind)),
      let pair = part.value.pair(now)
    else { return [] }
    let layout = YAMLLayout(file)
    let answer = (names.dropLast() + ["\(old)=\(now)"]).joined(separator: ".")
    switch pair.value.content {
    case .scalar: return [Fix(layout.wrapping(pair.value, as: key, adding: "was: \(old)"), answer: answer)]
    case .mapping(let parts):
      guard let type = parts.first(where: { $0.key.text == key }), !parts.contains(where: { $0.key.text == "was" })
      else { return [] }
      return [Fix([layout.adding("was: \(old)", behind: type, of: pair.value)], answer: answer)]
    default: return []
    }
  }

  /// The names of today: `note`, `dueAt`.
  private var names: [String]? {
    var node = tree
    var names: [String] = []
    for thing in things {
      guard let next = node.children[thing.kind]?[thing.name], let name = next.now("name") else { return nil }
      names.append(name)
      node = next
    }
    return names
  }

  /// With a new model beside it, a model that is gone may have been renamed.
  private func modelRemoved(_ first: String, _ places: inout ChangePlaces) -> [Fix] {
    guard let model = tree.children["model"]?[Substring(first)], !model.isPresent else { return [] }
    let added = tree.children("model").filter { $0.node.isPresent && !$0.node.wasReleased }
    guard !added.isEmpty else {
      guard let file = places.files.first(where: ConfigurationReader.isConfiguration), let root = places.root(of: file)
      else { return [] }
      return ReservedEdit.model(name: first).fix(in: root, behind: nil, YAMLLayout(file)).map { [$0] } ?? []
    }
    return added.compactMap { name, _ in
      guard let (file, root) = places.declaration(of: [FactKey.Thing(kind: "model", name: Substring(name))]),
        let key = root.pair("model"), root.pair("was") == nil
      else { return nil }
      let edit = YAMLLayout(file).adding("was: \(first)", behind: key, of: root)
      return Fix([edit], answer: "\(model.newest("name") ?? first)=\(name)")
    }
  }
}

extension ChangePlaces {
  /// The mapping that declares a model, struct or enum of today, and its file.
  mutating func declaration(of things: ArraySlice<FactKey.Thing>) -> (file: SourceFile, node: YAMLNode)? {
    guard let first = things.first, let file = file(of: first), var value = root(of: file) else { return nil }
    var node = tree
    for thing in things {
      guard let next = node.children[thing.kind]?[thing.name], let name = next.now("name") else { return nil }
      node = next
      // The model is the whole file.
      guard thing.kind != "model" else { continue }
      guard let part = value.pair(Self.part(of: thing.kind)), let pair = part.value.pair(name)
      else { return nil }
      value = pair.value
    }
    return (file, value)
  }
}
