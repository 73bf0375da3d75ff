// Prints the edits of converted fields. They are made on the object, which writes what older apps read.
import ModelSchema

extension OperationBody {
  private var converted: ConversionPrinter {
    ConversionPrinter(swift, of: values.model.fields, owner: values.model.swiftName)
  }

  func isConverted(_ name: String) -> Bool {
    values.model.field(named: name).map(converted.isConverted) ?? false
  }

  mutating func printConvertedEdits(_ edits: [Effect], _ printer: inout CodePrinter) {
    var (body, changed, inserted) = (CodePrinter(), Set<FieldDeclaration>(), Set<FieldDeclaration>())
    for edit in edits {
      for field in values.model.fields where isConverted(field.name) {
        guard printConverted(edit, field, &body) else { continue }
        changed.formUnion(converted.linked(to: field))
        if edit.isOfElements { inserted.insert(field) }
      }
    }
    guard !changed.isEmpty else { return }
    printer.line("let before = try context.object(self.target)")
    printer.line("var object = before")
    printer.lines(body.text.split(separator: "\n").map(String.init))
    for field in changed.sorted(by: { $0.tag < $1.tag }) where !inserted.contains(field) {
      let (tag, name) = (tag(field.name, of: values.model), converted.storage(field))
      // A set and the value that has become one are no whole: what did not change is left to others.
      let isWhole = converted.isWhole(field) || edits.contains { $0.sets(field) }
      let change = "edit.change(\(tag), from: before.\(name), to: object.\(name))"
      printer.line(isWhole ? "edit.set(\(tag), object.\(name))" : change)
    }
  }

  /// Prints what an effect does to one field of the object; returns whether it does anything.
  private mutating func printConverted(
    _ effect: Effect, _ field: FieldDeclaration, _ printer: inout CodePrinter
  ) -> Bool {
    func value(_ assignments: [FieldAssignment]) -> ValueExpression? {
      assignments.first { $0.field == field.name }?.value
    }
    let property = "object.\(converted.accessor(field))"
    switch effect {
    case .set(let assignments):
      guard let expression = value(assignments) else { return false }
      let fallback = field.type.position == .single ? field.defaultValue : nil
      let value = values.value(expression, at: Target(type: field.type, fallback: fallback))
      printer.line("\(property) = \(value.marked)")
    case .clear(let names):
      guard names.contains(field.name) else { return false }
      printer.line("\(property) = \(swift.zeroText(field))")
    case .insert(let assignments), .remove(let assignments):
      guard let expression = value(assignments) else { return false }
      let function = if case .insert = effect { "insert" } else { "remove" }
      let type = FieldType(field.type.base)
      printEach(expression, type, "element", Call(head: "\(property).\(function)"), &printer)
      let call = Call(head: "edit.\(function)", before: [tag(field.name, of: values.model)])
      printEach(expression, type, "element", call, &printer)
    case .increment, .create, .upsert, .delete, .follow, .role, .unfollow: return false
    }
    return true
  }
}

extension Effect {
  /// Whether the effect inserts or removes elements of sets.
  fileprivate var isOfElements: Bool {
    switch self {
    case .insert, .remove: true
    default: false
    }
  }

  /// Whether the effect gives a field its whole value.
  fileprivate func sets(_ field: FieldDeclaration) -> Bool {
    switch self {
    case .set(let assignments): assignments.contains { $0.field == field.name }
    case .clear(let names): names.contains(field.name)
    default: false
    }
  }
}
