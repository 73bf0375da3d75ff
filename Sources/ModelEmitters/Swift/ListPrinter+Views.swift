// Prints what a list reads of views: `row.unread` in `where:`, `order:`, `section:` and `distinct:`.
import ModelSchema

extension ListPrinter {
  /// The fields of views that the list reads, each once, those of conditions first.
  private var shown: [(path: FieldPath, field: ViewField)] {
    let others = [list.section?.field, list.distinct].compactMap { $0 }
    var seen: Set<FieldPath> = []
    return (list.conditions.flatMap(\.fields) + list.order.map(\.field) + others).compactMap { path in
      guard let field = model.viewField(at: path), seen.insert(path).inserted else { return nil }
      return (path, field)
    }
  }

  /// Whether an object's place depends on what a view shows.
  var readsViews: Bool { !shown.isEmpty }

  func readsViews(_ condition: Condition) -> Bool { condition.fields.contains { model.viewField(at: $0) != nil } }

  /// The constant that has the value. No name of a schema has `_`.
  func constant(_ path: FieldPath) -> String { path.names.joined(separator: "_") }

  /// The names of the object's fields behind those paths.
  var fieldsBehindViews: [String] { shown.flatMap { $0.field.source.ownFields } }

  /// The argument of a list's definition that says what the list asks about.
  var askedArgument: String {
    var texts: [String] = []
    for case .children(let term) in shown.map(\.field.source) {
      let text = ChildListPrinter.name(of: term, printer) + ".asked"
      if !texts.contains(text) { texts.append(text) }
    }
    return "asking: [\(texts.joined(separator: ", "))]"
  }

  /// Prints a constant for each path.
  func printViewValues(_ output: inout CodePrinter) {
    let words = ViewWords(
      object: "fields", id: "\(model.swiftName).ID(context.id)", queue: "context.queue", source: "context.others",
      readsStorage: true)
    let printing = ViewValuePrinter(printer: printer, model: model, words: words)
    var steps = ViewSteps("found")
    for (path, field) in shown {
      let value = printing.value(of: field.source, &steps, &output)
      output.line("let \(constant(path)) = \(value.asFieldValue)")
    }
  }
}

extension ViewValue {
  /// As fields have it: a count is an `Int64`.
  fileprivate var asFieldValue: String {
    guard swiftType == "Swift.Int" else { return text }
    return isOptional ? "(\(text)).map { Swift.Int64($0) }" : "Swift.Int64(\(text))"
  }
}

extension ViewSource {
  /// The fields of the object that the value is made of.
  fileprivate var ownFields: [String] {
    switch self {
    case .path(let path), .count(let path): [path.names[0]]
    case .lookup(_, let key, _): key.map { [$0.names[0]] } ?? []
    case .children(let term):
      if case .countOf(_, _, let bound) = term.question { bound.ownFields } else { [] }
    }
  }
}
