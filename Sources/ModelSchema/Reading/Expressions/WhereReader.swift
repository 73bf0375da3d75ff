// Reads `where:`: terms that must all hold. In an `any:` one of its terms must hold.

struct WhereReader: CatalogReader {
  let model: CatalogModel
  let catalog: Catalog

  private var terms: ConditionReader { ConditionReader(model: model, catalog: catalog) }

  func read(_ node: YAMLNode) -> [Condition] {
    let entries = node.pairs != nil ? [node] : kinds.oneOrMore(of: node, "`where:`")
    return entries.compactMap { $0.pairs != nil ? readAny($0) : terms.read($0) }
  }

  /// Reads `any: [a == 1, b == 2]`.
  private func readAny(_ node: YAMLNode) -> Condition? {
    if node.pairs?.isEmpty == true {
      syntaxError("A term of `where:` is a condition, or `any:` with conditions.", at: node.shownRange)
    }
    guard let pair = kinds.pairs(of: node, known: .anyTerm, in: "A term of `where:`")["any"] else { return nil }
    if case .invalid = pair.value.content { return nil }
    guard let entries = pair.value.elements, entries.count > 1 else {
      syntaxError(
        "`any:` is a list of two or more terms, of which at least one must hold; put a single one into `where:` itself.",
        at: pair.value.shownRange)
      return nil
    }
    let conditions = entries.compactMap(readTerm)
    return conditions.count == entries.count ? .any(conditions) : nil
  }

  /// Reads a term inside `any:`.
  private func readTerm(_ node: YAMLNode) -> Condition? {
    switch node.content {
    case .mapping, .sequence:
      syntaxError("`any:` holds single terms only, no other list and no `any:`.", at: node.shownRange)
      return nil
    default: return terms.read(node)
    }
  }

  private func syntaxError(_ problem: String, at range: SourceRange) {
    findings.report(.conditionSyntax, problem, at: range)
  }
}
