// Prints an ephemeral model: a struct that also says to which queue it is shown, and for how long.
import ModelSchema

extension SwiftPrinter {
  func printEphemeral(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    let converted = ConversionPrinter(self, of: model.fields, owner: model.swiftName)
    printer.lines(SwiftText.documentation(model.doc))
    printer.block("\(access) nonisolated struct \(model.swiftName): ModelSupport.EphemeralModel") {
      printStructBody(name: model.name, model.fields, readOnly: Set(model.fixedFields), converted, &$0)
    }
    printer.line()
    printer.block("nonisolated extension \(model.swiftName)") { printer in
      printer.line("\(access) static let modelName = \"\(model.wireName)\"")
      let milliseconds = SwiftText.grouped(String((model.ephemeralSeconds ?? 0) * 1000))
      printer.line("\(access) static let lifetimeMilliseconds: Swift.Int64 = \(milliseconds)")
      printer.line("\(access) var queueID: ModelSupport.QueueID { \(queueText(model)) }")
    }
    converted.printProtocol(&printer)
  }
}
