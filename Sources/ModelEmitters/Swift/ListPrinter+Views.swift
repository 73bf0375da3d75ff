// Prints what a list reads of views: `row.unread` in `where:`, `order:`, `section:` and `distinct:`.
import ModelSchema

extension ListPrinter {
  /// The paths into views, each once, those of conditions first.
  private var viewPaths: [FieldPath] {
    let others = [list.section?.field, list.distinct].compactMap { $0 }
    let paths = list.conditions.flatMap(\.fields) + list.order.map(\.field) + others
    var seen: Set<FieldPath> = []
    return paths.filter { model.viewField(at: $0) != nil && seen.insert($0).inserted }
  }

  /// Whether an object's place depends on what a view shows.
  var readsViews: Bool { !viewPaths.isEmpty }

  private var shown: [ViewField] { viewPaths.compactMap(model.viewField) }

  func readsViews(_ condition: Condition) -> Bool { condition.fields.contains { model.viewField(at: $0) != nil } }

  /// The constant that has the value. No name of a schema has `_`.
  func constant(_ path: FieldPath) -> String { path.names.joined(separator: "_") }

  /// The names of the object's fields behind those paths.
  var fieldsBehindViews: [String] { shown.flatMap { $0.source.ownFields } }

  /// The argument of a list's definition that says what the list asks about.
  var askedArgument: String {
    var texts: [String] = []
    for case .children(let term) in shown.map(\.source) {
      let text = ChildListPrinter.name(of: term, printer) + ".asked"
      if !texts.contains(text) { texts.append(text) }
    }
    return "asking: [\(texts.joined(separator: ", "))]"
  }

  /// Prints a constant for each path.
  func printViewValues(_ output: inout CodePrinter) {
    let words = ViewWords(
      object: "fields", id: "\(model.swiftName).ID(context.id)", queue: "context.queue", source: "context",
      readsStorage: true)
    var steps = ViewSteps("found")
    for path in viewPaths {
      guard let field = model.viewField(at: path),
        let view = model.views.first(where: { $0.name == path.names[0] })
      else { continue }
      let views = ViewPrinter(printer: printer, model: model, view: view, words: words)
      let value = views.value(of: field.source, &steps, &output)
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
