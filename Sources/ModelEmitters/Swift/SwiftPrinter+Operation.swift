// An operation: a struct of its target and its parameters, which says what it changes.
import ModelSchema

extension SwiftPrinter {
  func printOperations(of model: ModelDeclaration, _ printer: inout CodePrinter) {
    guard !model.operations.isEmpty else { return }
    printer.line()
    printer.block("nonisolated extension \(model.swiftName)") { printer in
      for (index, operation) in model.operations.enumerated() {
        if index > 0 { printer.line() }
        printOperation(operation, of: model, &printer)
      }
    }
  }

  private func printOperation(
    _ operation: OperationDeclaration, of model: ModelDeclaration, _ printer: inout CodePrinter
  ) {
    let name = "\(model.wireName).\(operation.name)"
    let target = ParameterDeclaration(name: "target", type: FieldType(.reference(model.name)))
    let properties = [target] + operation.parameters
    printer.lines(SwiftText.documentation(operation.doc))
    let head = "\(access) nonisolated struct \(capitalized(operation.name))"
    printConformingType(head, "ModelOperation", &printer) { printer in
      for property in properties { printTyped("\(access) let \(property.name):", typeText(property.type), &printer) }
      printer.line()
      printOperationInitializer(operation, target, &printer)
      printer.line()
      printer.line("\(access) static let operationName = \"\(name)\"")
      printer.line()
      printParameterTable(name, properties, &printer)
      printer.line()
      printer.block("\(access) func evaluate(in context: inout ModelRuntime.OperationContext) throws") {
        printEvaluation(operation, of: model, &$0)
      }
    }
  }

  private func printOperationInitializer(
    _ operation: OperationDeclaration, _ target: ParameterDeclaration, _ printer: inout CodePrinter
  ) {
    // An optional parameter may be left out.
    let others = operation.parameters.map {
      parameter($0.name, typeText($0.type), $0.type.position == .optional ? "nil" : nil)
    }
    printer.list("\(access) init", [parameter("_ target", typeText(target.type), nil)] + others, tail: " {")
    printer.indented { printer in
      for property in [target] + operation.parameters { printAssignment(property.name, property.name, &printer) }
    }
    printer.line("}")
  }

  /// By position: only people and the inspector read parameters.
  private func printParameterTable(
    _ name: String, _ properties: [ParameterDeclaration], _ printer: inout CodePrinter
  ) {
    printer.line("\(access) static let fieldTable = ModelRuntime.FieldTable(")
    printer.indented { printer in
      printer.line("projection: \"\(name)\",")
      for (index, property) in properties.enumerated() {
        let arguments = [String(index + 1), "\"\(property.name)\"", "\\Self.\(property.name)"]
        let comma = index + 1 < properties.count ? "," : ""
        printer.list("ModelRuntime.Field", arguments.map { CodeArgument($0) }, tail: comma)
      }
    }
    printer.line(")")
  }

  private func printEvaluation(
    _ operation: OperationDeclaration, of model: ModelDeclaration, _ printer: inout CodePrinter
  ) {
    for requirement in operation.requirements { printRequirement(requirement, operation, model, &printer) }
    let values = OperationValues(printer: self, model: model, parameters: operation.parameters)
    let edits = operation.effects.filter(\.isEdit)
    if !edits.isEmpty {
      printer.line("var edit = ModelRuntime.PatchBuilder()")
      for effect in edits { printEdit(effect, of: model, values, &printer) }
      printer.line("try context.edit(self.target, edit)")
    }
    for effect in operation.effects where !effect.isEdit { printEffect(effect, values, &printer) }
  }

  private func printRequirement(
    _ requirement: ValueExpression, _ operation: OperationDeclaration, _ model: ModelDeclaration,
    _ printer: inout CodePrinter
  ) {
    let values = OperationValues(printer: self, model: model, parameters: operation.parameters)
    let file = values.value(requirement)
    switch file.type.position {
    case .single: printer.line("context.requireUploaded(\(file.marked))")
    case .optional: printer.line("if let file = \(file.beforeBrace) { context.requireUploaded(file) }")
    case .list, .set: printer.line("for file in \(file.beforeBrace) { context.requireUploaded(file) }")
    }
  }

  /// What happens to fields of the target, or of an object that is put if absent.
  private func printEdit(
    _ effect: Effect, of model: ModelDeclaration, _ values: OperationValues, _ printer: inout CodePrinter
  ) {
    switch effect {
    case .set(let assignments):
      for assignment in assignments { printSet(assignment, of: model, values, &printer) }
    case .clear(let fields):
      for field in fields { printer.line("edit.clear(\(tag(field, of: model)))") }
    case .insert(let assignments):
      for assignment in assignments { printElements("insert", assignment, of: model, values, &printer) }
    case .remove(let assignments):
      for assignment in assignments { printElements("remove", assignment, of: model, values, &printer) }
    case .increment(let assignments):
      for assignment in assignments {
        let amount = values.value(assignment.value, as: FieldType(.int64))
        printer.line("edit.increment(\(tag(assignment.field, of: model)), by: \(amount.marked))")
      }
    case .create, .upsert, .delete, .follow, .unfollow: break
    }
  }

  private func printSet(
    _ assignment: FieldAssignment, of model: ModelDeclaration, _ values: OperationValues, _ printer: inout CodePrinter
  ) {
    guard let field = model.field(named: assignment.field) else { return }
    let value = values.value(assignment.value, as: field.type)
    printer.list(
      value.mayThrow ? "try edit.set" : "edit.set",
      [CodeArgument(tag(field.name, of: model)), CodeArgument(value.typed(self))])
  }

  private func printElements(
    _ function: String, _ assignment: FieldAssignment, of model: ModelDeclaration, _ values: OperationValues,
    _ printer: inout CodePrinter
  ) {
    guard let field = model.field(named: assignment.field) else { return }
    let value = values.value(assignment.value, as: FieldType(field.type.base))
    let tag = tag(field.name, of: model)
    switch value.type.position {
    case .single:
      printer.line("\(value.mayThrow ? "try " : "")edit.\(function)(\(tag), \(value.typed(self)))")
    case .optional: printer.line("if let element = \(value.beforeBrace) { edit.\(function)(\(tag), element) }")
    case .list, .set: printer.line("for element in \(value.beforeBrace) { edit.\(function)(\(tag), element) }")
    }
  }

  private func printEffect(_ effect: Effect, _ values: OperationValues, _ printer: inout CodePrinter) {
    switch effect {
    case .create(let name, let assignments):
      printConstruction("try context.create", name, assignments, values, tail: "", &printer)
    case .upsert(let name, let assignments):
      guard let model = schema.model(named: name) else { return }
      let fixed = Set(immutableFields(model))
      let edits = assignments.filter { !fixed.contains($0.field) }
      let variable = "\(name)Edit"
      printer.line("\(edits.isEmpty ? "let" : "var") \(variable) = ModelRuntime.PatchBuilder()")
      for assignment in edits {
        guard let field = model.field(named: assignment.field) else { continue }
        let value = values.value(assignment.value, as: field.type)
        let call = value.mayThrow ? "try \(variable).set" : "\(variable).set"
        printer.list(call, [CodeArgument(tag(field.name, of: model)), CodeArgument(value.typed(self))])
      }
      printConstruction("try context.upsert", name, assignments, values, tail: ", \(variable)", &printer)
    case .delete: printer.line("try context.delete(self.target)")
    case .follow(let user): printFollow("follow", user, values, &printer)
    case .unfollow(let user): printFollow("unfollow", user, values, &printer)
    case .set, .clear, .insert, .remove, .increment: break
    }
  }

  private func printFollow(
    _ function: String, _ user: ValueExpression, _ values: OperationValues, _ printer: inout CodePrinter
  ) {
    let value = values.value(user, as: FieldType(.userReference))
    switch value.type.position {
    case .single: printer.line("try context.\(function)(\(value.text), inQueueOf: self.target)")
    case .optional:
      printer.line("if let user = \(value.beforeBrace) { try context.\(function)(user, inQueueOf: self.target) }")
    case .list, .set:
      printer.line("for user in \(value.beforeBrace) { try context.\(function)(user, inQueueOf: self.target) }")
    }
  }

  /// `call(Model(field: value, …)tail)`, with the arguments in the order of the initialiser.
  private func printConstruction(
    _ call: String, _ name: String, _ assignments: [FieldAssignment], _ values: OperationValues, tail: String,
    _ printer: inout CodePrinter
  ) {
    guard let model = schema.model(named: name) else { return }
    let given = Dictionary(assignments.map { ($0.field, $0.value) }) { first, _ in first }
    let arguments = model.fields.compactMap { field in
      given[field.name].map { CodeArgument("\(field.name): \(values.value($0, as: field.type).text)") }
    }
    let joined = arguments.map(\.text).joined(separator: ", ")
    let line = "\(call)(\(model.swiftName)(\(joined))\(tail))"
    if printer.fits(line) { return printer.line(line) }
    printer.line("\(call)(")
    printer.indented { $0.list(model.swiftName, arguments, tail: tail) }
    printer.line(")")
  }

  private func tag(_ field: String, of model: ModelDeclaration) -> String {
    SwiftText.grouped(String(model.field(named: field)?.tag ?? 0))
  }
}

extension Effect {
  /// Whether it edits fields of the operation's target.
  fileprivate var isEdit: Bool {
    switch self {
    case .set, .clear, .insert, .remove, .increment: true
    case .create, .upsert, .delete, .follow, .unfollow: false
    }
  }
}
