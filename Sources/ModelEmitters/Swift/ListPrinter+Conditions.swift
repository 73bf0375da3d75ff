// What a list asks of an object: its values and its conditions, each on lines that stay short.
import ModelSchema

extension ListPrinter {
  /// A value of the object; along a long path each step has a name, so that every line stays short.
  func value(
    _ path: FieldPath, _ steps: inout ListSteps, _ output: inout CodePrinter
  ) -> (text: String, type: FieldType) {
    let type = type(of: path)
    if let known = steps.known[path] { return (known, type) }
    var text = "fields.\(path.names[0])"
    var isOptional = self.type(of: FieldPath([path.names[0]])).position == .optional
    for (index, name) in path.names.enumerated().dropFirst() {
      if text.utf8.count + name.utf8.count > 60 {
        let step = steps.name()
        output.line("let \(step) = \(text)")
        text = step
      }
      text += (isOptional ? "?." : ".") + name
      isOptional = isOptional || self.type(of: FieldPath(Array(path.names[...index]))).position == .optional
    }
    if text.utf8.count > 60 {
      let step = steps.name()
      output.line("let \(step) = \(text)")
      text = step
    }
    steps.known[path] = text
    return (text, type)
  }

  func printCondition(_ condition: Condition, _ steps: inout ListSteps, _ output: inout CodePrinter) {
    let field = value(condition.field, &steps, &output)
    switch condition {
    case .isNull: output.line("guard \(field.text) == nil else { return nil }")
    case .isNotNull: output.line("guard \(field.text) != nil else { return nil }")
    case .compare(_, let comparison, let expression):
      let operand = operandText(expression, of: field.type.base)
      switch comparison {
      case .equal, .notEqual: printTest(field.text, comparison, operand, &steps, &output)
      case .contains: printContains(field, operand, &steps, &output)
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        var (left, right) = (field.text, operand)
        if field.type.position == .optional {
          left = steps.name()
          output.line("guard let \(left) = \(field.text) else { return nil }")
        }
        if case .enumeration = field.type.base {
          // Enums compare by their numbers.
          (left, right) = (left + ".rawValue", printer.baseText(field.type.base) + operand + ".rawValue")
        }
        printTest(left, comparison, right, &steps, &output)
      }
    }
  }

  private func printContains(
    _ field: (text: String, type: FieldType), _ operand: String, _ steps: inout ListSteps, _ output: inout CodePrinter
  ) {
    let isOptional = field.type.position == .optional
    // Behind a `?.` the rest of the path is as it is without it.
    let mark = isOptional && !field.text.contains("?.") ? "?" : ""
    func line(_ operand: String) -> String {
      "guard \(field.text)\(mark).contains(\(operand))\(isOptional ? " == true" : "") else { return nil }"
    }
    output.line(line(output.fits(line(operand)) ? operand : named(operand, &steps, &output)))
  }

  private func printTest(
    _ left: String, _ comparison: ComparisonOperator, _ right: String, _ steps: inout ListSteps,
    _ output: inout CodePrinter
  ) {
    func line(_ left: String, _ right: String) -> String {
      "guard \(left) \(comparison.rawValue) \(right) else { return nil }"
    }
    if output.fits(line(left, right)) { return output.line(line(left, right)) }
    let name = named(left, &steps, &output)
    if output.fits(line(name, right)) { return output.line(line(name, right)) }
    // What begins with a dot has its type from the other side, and is short enough.
    output.line(line(name, right.hasPrefix(".") ? right : named(right, &steps, &output)))
  }

  /// A name for a value that is too long for its line.
  private func named(_ text: String, _ steps: inout ListSteps, _ output: inout CodePrinter) -> String {
    if text.hasPrefix(".") || text.hasPrefix("step") { return text }
    let name = steps.name()
    if output.fits("let \(name) = \(text)") {
      output.line("let \(name) = \(text)")
    } else {
      output.line("let \(name) =")
      output.indented { printer.printChain(text, tail: "", deeper: false, &$0) }
    }
    return name
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
    case .now, .object, .parameter: preconditionFailure("the reader accepted a value that conditions do not have")
    }
  }
}

/// Names for values that a list uses more than once, or that are long.
struct ListSteps {
  var known: [FieldPath: String] = [:]
  private var count = 0

  mutating func name() -> String {
    count += 1
    return "step\(count)"
  }
}

extension Condition {
  var field: FieldPath {
    switch self {
    case .compare(let field, _, _), .isNull(let field), .isNotNull(let field): field
    }
  }
}
