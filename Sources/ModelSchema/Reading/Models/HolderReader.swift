// Reads one holder of a right: `owner`, `creator`, `user(author)`, `user(author.user)`.

struct HolderReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  /// Reports a mistake and returns nil.
  func read(_ node: YAMLNode) -> RightHolder? {
    guard let text = kinds.plain(node, "A right") else { return nil }
    if let holder = RightHolder(word: text.text) { return holder }
    var scanner = ExpressionScanner(text.text, range: text.range)
    guard let word = scanner.word(), scanner.take("("), UserField.words.contains(word.text) else {
      return refuse(text)
    }
    guard let names = scanner.path() else {
      return report("A field that names a user is missing here: `\(word.text)(author)`.", at: scanner.rest)
    }
    guard scanner.take(")") else {
      return report(scanner.isAtEnd ? "A `)` is missing here." : "Only `)` is allowed here.", at: scanner.rest)
    }
    guard scanner.isAtEnd else { return report("Nothing may follow the holder.", at: scanner.rest) }
    return holder(names, role: word.text == "reader" ? .reader : .writer)
  }

  private func holder(_ names: [Spelled], role: MemberRole) -> RightHolder? {
    guard let name = names.first, let field = paths.field(name, in: model) else { return nil }
    if !field.from.isEmpty || model.successor(of: name.text) != nil {
      return report("`\(name.text)` is converted, so two fields say who it is: neither can decide.", at: name.range)
    }
    guard let type = field.type else { return nil }
    guard type.position == .single || type.position == .optional else {
      return report("`\(name.text)` is \(type.shown): one user is needed here.", at: name.range)
    }
    if names.count == 1, type.base == .userReference { return .user(UserField(name.text, role: role)) }
    guard case .reference(let target) = type.base, let referred = catalog.models[target] else {
      return report(
        "`\(name.text)` is \(type.shown), which names no user.", at: (names.dropFirst().first ?? name).range)
    }
    guard !referred.isQueueWithIdentity else {
      return report(
        "`\(name.text)` proves no user: a `\(target)` is a queue, and nobody's object in one. Name the user by a `ref(user)`.",
        at: name.range)
    }
    let key = referred.identity.count == 1 ? referred.identity.first : nil
    guard let key, key.count == 1, paths.knownType(of: key, in: referred) == FieldType(.userReference),
      referred.queueKind == model.queueKind || model.queueKind == nil
    else {
      return report(
        "`\(name.text)` proves no user: the identity of a `\(target)` in the same queue would have to be one "
          + "`ref(user)`.", at: name.range)
    }
    guard names.count == 2, names[1].text == key[0] else {
      let written = "\(name.text).\(key[0])"
      return report(
        "The user of a `\(target)` is its identity, `\(key[0])`: write `\(written)`.",
        at: names.last?.range ?? name.range,
        replacement: names.count == 1 ? written : nil)
    }
    return .user(UserField(name.text, part: key[0], role: role))
  }

  private func refuse(_ text: Spelled) -> RightHolder? {
    let words = RightHolder.words + ["user(FIELD)", "reader(FIELD)"]
    let isAlone = text.text == "nobody"
    findings.report(
      .unknownRole,
      isAlone
        ? "`nobody` stands alone: with others there is somebody."
        : "A right is of \(KindReader.listing(words)) or `nobody`, not `\(text.text)`.",
      at: text.range,
      replacement: isAlone ? nil : Suggestion.nearest(to: text.text, among: RightHolder.words + ["nobody"]))
    return nil
  }

  private func report(_ message: String, at range: SourceRange, replacement: String? = nil) -> RightHolder? {
    findings.report(.accessHolder, message, at: range, replacement: replacement)
    return nil
  }
}

extension HolderReader {
  /// The fields in the `user(…)` of `access: { create: … }`, as they are written. Checks and reports nothing.
  static func sendersIn(_ file: FileOutline) -> [String] {
    guard let value = file.parts["access"]?.value.pair("create")?.value else { return [] }
    return (value.elements ?? [value]).compactMap { node in
      guard var scanner = ExpressionScanner(node), let word = scanner.word(), UserField.words.contains(word.text),
        scanner.take("(")
      else { return nil }
      return scanner.word()?.text
    }
  }
}
