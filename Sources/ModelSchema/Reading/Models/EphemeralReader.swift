// Reads `ephemeral:`, and refuses what a model cannot have of which nothing is stored.

struct EphemeralReader: CatalogReader {
  /// In seconds.
  static let bounds = 1...60
  /// The durations within these bounds.
  static let pattern = "^(([1-9]|[1-5][0-9]|60)s|1m)$"

  let file: DeclaredFile
  let model: CatalogModel
  let catalog: Catalog

  /// Reads for how many seconds others see a value, and checks the rest of the file. Reports a mistake and returns nil.
  func read(_ pair: YAMLPair) -> Int? {
    checkQueue()
    checkKeys()
    checkFields()
    return seconds(pair.value)
  }

  private func seconds(_ node: YAMLNode) -> Int? {
    guard let text = kinds.plain(node, "`ephemeral:`") else { return nil }
    if text.text == "false" {
      return report("A model without `ephemeral:` is stored: leave the key out.", at: text.range)
    }
    guard let milliseconds = SectionReader.milliseconds(text.text) else {
      return report(
        "`ephemeral:` says how long others see a value after it was shown last, from 1 s to 60 s: write "
          + "`ephemeral: 10s`.", at: text.range)
    }
    let seconds = Int(milliseconds / 1000)
    guard Self.bounds.contains(seconds) else {
      return report(
        "Others see a value for 1 s to 60 s after it was shown last, not for `\(text.text)`.", at: text.range)
    }
    return seconds
  }

  private func checkQueue() {
    let reason: String
    switch model.queue {
    case .own: reason = "It is no queue itself"
    case .device: reason = "With `device` nobody else would see it"
    case .home: reason = "Nobody else sees the home queue of a user"
    case .field, nil: return
    }
    report(
      "A `\(model.name.text)` is ephemeral and shown to the members of a queue: `queue:` is a field that is a required "
        + "`ref(M)`, where M says `queue: self`. \(reason).",
      at: file.outline.parts["queue"]?.value.range ?? model.name.range)
  }

  /// What only stored models have, and why.
  private static let refused = [
    ("identity", "a member shows one value in a queue, and a newer one takes its place"),
    ("newestBy", "a new device has nothing to load"),
    ("access", "every member of the queue may show one"),
    ("operations", "there is no object to change, and an app shows the value itself"),
    ("lists", "there are no objects to list"),
    ("views", "there are no objects to show in rows"),
  ]

  private func checkKeys() {
    for (key, reason) in Self.refused {
      guard let pair = file.outline.parts[key] else { continue }
      report("`\(model.name.text)` is ephemeral, so it has no `\(key):`: \(reason).", at: pair.key.range)
    }
  }

  private func checkFields() {
    for field in file.fields {
      if field.type?.base == .counter {
        report("A counter adds up changes of an object, and nothing is stored here: use `int64`.", at: field.typeRange)
      }
    }
    for field in file.fields + file.structs.flatMap(\.fields) {
      if let base = field.type?.base, holdsFiles(base) {
        report(
          "A file is stored with an object, and nothing is stored here: name an object that has the file, by a `ref`.",
          at: field.typeRange)
      }
      if let older = field.from.first {
        report("Nothing older is stored that could be converted: leave `from:` out.", at: older.range)
      }
    }
  }

  /// Whether it is a file, or a shared struct that contains one. The structs of the model are looked at themselves.
  private func holdsFiles(_ base: BaseType) -> Bool {
    var seen: Set<TypeName> = []
    return holdsFiles(base, &seen)
  }

  private func holdsFiles(_ base: BaseType, _ seen: inout Set<TypeName>) -> Bool {
    if base == .file { return true }
    guard case .structure(let name) = base, name.model == nil, seen.insert(name).inserted else { return false }
    let types = catalog.structs[name]?.types.values.compactMap(\.self) ?? []
    for type in types where holdsFiles(type.base, &seen) { return true }
    return false
  }

  @discardableResult
  private func report(_ message: String, at range: SourceRange) -> Int? {
    findings.report(.ephemeralModel, message, at: range)
    return nil
  }
}

extension Findings {
  /// Reports a place that names an ephemeral model and needs a stored one.
  func reportEphemeral(_ model: Spelled, _ consequence: String) {
    report(.ephemeralModel, "`\(model.text)` is ephemeral: nothing is stored of it, \(consequence).", at: model.range)
  }
}
