// The body of an operation, as statements: one an effect, or one a step of the way to a value that is too long for it.
import ModelSchema

/// The body of `evaluate`.
struct OperationBody {
  let values: OperationValues
  /// How many values have got a name.
  private var names = 0

  private typealias Place = OperationValues.Place
  private typealias Value = OperationValues.Value

  /// `head(arguments before, label: value, arguments after)`
  private struct Call {
    var head: String
    var before: [String] = []
    var label = ""
    var after: [String] = []
    var mayThrow = false
  }

  init(_ values: OperationValues) {
    self.values = values
  }

  private var swift: SwiftPrinter { values.printer }

  mutating func print(_ operation: OperationDeclaration, _ printer: inout CodePrinter) {
    for file in operation.requirements {
      printEach(file, FieldType(.file), "file", Call(head: "context.requireUploaded"), &printer)
    }
    let edits = operation.effects.filter(\.isEdit)
    if !edits.isEmpty {
      printer.line("var edit = ModelRuntime.PatchBuilder()")
      for effect in edits { printEdit(effect, &printer) }
      printer.line("try context.edit(self.target, edit)")
    }
    // Members behind objects, and who leaves last: so an owner may give ownership away and leave.
    for step in EffectStep.allCases {
      for effect in operation.effects where effect.step == step && !effect.isEdit { printEffect(effect, &printer) }
    }
  }

  /// The changes to fields of the target.
  private mutating func printEdit(_ effect: Effect, _ printer: inout CodePrinter) {
    let model = values.model
    switch effect {
    case .set(let assignments):
      for assignment in assignments { printSet("edit", assignment, of: model, &printer) }
    case .clear(let fields):
      for field in fields { printer.line("edit.clear(\(tag(field, of: model)))") }
    case .insert(let assignments):
      for assignment in assignments { printElements("edit.insert", assignment, &printer) }
    case .remove(let assignments):
      for assignment in assignments { printElements("edit.remove", assignment, &printer) }
    case .increment(let assignments):
      for assignment in assignments {
        let call = Call(head: "edit.increment", before: [tag(assignment.field, of: model)], label: "by: ")
        printEach(assignment.value, FieldType(.counter), "amount", call, &printer)
      }
    case .create, .upsert, .delete, .follow, .role, .unfollow: break
    }
  }

  private mutating func printEffect(_ effect: Effect, _ printer: inout CodePrinter) {
    switch effect {
    case .create(let name, let assignments):
      printConstruction("try context.create", name, assignments, after: nil, &printer)
    case .upsert(let name, let assignments):
      guard let model = swift.schema.model(named: name) else { return }
      let fixed = Set(swift.immutableFields(model))
      let edits = assignments.filter { !fixed.contains($0.field) }
      let builder = "\(name)Edit"
      printer.line("\(edits.isEmpty ? "let" : "var") \(builder) = ModelRuntime.PatchBuilder()")
      for assignment in edits { printSet(builder, assignment, of: model, &printer) }
      printConstruction("try context.upsert", name, assignments, after: builder, &printer)
    case .delete: printer.line("try context.delete(self.target)")
    case .follow(let user, let role):
      printMember("context.follow", user, role.map { ["as: .\($0.rawValue)"] } ?? [], &printer)
    case .role(let user, let role):
      printMember("context.setRole", label: "of: ", user, ["to: .\(role.rawValue)"], &printer)
    case .unfollow(let user): printMember("context.unfollow", user, [], &printer)
    case .set, .clear, .insert, .remove, .increment: break
    }
  }

  private mutating func printMember(
    _ function: String, label: String = "", _ user: ValueExpression, _ role: [String], _ printer: inout CodePrinter
  ) {
    let call = Call(head: function, label: label, after: role + ["inQueueOf: self.target"], mayThrow: true)
    printEach(user, FieldType(.userReference), "user", call, &printer)
  }

  private mutating func printElements(
    _ function: String, _ assignment: FieldAssignment, _ printer: inout CodePrinter
  ) {
    guard let field = values.model.field(named: assignment.field) else { return }
    let call = Call(head: function, before: [tag(field.name, of: values.model)])
    printEach(assignment.value, FieldType(field.type.base), "element", call, &printer)
  }

  private mutating func printSet(
    _ builder: String, _ assignment: FieldAssignment, of model: ModelDeclaration, _ printer: inout CodePrinter
  ) {
    guard let field = model.field(named: assignment.field) else { return }
    let place = Place(type: field.type)
    let call = Call(head: "\(builder).set", before: [tag(field.name, of: model)])
    let value = values.value(assignment.value, at: place)
    let isShort = value.isLiteral || printer.fits(line(call, value))
    printCall(call, isShort ? value : named(assignment.value, place, &printer), &printer)
  }

  /// A call for each value there is: one, at most one, or many.
  private mutating func printEach(
    _ expression: ValueExpression, _ type: FieldType, _ element: String, _ call: Call, _ printer: inout CodePrinter
  ) {
    let place = Place(type: type)
    var value = values.value(expression, at: place)
    func head(_ value: Value) -> String {
      value.type.position == .optional ? "if let \(element) = \(value.marked)" : "for \(element) in \(value.marked)"
    }
    if value.type.position == .single {
      let isShort = value.isLiteral || printer.fits(line(call, value))
      return printCall(call, isShort ? value : named(expression, place, &printer), &printer)
    }
    let body = line(call, Value(head: element, type: type))
    // In front of the brace of a body, a closure would be taken for it.
    if value.text.contains("{") || !printer.fits("\(head(value)) { \(body) }") {
      value = named(expression, place, &printer)
    }
    printer.line("\(head(value)) { \(body) }")
  }
}

// Statements.
extension OperationBody {
  private func line(_ call: Call, _ value: Value) -> String {
    let mark = call.mayThrow || value.mayThrow ? "try " : ""
    let arguments = call.before + [call.label + typed(value)] + call.after
    return "\(mark)\(call.head)(\(arguments.joined(separator: ", ")))"
  }

  private func printCall(_ call: Call, _ value: Value, _ printer: inout CodePrinter) {
    let text = typed(value)
    let argument = CodeArgument(call.label + text) { printer, comma in
      // Only a text is too long for a line, or the case of an enum that is nested in a model.
      if text.hasPrefix("\"") { return printer.line(text + comma) }
      swift.printChain(text, tail: comma, deeper: true, &printer)
    }
    let arguments = call.before.map { CodeArgument($0) } + [argument] + call.after.map { CodeArgument($0) }
    printer.list((call.mayThrow || value.mayThrow ? "try " : "") + call.head, arguments)
  }

  /// With a type where neither the place nor Swift gives a literal the right one.
  private func typed(_ value: Value) -> String {
    guard value.isLiteral else { return value.text }
    return switch value.type.base {
    case .bool, .string, .double, .counter: value.text
    case .enumeration: swift.baseText(value.type.base) + value.text
    default: "\(value.text) as \(swift.baseText(value.type.base))"
    }
  }

  /// The value under a name of its own; where even that is too long for a line, each step of the way to it too.
  private mutating func named(
    _ expression: ValueExpression, _ place: Place, _ printer: inout CodePrinter
  ) -> Value {
    let whole = values.value(expression, at: place)
    if printer.fits("let value\(names + 1) = \(whole.marked)") { return name(whole, &printer) }
    var body = self
    defer { self = body }
    return values.value(expression, at: place) { body.name($0, &printer) }
  }

  private mutating func name(_ value: Value, _ printer: inout CodePrinter) -> Value {
    names += 1
    printNamed("let value\(names) = \(value.mayThrow ? "try " : "")", value, &printer)
    return Value(head: "value\(names)", type: value.type, isHash: value.isHash)
  }

  private func printNamed(_ start: String, _ value: Value, _ printer: inout CodePrinter) {
    if printer.fits(start + value.text) { return printer.line(start + value.text) }
    switch value.tail {
    case .closure(let body): printer.block(start + value.head) { $0.line(body) }
    case .arguments(let arguments): printer.list(start + value.head, arguments.map(swift.labelled))
    case .none, .fallback: printer.line(start + value.text)
    }
  }

  /// `call(Model(field: value, …), after)`, with the arguments in the order of the initialiser.
  private mutating func printConstruction(
    _ call: String, _ name: String, _ assignments: [FieldAssignment], after: String?, _ printer: inout CodePrinter
  ) {
    guard let model = swift.schema.model(named: name) else { return }
    let given = Dictionary(assignments.map { ($0.field, $0.value) }) { first, _ in first }
    let fields = model.fields.compactMap { field in given[field.name].map { (field, $0) } }
    let tail = after.map { ", \($0)" } ?? ""
    let joined = fields.map { "\($0.name): \(values.value($1, at: place($0)).text)" }.joined(separator: ", ")
    let line = "\(call)(\(model.swiftName)(\(joined))\(tail))"
    if printer.fits(line) { return printer.line(line) }
    var arguments: [CodeArgument] = []
    for (field, expression) in fields { arguments.append(argument(field, expression, &printer)) }
    printer.line("\(call)(")
    printer.indented { printer in
      printer.list(model.swiftName, arguments, tail: after == nil ? "" : ",")
      if let after { printer.line(after) }
    }
    printer.line(")")
  }

  private func place(_ field: FieldDeclaration) -> Place {
    Place(type: field.type, fallback: field.type.position == .single ? field.defaultValue : nil)
  }

  /// `field: value`, two levels deeper than here; what does not fit there gets a name before.
  private mutating func argument(
    _ field: FieldDeclaration, _ expression: ValueExpression, _ printer: inout CodePrinter
  ) -> CodeArgument {
    var value = values.value(expression, at: place(field))
    if !value.isLiteral, !printer.fits("    \(field.name): \(value.text),") {
      value = named(expression, place(field), &printer)
    }
    return CodeArgument("\(field.name): \(value.text)") { [value] printer, comma in
      if case .fallback(let literal) = value.tail {
        printer.line("\(field.name): \(value.head)")
        printer.indented { $0.line("?? \(literal)\(comma)") }
      } else {
        printer.line("\(field.name):")
        printer.indented { $0.line(value.text + comma) }
      }
    }
  }

  private func tag(_ field: String, of model: ModelDeclaration) -> String {
    SwiftText.grouped(String(model.field(named: field)?.tag ?? 0))
  }
}

/// The order of effects, whatever stands first in the file.
private enum EffectStep: CaseIterable {
  case objects, follow, role, unfollow
}

extension Effect {
  /// Whether it edits fields of the operation's target.
  fileprivate var isEdit: Bool {
    switch self {
    case .set, .clear, .insert, .remove, .increment: true
    case .create, .upsert, .delete, .follow, .role, .unfollow: false
    }
  }

  fileprivate var step: EffectStep {
    switch self {
    case .follow: .follow
    case .role: .role
    case .unfollow: .unfollow
    case .set, .clear, .insert, .remove, .increment, .create, .upsert, .delete: .objects
    }
  }
}
