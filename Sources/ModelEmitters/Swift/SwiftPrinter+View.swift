// Prints views: for each a struct of the values that a row shows, and the initialiser that derives them.
import ModelSchema

extension SwiftPrinter {
  func printViews(of model: ModelDeclaration, _ printer: inout CodePrinter) {
    guard !model.views.isEmpty else { return }
    printer.line()
    printer.block("nonisolated extension \(model.swiftName)") { printer in
      for (index, view) in model.views.enumerated() {
        if index > 0 { printer.line() }
        ViewPrinter(printer: self, model: model, view: view).print(&printer)
      }
    }
  }
}

/// Prints one view.
struct ViewPrinter {
  let printer: SwiftPrinter
  let model: ModelDeclaration
  let view: ViewDeclaration

  func print(_ output: inout CodePrinter) {
    // The values are printed first, because they decide the types of the properties.
    var body = CodePrinter()
    let printing = ViewValuePrinter(printer: printer, model: model)
    var steps = ViewSteps()
    var values: [(name: String, value: ViewValue)] = []
    body.indented { body in
      body.indented { body in
        body.indented { body in
          for field in view.fields { values.append((field.name, printing.value(of: field.source, &steps, &body))) }
        }
      }
    }
    output.lines(SwiftText.documentation(view.doc))
    let name = view.name.capitalised
    output.block("\(printer.access) nonisolated struct \(name): ModelSupport.EncodableView") { output in
      output.line("\(printer.access) let id: \(model.swiftName).ID")
      for (name, value) in values {
        output.line("\(printer.access) let \(SwiftText.name(name)): \(printer.viewType(value))")
      }
      output.line()
      if steps.readsDeprecated { output.line("@available(*, deprecated)") }
      let object = "of object: \(model.swiftName)"
      let source = "from source: some ModelSupport.ViewSource"
      output.list("\(printer.access) init", [object, source], tail: " throws {")
      output.written(body.text)
      output.indented { output in
        output.line("self.id = object.id")
        for (name, value) in values { output.line("self.\(name) = \(value.text)") }
      }
      output.line("}")
      output.line()
      printTable(&output)
    }
  }

  /// Prints the table by which the view is encoded as JSON.
  private func printTable(_ output: inout CodePrinter) {
    output.line("\(printer.access) static let fieldTable = ModelSupport.ViewTable<Self>(")
    output.indented { output in
      for (index, field) in view.fields.enumerated() {
        let arguments = ["\"\(field.name)\"", "\\Self.\(field.name)"]
        output.list("ModelSupport.ViewField", arguments, tail: index + 1 < view.fields.count ? "," : "")
      }
    }
    output.line(")")
  }
}

extension SwiftPrinter {
  func modelName(_ name: String) -> String { schema.model(named: name)?.swiftName ?? name.capitalised }

  fileprivate func viewType(_ value: ViewValue) -> String {
    let position = value.type.position == .optional ? .single : value.type.position
    let known = value.isHash ? "ModelSupport.ContentHash" : value.swiftType
    return (known ?? typeText(FieldType(value.type.base, position))) + (value.isOptional ? "?" : "")
  }
}
