// Prints the values and conditions of a list.
import ModelSchema

extension ListPrinter {
  /// A value of the object; behind many values stand those of each.
  func value(_ path: FieldPath) -> (text: String, type: FieldType) {
    var text = "fields.\(path.names[0])"
    var inner = self.type(of: FieldPath([path.names[0]]))
    // A `?` stands behind what is optional itself, and behind a name for a chain with one.
    for name in path.names.dropFirst() {
      let next = printer.field(name, of: inner.base).type
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

  /// Conditions without which the list does not have the object.
  func printCondition(_ condition: Condition, _ steps: inout ListSteps, _ output: inout CodePrinter) {
    guard case .any(let terms) = condition else { return printTerm(condition, .must, &steps, &output) }
    let holds = steps.name("holds")
    guard !condition.followsTime else {
      output.line("var \(holds) = ModelRuntime.ListTermMoments.never")
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
      // Enums compare by their numbers.
      let right = printer.baseText(field.type.base) + operand + ".rawValue"
      printTest(text + ".rawValue", comparison, right, role, &output)
    }
  }

  /// Not a test of this moment, but at which moments the term holds.
  private func printTime(
    _ field: (text: String, type: FieldType), _ comparison: ComparisonOperator, _ operand: String, _ role: TermRole,
    _ steps: inout ListSteps, _ output: inout CodePrinter
  ) {
    printPresent(field, role, &steps, &output) { text, output in
      output.line(role.timeLine("\(text) \(comparison.rawValue) \(operand)"))
    }
  }

  /// An absent value is neither less nor greater.
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
    // Behind a `?.` the rest of the path is as it is without it: its own mark is for the last name alone.
    let types = types(along: path)
    let isOptional = types.last?.position == .optional && !types.dropLast().contains { $0.position.isMany }
    let mayBeAbsent = isOptional || text.contains("?.")
    output.line(role.line("\(text)\(isOptional ? "?" : "").contains(\(operand))\(mayBeAbsent ? " == true" : "")"))
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

/// Names for values on the way.
struct ListSteps {
  private var count = 0

  mutating func name(_ word: String = "step") -> String {
    count += 1
    return "\(word)\(count)"
  }
}

/// The part that a term plays in a condition.
private enum TermRole {
  /// Without it the object is not in the list.
  case must
  /// Holding, it sets the variable of this name.
  case may(String)
  /// Its moments become moments of this name: one of its kind names `$now` or `$today`.
  case mayForSomeTime(String)

  func line(_ test: String) -> String {
    switch self {
    case .must: "guard \(test) else { return nil }"
    case .may(let holds): "if \(test) { \(holds) = true }"
    case .mayForSomeTime(let holds): "if \(test) { \(holds) = .always }"
    }
  }

  /// `moments` are those of a term.
  func timeLine(_ moments: String) -> String {
    switch self {
    case .must: return "moments.require(\(moments))"
    case .mayForSomeTime(let holds): return "\(holds).formUnion(\(moments))"
    case .may: preconditionFailure("a choice between terms without time has one with it")
    }
  }
}
