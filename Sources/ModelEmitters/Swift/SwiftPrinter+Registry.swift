// Prints the registry: one type for the whole schema. An app opens a store with it.
import ModelSchema

extension SwiftPrinter {
  /// The name of the registry in generated code.
  var registry: String { "\(schema.name)Schema" }

  func registryFile() -> EmittedFile {
    var printer = header(source: "modelgen.yaml")
    printer.line("/// The models of this schema, as a store takes them.")
    printer.block("\(access) nonisolated enum \(registry): ModelSupport.SchemaDescription") { printer in
      printer.line("\(access) static let name = \"\(schema.name)\"")
      printer.line("\(access) static let version = \"\(schema.version)\"")
      let models = schema.storedModels.map { "\($0.swiftName).self" }
      printer.list("\(access) static let models: [any ModelSupport.Model.Type] = ", models, in: ("[", "]"))
      let operations = schema.storedModels.flatMap { model in
        model.operations.map { "\(model.swiftName).\($0.name.capitalised).self" }
      }
      let head = "\(access) static let operations: [any ModelSupport.ModelOperation.Type] = "
      printer.list(head, operations, in: ("[", "]"))
      printer.line()
      printer.line("// An error here: modelgen and ModelRuntime differ. Update the package, then generate again.")
      printer.line("private typealias _Generation = ModelSupport.\(RuntimeGeneration.current.symbol)")
    }
    return EmittedFile(path: RuntimeGeneration.path, contents: printer.text)
  }
}
