// Prints the field values and the `where:` conditions of a list as Swift.
import ModelSchema

extension ListPrinter {
  /// The Swift expression for a field path, and its type. Past a list or set the expression maps over the elements.
  func value(_ path: FieldPath) -> (text: String, type: FieldType) {
    if model.viewField(at: path) != nil { return (constant(path), type(of: path)) }
    if let system = path.system { return ("context.system.\(printer.property(system))", system.type) }
    var text = "fields.\(path.names[0])"
    var inner = self.type(of: FieldPath([path.names[0]]))
    // Swift's optional chaining: `?` follows only a field that is optional itself, not the fields after it.
    for name in path.names.dropFirst() {
      let (next, isDeprecated) = printer.field(name, of: inner.base)
      let name = printer.storageName(name, isDeprecated: isDeprecated)
      text += inner.position == .optional ? "?." : "."
      guard inner.position.isMany else {
        text += name
        inner = next
        continue
      }
      let function = next.position.isMany ? "flatMap" : next.position == .optional ? "compactMap" : "map"
      text += "\(function)({ $0.\(name) })"
      inner = FieldType(next.base, .list)
    }
    return (text, type(of: path))
  }

  /// Prints a condition that an object must meet to be in the list.
  func printCondition(_ condition: Condition, _ steps: inout ListSteps, _ output: inout CodePrinter) {
    guard case .any(let terms) = condition else { return printTerm(condition, .must, &steps, &output) }
    let holds = steps.name("holds")
    guard !condition.followsTime else {
      output.line("var \(holds) = ModelSupport.ListTermMoments.never")
      for term in terms { printTerm(term, .mayForSomeTime(holds), &steps, &output) }
      return output.line("moments.require(\(holds))")
    }
    output.line("var \(holds) = false")
    for term in terms { printTerm(term, .may(holds), &steps, &output) }
    output.line("guard \(holds) else { return nil }")
  }

  private func printTerm(
    _ term: Condition, _ role: TermRole, _ steps: inout ListSteps, _ output: inout CodePrinter
  ) {
    let field = value(term.fields[0])
    switch term {
    case .isNull: output.line(role.line("\(field.text) == nil"))
    case .isNotNull: output.line(role.line("\(field.text) != nil"))
    case .compare(_, let comparison, let expression):
      let operand = operandText(expression, of: field.type.base)
      if expression.isTime { return printTime(field, comparison, operand, role, &steps, &output) }
      switch comparison {
      case .equal, .notEqual: printTest(field.text, comparison, operand, role, &output)
      case .contains: printContains(term.fields[0], operand, role, &output)
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        printOrder(field, comparison, operand, role, &steps, &output)
      }
    case .any: preconditionFailure("the reader accepted an `any:` inside of another one")
    }
  }

  private func printOrder(
    _ field: (text: String, type: FieldType), _ comparison: ComparisonOperator, _ operand: String, _ role: TermRole,
    _ steps: inout ListSteps, _ output: inout CodePrinter
  ) {
    printPresent(field, role, &steps, &output) { text, output in
      guard case .enumeration = field.type.base else {
        return printTest(text, comparison, operand, role, &output)
      }
      // Enums are ordered by their numbers.
      let right = printer.baseText(field.type.base) + operand + ".rawValue"
      printTest(text + ".rawValue", comparison, right, role, &output)
    }
  }

  /// Prints at which moments the term holds, instead of a test at one moment.
  private func printTime(
    _ field: (text: String, type: FieldType), _ comparison: ComparisonOperator, _ operand: String, _ role: TermRole,
    _ steps: inout ListSteps, _ output: inout CodePrinter
  ) {
    printPresent(field, role, &steps, &output) { text, output in
      output.line(role.timeLine("\(text) \(comparison.rawValue) \(operand)"))
    }
  }

  /// Unwraps an optional field before `compare` prints the comparison: an absent value fulfils none.
  private func printPresent(
    _ field: (text: String, type: FieldType), _ role: TermRole, _ steps: inout ListSteps, _ output: inout CodePrinter,
    _ compare: (String, inout CodePrinter) -> Void
  ) {
    guard field.type.position == .optional else { return compare(field.text, &output) }
    let step = steps.name()
    switch role {
    case .must:
      output.line("guard let \(step) = \(field.text) else { return nil }")
      compare(step, &output)
    case .may, .mayForSomeTime: output.block("if let \(step) = \(field.text)") { compare(step, &$0) }
    }
  }

  private func printContains(_ path: FieldPath, _ operand: String, _ role: TermRole, _ output: inout CodePrinter) {
    let text = value(path).text
    // Inside a chain with `?.` the last field keeps its declared type, so it gets a `?` only if it is optional itself.
    let types = types(along: path)
    let isOptional = types.last?.position == .optional && !types.dropLast().contains { $0.position.isMany }
    let mayBeAbsent = isOptional || text.contains("?.")
    // A set of texts looks for bytes; a list finds every text that Swift calls equal.
    let isTextSet = types.last?.position == .set && types.last?.base == .string
    let contains = isTextSet ? "contains(where: { $0 == \(operand) })" : "contains(\(operand))"
    output.line(role.line("\(text)\(isOptional ? "?" : "").\(contains)\(mayBeAbsent ? " == true" : "")"))
  }

  private func printTest(
    _ left: String, _ comparison: ComparisonOperator, _ right: String, _ role: TermRole, _ output: inout CodePrinter
  ) {
    output.line(role.line("\(left) \(comparison.rawValue) \(right)"))
  }

  private func operandText(_ expression: ValueExpression, of base: BaseType) -> String {
    switch expression {
    case .literal(let literal): return printer.literalText(literal, of: base)
    case .me: return "context.user"
    case .lookup(let name, let key, _):
      guard let target = printer.schema.model(named: name), let path = target.identity.first else {
        preconditionFailure("the reader accepted a lookup of a model without an identity")
      }
      let label = printer.identityLabel(path)
      return "\(target.swiftName).id(in: context.queue, \(label): \(operandText(key, of: .userReference)))"
    case .now: return "context.now"
    case .today: return "context.today"
    case .object, .parameter: preconditionFailure("the reader accepted a value that conditions do not have")
    }
  }
}

/// Makes numbered names for local variables.
struct ListSteps {
  private var count = 0

  mutating func name(_ word: String = "step") -> String {
    count += 1
    return "\(word)\(count)"
  }
}

/// The role of a term in its condition.
private enum TermRole {
  /// The object is not in the list where the term does not hold.
  case must
  /// One of several terms in `any:`: where it holds, it sets the variable of this name to true.
  case may(String)
  /// The same where a term of the `any:` names `$now` or `$today`: its moments are added to the variable of this name.
  case mayForSomeTime(String)

  func line(_ test: String) -> String {
    switch self {
    case .must: "guard \(test) else { return nil }"
    case .may(let holds): "if \(test) { \(holds) = true }"
    case .mayForSomeTime(let holds): "if \(test) { \(holds) = .always }"
    }
  }

  /// `moments` is the expression for the moments at which the term holds.
  func timeLine(_ moments: String) -> String {
    switch self {
    case .must: return "moments.require(\(moments))"
    case .mayForSomeTime(let holds): return "\(holds).formUnion(\(moments))"
    case .may: preconditionFailure("a choice between terms without time has one with it")
    }
  }
}
