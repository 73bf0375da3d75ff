// Prints the body of an operation: one statement or more for each effect.
import ModelSchema

/// Prints the body of `evaluate`.
struct OperationBody {
  let values: OperationValues
  /// The number of named local values so far.
  private var names = 0

  typealias Target = OperationValues.Target
  typealias Value = OperationValues.Value

  /// A call to print: `head(arguments before, label: value, arguments after)`.
  struct Call {
    var head: String
    var before: [String] = []
    var label = ""
    var after: [String] = []
    var mayThrow = false
  }

  init(_ values: OperationValues) {
    self.values = values
  }

  var swift: SwiftPrinter { values.printer }

  mutating func print(_ operation: OperationDeclaration, _ printer: inout CodePrinter) {
    for file in operation.requirements {
      printEach(file, FieldType(.file), "file", Call(head: "context.requireUploaded"), &printer)
    }
    let edits = operation.effects.filter(\.isEdit)
    if !edits.isEmpty {
      printer.line("var edit = ModelSupport.PatchBuilder()")
      for effect in edits { printEdit(effect, &printer) }
      printConvertedEdits(edits, &printer)
      printer.line("try context.edit(self.target, edit)")
    }
    // Objects first, then follow, role and unfollow. So an owner can hand over the ownership and leave in one
    // operation.
    for step in EffectStep.allCases {
      for effect in operation.effects where effect.step == step && !effect.isEdit { printEffect(effect, &printer) }
    }
  }

  /// Prints the changes to fields of the target.
  private mutating func printEdit(_ effect: Effect, _ printer: inout CodePrinter) {
    let model = values.model
    switch effect {
    case .set(let assignments):
      for assignment in assignments where !isConverted(assignment.field) {
        printSet("edit", assignment, of: model, &printer)
      }
    case .clear(let fields):
      for field in fields where !isConverted(field) { printer.line("edit.clear(\(tag(field, of: model)))") }
    case .insert(let assignments):
      for assignment in assignments { printElements("insert", assignment, &printer) }
    case .remove(let assignments):
      for assignment in assignments { printElements("remove", assignment, &printer) }
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
      let fixed = Set(model.fixedFields)
      let edits = assignments.filter { !fixed.contains($0.field) }
      let builder = "\(name)Edit"
      let converted = ConversionPrinter(swift, of: model.fields, owner: model.swiftName)
      let linked = model.fields.filter { field in
        edits.contains { $0.field == field.name } && converted.isConverted(field)
      }.flatMap(converted.linked)
      printer.line("\(edits.isEmpty ? "let" : "var") \(builder) = ModelSupport.PatchBuilder()")
      for assignment in edits where !linked.contains(where: { $0.name == assignment.field }) {
        printSet(builder, assignment, of: model, &printer)
      }
      guard !linked.isEmpty else {
        return printConstruction("try context.upsert", name, assignments, after: builder, &printer)
      }
      // The new object has all values that are written together.
      let mark = constructionMayThrow(name, assignments) ? "try " : ""
      printConstruction("let \(name)Object = \(mark)", name, assignments, after: nil, isArgument: false, &printer)
      for field in Set(linked).sorted(by: { $0.tag < $1.tag }) {
        let value = "\(name)Object.\(converted.storage(field))"
        printer.line("\(builder).set(\(tag(field.name, of: model)), \(value))")
      }
      printer.line("try context.upsert(\(name)Object, \(builder))")
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
    guard let field = values.model.field(named: assignment.field), !isConverted(field.name) else { return }
    let call = Call(head: "edit.\(function)", before: [tag(field.name, of: values.model)])
    printEach(assignment.value, FieldType(field.type.base), "element", call, &printer)
  }

  private func printSet(
    _ builder: String, _ assignment: FieldAssignment, of model: ModelDeclaration, _ printer: inout CodePrinter
  ) {
    guard let field = model.field(named: assignment.field) else { return }
    let call = Call(head: "\(builder).\(assignment.bound?.rawValue ?? "set")", before: [tag(field.name, of: model)])
    printer.line(line(call, values.value(assignment.value, at: Target(type: field.type))))
  }

  /// Prints the call for each value: once, with `if let` for an optional, or in a loop over many values.
  mutating func printEach(
    _ expression: ValueExpression, _ type: FieldType, _ element: String, _ call: Call, _ printer: inout CodePrinter
  ) {
    var value = values.value(expression, at: Target(type: type))
    func head(_ value: Value) -> String {
      value.type.position == .optional ? "if let \(element) = \(value.marked)" : "for \(element) in \(value.marked)"
    }
    if value.type.position == .single { return printer.line(line(call, value)) }
    // In the head of `if` or `for`, Swift would parse a trailing closure as the body, so such a value gets a name
    // first.
    if value.text.contains("{") { value = named(value, &printer) }
    printer.line("\(head(value)) { \(line(call, Value(text: element, type: type))) }")
  }
}

// Statements.
extension OperationBody {
  private func line(_ call: Call, _ value: Value) -> String {
    let mark = call.mayThrow || value.mayThrow ? "try " : ""
    let arguments = call.before + [call.label + typed(value)] + call.after
    return "\(mark)\(call.head)(\(arguments.joined(separator: ", ")))"
  }

  /// The value, with a type annotation where Swift would infer another type for the literal.
  private func typed(_ value: Value) -> String {
    guard value.isLiteral else { return value.text }
    return switch value.type.base {
    case .bool, .string, .double, .counter: value.text
    case .enumeration: swift.baseText(value.type.base) + value.text
    default: "\(value.text) as \(swift.baseText(value.type.base))"
    }
  }

  /// Prints a `let` for the value and returns the name in its place.
  private mutating func named(_ value: Value, _ printer: inout CodePrinter) -> Value {
    names += 1
    printer.line("let value\(names) = \(value.marked)")
    return Value(text: "value\(names)", type: value.type, isHash: value.isHash)
  }

  /// Prints `call(Model(field: value, …), after)`, with the arguments in the order of the initialiser; without the
  /// outer parentheses where the object is no argument.
  private func printConstruction(
    _ call: String, _ name: String, _ assignments: [FieldAssignment], after: String?, isArgument: Bool = true,
    _ printer: inout CodePrinter
  ) {
    guard let model = swift.schema.model(named: name) else { return }
    let arguments = constructed(model, assignments).map { "\($0.name): \($0.value.text)" }
    let tail = (after.map { ", \($0)" } ?? "") + (isArgument ? ")" : "")
    printer.list("\(call)\(isArgument ? "(" : "")\(model.swiftName)", arguments, tail: tail)
  }

  private func constructionMayThrow(_ name: String, _ assignments: [FieldAssignment]) -> Bool {
    swift.schema.model(named: name).map { constructed($0, assignments).contains(where: \.value.mayThrow) } ?? false
  }

  private func constructed(
    _ model: ModelDeclaration, _ assignments: [FieldAssignment]
  ) -> [(name: String, value: Value)] {
    let given = Dictionary(assignments.map { ($0.field, $0.value) }) { first, _ in first }
    return model.fields.compactMap { field in
      let fallback = field.type.position == .single ? field.defaultValue : nil
      return given[field.name].map { (field.name, values.value($0, at: Target(type: field.type, fallback: fallback))) }
    }
  }

  func tag(_ field: String, of model: ModelDeclaration) -> String {
    SwiftText.grouped(String(model.field(named: field)?.tag ?? 0))
  }
}

/// The order in which effects are printed, whatever their order in the file.
private enum EffectStep: CaseIterable {
  case objects, follow, role, unfollow
}

extension Effect {
  /// Whether the effect edits fields of the operation's target.
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
