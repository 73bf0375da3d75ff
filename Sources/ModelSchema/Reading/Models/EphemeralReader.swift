// Reads `ephemeral:`, and refuses what a model cannot have of which nothing is stored.

struct EphemeralReader: CatalogReader {
  /// In seconds.
  static let bounds = 1...60
  /// The durations within these bounds.
  static let pattern = "^(([1-9]|[1-5][0-9]|60)s|1m)$"

  let file: DeclaredFile
  let model: CatalogModel
  let catalog: Catalog

  /// Whether it is ephemeral for other models: where its own queue is wrong, only that is reported.
  static func isEphemeral(_ file: FileOutline) -> Bool {
    guard let duration = file.parts["ephemeral"]?.value.text, duration != "false",
      let queue = file.parts["queue"]?.value.text, !["self", "device"].contains(queue)
    else { return false }
    return file.parts["fields"]?.value.pair(queue) != nil
  }

  /// Reads for how many seconds others see a value, and checks the rest of the file. Reports a mistake and returns nil.
  func read(_ pair: YAMLPair) -> Int? {
    if pair.value.text == "false" {
      return report("A model without `ephemeral:` is stored: leave the key out.", at: pair.value.shownRange)
    }
    guard checkQueue() else { return nil }
    checkKeys()
    checkFiles()
    ConversionReader(names: catalog.names, findings: findings).check(model, nil)
    return seconds(pair.value)
  }

  private func seconds(_ node: YAMLNode) -> Int? {
    guard let text = kinds.plain(node, "`ephemeral:`") else { return nil }
    let meant = Self.seconds(text.text)
    if let meant, !Self.bounds.contains(meant) {
      return report(
        "Others see a value for 1 s to 60 s after it was shown last, not for `\(text.text)`.", at: text.range)
    }
    if let meant, SectionReader.milliseconds(text.text) != nil { return meant }
    return report(
      "`ephemeral:` says how long others see a value after it was shown last, from 1 s to 60 s: write "
        + "`ephemeral: \(meant ?? 10)s`.", at: text.range, replacement: meant.map { "\($0)s" })
  }

  /// The seconds that a duration means, also one in other words: `5`, `5 sec`, `05s`, `5000ms`. Nil if that is not clear.
  private static func seconds(_ text: String) -> Int? {
    let digits = text.prefix { "-0123456789".contains($0) }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard let number = Int32(digits), let milliseconds = units.first(where: { $0.words.contains(unit) })?.milliseconds
    else { return nil }
    let (seconds, rest) = (Int64(number) * milliseconds).quotientAndRemainder(dividingBy: 1000)
    return rest == 0 ? Int(seconds) : nil
  }

  private static let units: [(words: Set<String>, milliseconds: Int64)] = [
    (["", "s", "sec", "secs", "second", "seconds"], 1000), (["ms"], 1), (["m", "min"], 60_000), (["h"], 3_600_000),
    (["d"], 86_400_000),
  ]

  /// Whether the queue is right, or unknown because of a mistake that is reported elsewhere.
  private func checkQueue() -> Bool {
    let reason: String
    switch model.queue {
    case .own: reason = "It is no queue itself"
    case .device: reason = "With `device` nobody else would see it"
    case .home: reason = "Nobody else sees the home queue of a user"
    case .field: return true
    case nil: return false
    }
    report(
      "A `\(model.name.text)` is ephemeral and shown to the members of a queue: `queue:` is a field that is a required "
        + "`ref(M)`, where M says `queue: self`. \(reason).",
      at: file.outline.parts["queue"]?.value.range ?? model.name.range)
    return false
  }

  /// What only stored models have, and why.
  private static let refused = [
    ("identity", "a member shows one value in a queue, and a newer one takes its place. \(author)"),
    ("newestBy", "a new device has nothing to load"),
    ("access", "every member of the queue may show one. \(author)"),
    ("operations", "there is no object to change, and an app shows the value itself"),
    ("lists", "there are no objects to list"),
    ("views", "there are no objects to show in rows"),
  ]

  private static let author = "Who shows it is known beside the value (`Signal.user`)"

  private func checkKeys() {
    for (key, reason) in Self.refused {
      guard let pair = file.outline.parts[key] else { continue }
      report("`\(model.name.text)` is ephemeral, so it has no `\(key):`: \(reason).", at: pair.key.range)
    }
  }

  private func checkFiles() {
    var seen: Set<TypeName> = []
    for field in file.fields + file.structs.flatMap(\.fields) {
      guard let base = field.type?.base, let place = place(ofFileIn: base, at: field.typeRange, &seen) else { continue }
      report(
        "A file is stored with an object, and nothing is stored here: name an object that has the file, by a `ref`.",
        at: field.typeRange,
        related: place == field.typeRange ? [] : [.init(message: "The file is here.", location: place)])
    }
  }

  /// Where a field is a file, or contains one in shared structs that were not seen yet. The structs of the model are
  /// looked at themselves.
  private func place(
    ofFileIn base: BaseType, at range: SourceRange, _ seen: inout Set<TypeName>
  ) -> SourceRange? {
    // A stack of its own: chains of thousands of structs are legal, and too deep for recursion.
    var pending = [(base: base, range: range)]
    while let (base, range) = pending.popLast() {
      if base == .file { return range }
      guard case .structure(let name) = base, name.model == nil, seen.insert(name).inserted,
        let fields = catalog.structs[name]
      else { continue }
      pending += fields.places.reversed()
    }
    return nil
  }

  @discardableResult
  private func report(
    _ message: String, at range: SourceRange, replacement: String? = nil, related: [Diagnostic.Note] = []
  ) -> Int? {
    findings.report(.ephemeralModel, message, at: range, replacement: replacement, related: related)
    return nil
  }
}

extension Findings {
  /// Reports a place that names an ephemeral model and needs a stored one.
  func reportEphemeral(_ model: Spelled, _ consequence: String) {
    report(.ephemeralModel, "`\(model.text)` is ephemeral: nothing is stored of it, \(consequence).", at: model.range)
  }
}
