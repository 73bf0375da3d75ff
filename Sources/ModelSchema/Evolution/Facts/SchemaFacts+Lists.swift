// The facts of lists and views.

extension SchemaFacts {
  mutating func add(_ list: ListDeclaration, of model: ModelDeclaration, _ home: String, _ paths: TagPaths) {
    let key = "\(home) list \(list.name)"
    let texts = ListTexts(values: ValueTexts(paths: paths, model: model))
    add("\(key) order", list.order.map(texts.text).joined(separator: ", "))
    if let per = list.per { add("\(key) per", paths.own(FieldPath([per]), in: model)) }
    add("\(key) where", each: list.conditions.map(texts.text))
    if let section = list.section { add("\(key) section", texts.text(section)) }
    if let distinct = list.distinct { add("\(key) distinct", paths.own(distinct, in: model)) }
    if list.keepsEmptySections { add("\(key) keepEmpty", "true") }
    if let limit = list.limit { add("\(key) limit", "\(limit)") }
  }

  mutating func add(_ view: ViewDeclaration, of model: ModelDeclaration, _ home: String, _ paths: TagPaths) {
    let own = FieldType(.reference(model.name))
    for field in view.fields {
      let text: String
      switch field.source {
      case .path(let path): text = paths.own(path, in: model)
      case .count(let path): text = "count(\(paths.own(path, in: model)))"
      case .countList(let other, let list): text = "count(\(paths.wireName(other)) \(list))"
      case .lookup(let other, let key, let path):
        let user = key.map { String(paths.text($0.names, from: own).dropFirst()) } ?? "$me"
        text = "\(paths.wireName(other))(\(user))" + paths.text(path, from: FieldType(.reference(other)))
      }
      add("\(home) view \(view.name) field \(field.name) source", text)
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
      let type = values.paths.type(of: field, in: values.model)
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

  private func path(_ path: FieldPath) -> String { values.paths.own(path, in: values.model) }
}
