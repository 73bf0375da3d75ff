// Prints a model: a struct with its fields, initialisers, field table, queue and id.
import ModelSchema

extension SwiftPrinter {
  func printModel(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    let name = model.swiftName
    let readOnly = Set(model.fixedFields)
    let converted = ConversionPrinter(self, of: model.fields, owner: name)
    printer.lines(SwiftText.documentation(model.doc))
    let kind = model.queue == .own ? "QueueModel" : "Model"
    printer.block("\(access) nonisolated struct \(name): ModelSupport.\(kind)") { printer in
      printer.line("\(access) typealias ID = ModelSupport.ObjectID<\(name)>")
      printer.line()
      printer.line("\(access) let id: Self.ID")
      printProperties(model.fields, readOnly: readOnly, converted, &printer)
      printer.line()
      printMemberwiseInitializer(model, converted, &printer)
      printer.line()
      printer.line("// What decoding starts from: declared defaults and zeros.")
      printer.block("\(access) init(zeroWithID id: Self.ID)") { printer in
        printer.line("self.id = id")
        printZeroAssignments(model.fields, converted, &printer)
      }
      converted.printProperties(model.fields, &printer)
      printDeprecatedProperties(model.fields, readOnly: readOnly, &printer)
    }
    printer.line()
    printer.block("nonisolated extension \(name)") { printer in
      printer.line("\(access) static let modelName = \"\(model.wireName)\"")
      printer.line()
      printFieldTable(name: model.name, model.fields, converted, &printer)
      printer.line()
      printer.line("\(access) var queueID: ModelSupport.QueueID? { \(queueText(model)) }")
      printNewestBy(model, &printer)
      printFileTags(model, &printer)
      printAccess(model, &printer)
      printIdentity(model, &printer)
      printQuery(model, &printer)
    }
    converted.printProtocol(&printer)
    printOperations(of: model, &printer)
    printLists(of: model, &printer)
    printViews(of: model, &printer)
  }

  private func printMemberwiseInitializer(
    _ model: ModelDeclaration, _ converted: ConversionPrinter, _ printer: inout CodePrinter
  ) {
    let isDerived = !model.identity.isEmpty
    let id = model.queue == .own ? "id: Self.ID = .new()" : "id: Self.ID? = nil"
    // A queue of no users is a mistake, so their set has no default.
    let sets = model.identity.filter { identityType($0, of: model).type.position == .set }
    let fields = parameters(model.fields, required: Set(sets.map { $0.names[0] }), converted)
    printer.list("\(access) init", (isDerived ? [] : [id]) + fields, tail: " {")
    printer.indented { printer in
      if isDerived {
        let values = model.identity.map {
          "\(identityLabel($0)): \(([SwiftText.name($0.names[0])] + $0.names.dropFirst()).joined(separator: "."))"
        }
        let queue = model.queue == .own ? [] : ["in: \(queueArgument(model))"]
        printer.list("self.id = Self.id", queue + values)
      } else if model.queue == .own {
        printer.line("self.id = id")
      } else {
        printer.line("self.id = id ?? .new(in: \(queueArgument(model)))")
      }
      printAssignments(model.fields, converted, &printer)
      // An id is derived from what the object holds, so it holds that form of a text.
      for path in model.identity where identityType(path, of: model).type.base == .string {
        let place = "self." + ([SwiftText.name(path.names[0])] + path.names.dropFirst()).joined(separator: ".")
        printer.line("\(place) = ModelSupport.IdentityHasher.text(\(place))")
      }
    }
    printer.line("}")
  }

  /// Prints `id(in:…)`, which derives an id from the identity fields, whether or not the object exists. A queue is in no
  /// other one, so its function has no `in:`.
  private func printIdentity(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    guard !model.identity.isEmpty else { return }
    printer.line()
    let isQueue = model.queue == .own
    let what = isQueue ? "The id that the queue has" : "The id that such an object has in a queue"
    printer.line("/// \(what), whether it is there or not.")
    let values = model.identity.map { parameter(identityLabel($0), identityTypeText($0, of: model)) }
    let queue = isQueue ? [] : [parameter("in queueID", "ModelSupport.QueueID?")]
    printer.list("\(access) static func id", queue + values, tail: " -> Self.ID {")
    printer.indented { printer in
      let place = isQueue ? "schema: \"\(schema.name)\"" : "queue: queueID"
      printer.list("var _identity = ModelSupport.IdentityHasher", [place, "model: Self.modelName"])
      for path in model.identity {
        let tag = model.field(named: path.names[0])?.tag ?? 0
        printer.line("_identity.combine(\(SwiftText.grouped(String(tag))), \(SwiftText.name(identityLabel(path))))")
      }
      printer.line("return _identity.finish()")
    }
    printer.line("}")
  }

  private func identityTypeText(_ path: FieldPath, of model: ModelDeclaration) -> String {
    let (type, isHash) = identityType(path, of: model)
    return isHash ? "ModelSupport.ContentHash" : typeText(type)
  }

  /// Prints the query of a model. Objects that stay on the device are on no server, so their models get none.
  private func printQuery(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    if model.queue == .device { return }
    printer.line()
    printer.line("/// Reads the objects of a queue without a store.")
    printer.line("\(access) static var deltaQuery: ModelSupport.DeltaQuery<Self> { .init(of: \(registry).self) }")
  }

  /// Prints the tags of the fields that hold files, directly or inside a struct.
  private func printFileTags(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    let tags = model.fields.filter { namesFiles($0.type.base) }.map(\.tag).sorted()
    guard !tags.isEmpty else { return }
    let text = tags.map { SwiftText.grouped(String($0)) }.joined(separator: ", ")
    printer.line("\(access) static var fileTags: [Swift.Int] { [\(text)] }")
  }

  private func printNewestBy(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    guard let name = model.newestBy, let field = model.field(named: name) else { return }
    printer.line("\(access) static var newestByTag: Swift.Int? { \(SwiftText.grouped(String(field.tag))) }")
    let value = "self.\(storageName(field))"
    let optional = field.type.position == .optional ? "?" : ""
    let text =
      switch field.type.base {
      case .timestamp: "\(value)\(optional).millisecondsSince1970"
      case .int64, .counter: value
      default: field.type.position == .optional ? "\(value).map(Swift.Int64.init)" : "Swift.Int64(\(value))"
      }
    printer.line("\(access) var newestBy: Swift.Int64? { \(text) }")
  }

  /// The expression for the queue, from the initialiser's parameter or from a variable called `value` in its place.
  func queueArgument(_ model: ModelDeclaration, named value: String? = nil) -> String {
    switch model.queue {
    case .field(let name): "\(value ?? SwiftText.name(name)).queueID"
    case .home(let name): "\(registry).homeQueueID(of: \(value ?? SwiftText.name(name)))"
    case .own, .device: "nil"
    }
  }

  func queueText(_ model: ModelDeclaration) -> String {
    func stored(_ name: String) -> String { model.field(named: name).map(storageName) ?? name }
    return switch model.queue {
    case .own: "self.id.queueID"
    case .field(let name): "self.\(stored(name)).queueID"
    case .home(let name): "\(registry).homeQueueID(of: self.\(stored(name)))"
    case .device: "nil"
    }
  }
}
