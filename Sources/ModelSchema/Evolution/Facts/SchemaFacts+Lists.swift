// The facts of lists and views.

extension SchemaFacts {
  mutating func add(_ list: ListDeclaration, of model: ModelDeclaration, _ home: String, _ paths: TagPaths) {
    let key = "\(home) list \(list.name)"
    let texts = ListTexts(values: ValueTexts(paths: paths, model: model))
    add("\(key) order", list.order.map(texts.text).joined(separator: ", "))
    if let per = list.per { add("\(key) per", paths.own(FieldPath([per]), in: model)) }
    add("\(key) where", each: list.conditions.map(texts.text))
    if let section = list.section { add("\(key) section", texts.text(section)) }
    if let distinct = list.distinct { add("\(key) distinct", texts.path(distinct)) }
    if list.keepsEmptySections { add("\(key) keepEmpty", "true") }
    if let limit = list.limit { add("\(key) limit", "\(limit)") }
  }

  mutating func add(_ view: ViewDeclaration, of model: ModelDeclaration, _ home: String, _ paths: TagPaths) {
    for field in view.fields {
      add("\(home) view \(view.name) field \(field.name) source", paths.text(field.source, in: model))
    }
  }
}

/// The parts of one list, as texts.
private struct ListTexts {
  let values: ValueTexts

  func text(_ term: OrderTerm) -> String { path(term.field) + (term.descending ? " descending" : "") }

  func text(_ condition: Condition) -> String {
    switch condition {
    case .compare(let field, let comparison, let value):
      let type = values.model.viewField(at: field)?.type ?? values.paths.type(of: field, in: values.model)
      return "\(path(field)) \(comparison.rawValue) \(values.text(value, as: type))"
    case .isNull(let field): return "\(path(field)) is null"
    case .isNotNull(let field): return "\(path(field)) is not null"
    case .any(let conditions): return "any(" + conditions.map(text).sorted().joined(separator: ", ") + ")"
    }
  }

  func text(_ section: SectionRule) -> String {
    switch section {
    case .day(let field): "day(\(path(field)))"
    case .week(let field): "week(\(path(field)))"
    case .month(let field): "month(\(path(field)))"
    case .year(let field): "year(\(path(field)))"
    case .gap(let field, let milliseconds): "gap(\(path(field)) \(milliseconds))"
    case .value(let field): "value(\(path(field)))"
    case .initial(let field): "initial(\(path(field)))"
    }
  }

  func path(_ path: FieldPath) -> String {
    if let shown = values.model.viewField(at: path) { return values.paths.text(shown.source, in: values.model) }
    return values.paths.own(path, in: values.model)
  }
}

extension TagPaths {
  fileprivate func text(_ source: ViewSource, in model: ModelDeclaration) -> String {
    switch source {
    case .path(let path): return own(path, in: model)
    case .count(let path): return "count(\(own(path, in: model)))"
    case .lookup(let other, let key, let path):
      let key = key.map { own($0, in: model) } ?? "$me"
      return "\(wireName(other))(\(key))" + text(path, from: FieldType(.reference(other)))
    case .children(let term): return text(term, in: model)
    }
  }

  private func text(_ term: ChildTerm, in model: ModelDeclaration) -> String {
    let children = FieldType(.reference(term.model))
    func field(_ path: FieldPath) -> String { String(text(path.names, from: children).dropFirst()) }
    let list = "\(wireName(term.model)) \(term.list)"
    return switch term.question {
    case .count: "count(\(list))"
    case .countOf(let path, let comparison, let value):
      "count(\(list) where \(field(path)) \(comparison.rawValue) \(text(value, in: model)))"
    case .groups(let path): "counts(\(list) by \(field(path)))"
    case .sum(let path): "sum(\(list) \(field(path)))"
    case .newest(let path): "newest(\(list))" + text(path, from: children)
    }
  }
}
