// Reads operations and checks the types of their parameters, requirements and effects.

struct OperationReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  static let keys = KeyTable([.doc, .was, .parameters, .requires] + EffectReader.effects)

  func read(_ pair: YAMLPair) -> OperationDeclaration {
    let before = findings.diagnostics.count
    let parts = kinds.pairs(of: pair.value, known: Self.keys, in: "An operation")
    let (parameters, types) = readParameters(parts["parameters"])
    let scope = ValueScope(model: model, parameters: types)
    let values = ValueReader(scope: scope, catalog: catalog)
    let requirements = parts["requires"].map { readRequirements($0.value, values) } ?? []
    let effects = EffectReader(model: model, values: values, catalog: catalog)
    let written = parts.values.filter { EffectReader.keys.contains($0.key.text) }
      .sorted { $0.key.range.start < $1.key.range.start }
    if written.isEmpty, pair.value.pairs?.count == parts.count {
      findings.report(
        .emptyOperation, "The operation changes nothing: it needs one of \(KindReader.listing(EffectReader.keys)).",
        at: pair.key.range)
    }
    ChangedFields.check(written, of: model, findings)
    let result = OperationDeclaration(
      name: pair.key.text, wireName: kinds.was(parts, now: pair.key), doc: kinds.doc(parts), parameters: parameters,
      requirements: requirements, effects: written.flatMap { effects.read($0) })
    // A part that could not be read may use any of the parameters.
    if findings.diagnostics.count == before { reportUnused(parts["parameters"], in: parts) }
    return result
  }

  private func readParameters(_ pair: YAMLPair?) -> ([ParameterDeclaration], [String: FieldType?]) {
    guard let pair else { return ([], [:]) }
    let types = TypeReader(names: catalog.names, model: model.name.text, findings: findings)
    let entries = kinds.entries(of: pair.value, "`parameters:`")
    nameRules.checkUnique(entries.map(\.key), "parameter")
    var declared: [ParameterDeclaration] = []
    var known: [String: FieldType?] = [:]
    for entry in entries {
      nameRules.check(entry.key, as: .parameter)
      known[entry.key.text] = .some(nil)
      guard var scanner = kinds.expression(of: entry.value, "The type of a parameter"),
        let type = types.read(&scanner)
      else { continue }
      if !scanner.isAtEnd {
        findings.report(.fieldSyntax, "A parameter is a type and nothing else; it has no tag.", at: scanner.rest)
      } else if type.base == .counter {
        findings.report(
          .counterPosition, "A counter is a field, never a parameter; use `int64`.", at: entry.value.range)
        continue
      }
      known[entry.key.text] = type
      declared.append(ParameterDeclaration(name: entry.key.text, type: type))
    }
    return (declared, known)
  }

  /// Reads one requirement such as `uploaded($photos.file)`, or a list of them.
  private func readRequirements(_ node: YAMLNode, _ values: ValueReader) -> [ValueExpression] {
    kinds.oneOrMore(of: node, "`requires:`").compactMap { node in
      guard var scanner = kinds.expression(of: node, "`requires:`") else { return nil }
      let function = scanner.word()
      guard function?.text == "uploaded", scanner.take("(") else {
        findings.report(
          .requirementType, "A requirement is `uploaded(PATH)`, where the path ends in a file.",
          at: function?.range ?? node.range,
          replacement: function.flatMap {
            $0.text == "uploaded" ? nil : Suggestion.nearest(to: $0.text, among: ["uploaded"])
          })
        return nil
      }
      guard let value = values.part(&scanner) else { return nil }
      guard scanner.take(")"), scanner.isAtEnd else {
        let problem = scanner.isAtEnd ? "A `)` is missing here." : "A requirement ends with one `)`."
        findings.report(.requirementType, problem, at: scanner.rest)
        return nil
      }
      if let type = value.type, type.base != .file {
        findings.report(.requirementType, "Only files are uploaded, not \(type.shown).", at: node.range)
        return nil
      }
      return value.value
    }
  }

  private func reportUnused(_ parameters: YAMLPair?, in parts: [String: YAMLPair]) {
    guard let declared = parameters?.value.pairs else { return }
    var used: Set<String> = []
    for (key, part) in parts where key == "requires" || EffectReader.keys.contains(key) {
      Self.collectVariables(part.value, &used)
    }
    for parameter in declared where !used.contains(parameter.key.text) {
      findings.report(
        .unusedParameter, "The parameter `\(parameter.key.text)` is not used.", at: parameter.key.range)
    }
  }

  private static func collectVariables(_ node: YAMLNode, _ used: inout Set<String>) {
    switch node.content {
    case .scalar(let text, .plain):
      // A parameter without its `$` is reported as such, so it counts as used.
      used.insert(text)
      for part in text.split(separator: "$", omittingEmptySubsequences: false).dropFirst() {
        used.insert(String(part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }))
      }
    case .scalar, .invalid: break
    case .sequence(let nodes): for node in nodes { collectVariables(node, &used) }
    case .mapping(let pairs): for pair in pairs { collectVariables(pair.value, &used) }
    }
  }
}
