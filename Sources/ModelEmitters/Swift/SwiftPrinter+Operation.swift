// Prints an operation: a struct with its target and parameters, and a function that evaluates its changes.
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
    let name = "\(model.wireName).\(operation.wireName)"
    let target = ParameterDeclaration(name: "target", type: FieldType(.reference(model.name)))
    let properties = [target] + operation.parameters
    printer.lines(SwiftText.documentation(operation.doc))
    let head = "\(access) nonisolated struct \(operation.name.capitalised)"
    printer.block("\(head): ModelSupport.ModelOperation") { printer in
      for property in properties {
        printer.line("\(access) let \(SwiftText.name(property.name)): \(typeText(property.type))")
      }
      printer.line()
      printOperationInitializer(operation, target, &printer)
      printer.line()
      printRepetition(operation, &printer)
      printer.line()
      printer.line("\(access) static let operationName = \"\(name)\"")
      printer.line()
      printParameterTable(name, properties, &printer)
      printer.line()
      printEvaluation(operation, of: model, &printer)
    }
  }

  private func printOperationInitializer(
    _ operation: OperationDeclaration, _ target: ParameterDeclaration, _ printer: inout CodePrinter
  ) {
    // An optional parameter may be left out.
    let others = operation.parameters.map {
      parameter($0.name, typeText($0.type), $0.type.position == .optional ? "nil" : nil)
    }
    printer.list("\(access) init", [parameter("_ target", typeText(target.type))] + others, tail: " {")
    printer.indented { printer in
      for property in [target] + operation.parameters {
        printer.line("self.\(property.name) = \(SwiftText.name(property.name))")
      }
    }
    printer.line("}")
  }

  /// Prints the initializer that makes the operation again of a report that it did not happen.
  private func printRepetition(_ operation: OperationDeclaration, _ printer: inout CodePrinter) {
    let zeros = operation.parameters.map { "\($0.name): \(zeroText($0.type))" }
    printer.line("/// The operation with the parameters of a failed one; nil if that was another operation.")
    printer.block("\(access) init?(_ failed: ModelSupport.FailedOperation)") { printer in
      printer.list("self.init", [".zero"] + zeros, tail: "")
      printer.line("guard failed.read(into: &self) else { return nil }")
    }
  }

  /// Prints the table of parameters. Tags are positions: only people and `modelinspect` read parameters.
  private func printParameterTable(
    _ name: String, _ properties: [ParameterDeclaration], _ printer: inout CodePrinter
  ) {
    printer.line("\(access) static let fieldTable = ModelSupport.FieldTable(")
    printer.indented { printer in
      printer.line("projection: \"\(name)\",")
      for (index, property) in properties.enumerated() {
        let arguments = [String(index + 1), "\"\(property.name)\"", "\\Self.\(property.name)"]
        let comma = index + 1 < properties.count ? "," : ""
        printer.list("ModelSupport.Field", arguments, tail: comma)
      }
    }
    printer.line(")")
  }

  private func printEvaluation(
    _ operation: OperationDeclaration, of model: ModelDeclaration, _ printer: inout CodePrinter
  ) {
    let values = OperationValues(printer: self, model: model, parameters: operation.parameters)
    // A deprecated function may read deprecated fields without a warning. Callers go through the protocol, so they see
    // none either.
    if values.readDeprecated(operation) { printer.line("@available(*, deprecated)") }
    printer.block("\(access) func evaluate(in context: inout ModelSupport.OperationContext) throws") { printer in
      var body = OperationBody(values)
      body.print(operation, &printer)
    }
  }
}
