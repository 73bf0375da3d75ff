// A model: a struct of its fields, what decoding starts from, its table and its queue.
import ModelSchema

extension SwiftPrinter {
  func printModel(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    let name = model.swiftName
    let readOnly = Set(immutableFields(model))
    printer.lines(SwiftText.documentation(model.doc))
    printConformingType("\(access) nonisolated struct \(name)", "Model", &printer) { printer in
      printer.line("\(access) typealias ID = ModelRuntime.ObjectID<\(name)>")
      printer.line()
      printer.line("\(access) let id: Self.ID")
      printProperties(model.fields, readOnly: readOnly, &printer)
      printer.line()
      printMemberwiseInitializer(model, &printer)
      printer.line()
      printer.line("// What decoding starts from: declared defaults and zeros.")
      printer.block("\(access) init(zeroWithID id: Self.ID)") { printer in
        printer.line("self.id = id")
        printZeroAssignments(model.fields, &printer)
      }
      printDeprecatedProperties(model.fields, readOnly: readOnly, &printer)
    }
    printer.line()
    printer.block("nonisolated extension \(name)") { printer in
      printer.line("\(access) static let modelName = \"\(model.wireName)\"")
      printer.line()
      printFieldTable(name: model.name, model.fields, &printer)
      printer.line()
      printComputed("\(access) var queueID: ModelRuntime.QueueID?", queueText(model), &printer)
    }
  }

  /// The queue field and the identity fields never change after creation.
  private func immutableFields(_ model: ModelDeclaration) -> [String] {
    var names = model.identity.map { $0.names[0] }
    switch model.queue {
    case .field(let name), .home(let name): names.append(name)
    case .own, .device: break
    }
    return names
  }

  private func printMemberwiseInitializer(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    let derived = !model.identity.isEmpty
    let id = derived ? [] : [CodeArgument("id: Self.ID = .new()")]
    printer.list("\(access) init", id + parameters(model.fields), tail: " {")
    printer.indented { printer in
      if derived {
        printIdentity(model, &printer)
      } else {
        printer.line("self.id = id")
      }
      printAssignments(model.fields, &printer)
    }
    printer.line("}")
  }

  private func printIdentity(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    let arguments = ["queue: \(queueArgument(model))", "model: Self.modelName"].map { CodeArgument($0) }
    printer.list("var _identity = ModelRuntime.IdentityHasher", arguments)
    for path in model.identity {
      let tag = model.field(named: path.names[0])?.tag ?? 0
      let value = path.names.joined(separator: ".")
      let argument = CodeArgument(value) { printer, _ in printMember(value, deeper: true, &printer) }
      printer.list("_identity.combine", [CodeArgument(SwiftText.grouped(String(tag))), argument])
    }
    printer.line("self.id = _identity.finish()")
  }

  /// The queue from the initialiser's parameters.
  private func queueArgument(_ model: ModelDeclaration) -> String {
    switch model.queue {
    case .field(let name): "\(name).queueID"
    case .home(let name): "\(name).homeQueueID"
    case .own, .device: "nil"
    }
  }

  private func queueText(_ model: ModelDeclaration) -> String {
    func stored(_ name: String) -> String { model.field(named: name).map(storageName) ?? name }
    return switch model.queue {
    case .own: "self.id.queueID"
    case .field(let name): "self.\(stored(name)).queueID"
    case .home(let name): "self.\(stored(name)).homeQueueID"
    case .device: "nil"
    }
  }
}
