// Draws a schema: models, their fields, and which object names which. The text is a class diagram of Mermaid
// (https://mermaid.js.org/syntax/classDiagram.html), which GitHub, GitLab and most editors show as a picture.
public import ModelSchema

/// The picture of a schema.
public struct ModelDiagram {
  private let schema: Schema

  public init(_ schema: Schema) {
    self.schema = schema
  }

  /// The diagram, without the fence around it. Every word in it is a name that the schema language allows.
  public var mermaid: String {
    var printer = CodePrinter()
    printer.line("classDiagram")
    printer.indented { printer in
      printer.line("direction LR")
      for file in schema.files {
        if let model = file.model { printClass(model, &printer) }
        for type in file.structs { printClass(type.swiftName, "struct", type.fields, &printer) }
        for type in file.enums { printClass(type, &printer) }
      }
      for model in schema.models { printReferences(model, &printer) }
    }
    return printer.text
  }

  private func printClass(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    let kind =
      switch model.queue {
      case _ where model.isEphemeral: "ephemeral"
      case .own: "queue"
      case .field: "model"
      case .home: "in a home queue"
      case .device: "on the device"
      }
    printClass(model.swiftName, kind, model.fields, &printer)
  }

  private func printClass(
    _ name: String, _ kind: String, _ fields: [FieldDeclaration], _ printer: inout CodePrinter
  ) {
    printer.block("class \(name)") { printer in
      printer.line("<<\(kind)>>")
      for field in fields where field.deprecated == nil {
        printer.line("\(text(field.type)) \(field.name)")
      }
    }
  }

  private func printClass(_ type: EnumDeclaration, _ printer: inout CodePrinter) {
    printer.block("class \(type.swiftName)") { printer in
      printer.line("<<enum>>")
      for one in type.cases { printer.line(one.name) }
    }
  }

  /// Prints an arrow for each field that names objects. What is part of a queue hangs on a filled diamond.
  private func printReferences(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    for field in model.fields where field.deprecated == nil {
      guard case .reference(let name) = field.type.base, let target = schema.model(named: name) else { continue }
      if model.queue == .field(field.name) {
        printer.line("\(target.swiftName) *-- \(model.swiftName)")
      } else {
        let many = field.type.position == .list || field.type.position == .set
        printer.line("\(model.swiftName) --> \(many ? "\"*\" " : "")\(target.swiftName) : \(field.name)")
      }
    }
  }

  /// The type as the schema says it. `~T~` is how Mermaid writes `<T>`.
  private func text(_ type: FieldType) -> String {
    let base =
      switch type.base {
      case .userReference: "user"
      case .reference(let name): schema.model(named: name)?.swiftName ?? name
      case .structure(let name), .enumeration(let name): name.name.capitalised
      default: "\(type.base)"
      }
    return switch type.position {
    case .single: base
    case .optional: base + "?"
    case .list: "list~\(base)~"
    case .set: "set~\(base)~"
    }
  }
}
