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
  var words = ViewWords()

  func print(_ output: inout CodePrinter) {
    // The values are printed first, because they decide the types of the properties.
    var body = CodePrinter()
    var steps = ViewSteps()
    var values: [(name: String, value: ViewValue)] = []
    body.indented { body in
      body.indented { body in
        body.indented { body in
          for field in view.fields { values.append((field.name, value(of: field.source, &steps, &body))) }
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

  func value(of source: ViewSource, _ steps: inout ViewSteps, _ output: inout CodePrinter) -> ViewValue {
    let object = ViewValue(text: words.object, type: FieldType(.reference(model.name)))
    switch source {
    case .path(let path): return follow(path.names, from: object, &steps, &output)
    case .count(let path):
      var value = follow(path.names, from: object, &steps, &output)
      value.text += value.needsMark ? "?.count" : ".count"
      value.swiftType = "Swift.Int"
      return value
    case .children(let term): return ask(term, &steps, &output)
    case .lookup(let name, let key, let path):
      let id = lookup(name, key, from: object, &steps, &output)
      return follow(path, from: ViewValue(text: id, type: FieldType(.reference(name)), isID: true), &steps, &output)
    }
  }

  /// A question about the children of the object.
  private func ask(_ term: ChildTerm, _ steps: inout ViewSteps, _ output: inout CodePrinter) -> ViewValue {
    let children = "\(ChildListPrinter.name(of: term, printer)), of: \(words.id)"
    let source = words.source
    switch term.question {
    case .count:
      let step = steps.named("try \(source).count(\(children))", &output)
      return ViewValue(text: step, type: FieldType(.int64), swiftType: "Swift.Int")
    case .countOf(_, let comparison, let bound):
      let value = value(of: bound, &steps, &output).text
      let step = steps.named("try \(source).count(\(children), .\(comparison.word), \(value))", &output)
      return ViewValue(text: step, type: FieldType(.int64), swiftType: "Swift.Int")
    case .sum:
      let step = steps.named("try \(source).sum(\(children))", &output)
      return ViewValue(text: step, type: FieldType(.int64))
    case .groups(let path):
      let type = ListPrinter(term, printer).type(of: path)
      let base = printer.typeText(FieldType(type.base))
      let text = type.position == .optional ? "Swift.Optional<\(base)>" : base
      let step = steps.named("try \(source).counts(\(children), by: \(text).self)", &output)
      return ViewValue(text: step, type: FieldType(.int64), swiftType: "[ModelSupport.ValueCount<\(text)>]")
    case .newest(let path):
      let isDescending = ListPrinter(term, printer).list.order[0].descending
      let direction = isDescending ? ", isDescending: true" : ""
      let step = steps.named("try \(source).newest(\(children)\(direction))", &output)
      let child = ViewValue(text: step, type: FieldType(.reference(term.model)), isOptional: true, isID: true)
      return follow(path, from: child, &steps, &output)
    }
  }

  private func follow(
    _ names: [String], from start: ViewValue, _ steps: inout ViewSteps, _ output: inout CodePrinter
  ) -> ViewValue {
    var value = start
    for (index, name) in names.enumerated() {
      if let system = SystemField(rawValue: name) {
        return self.value(of: system, of: index > 0 || start.isID ? value : nil, &steps, &output)
      }
      if index > 0 || start.isID, case .reference = value.type.base {
        value.text = steps.named("try \(words.source).object(\(value.text))", &output)
        (value.isOptional, value.needsMark) = (true, true)
      }
      let inner = printer.field(name, of: value.type.base)
      if inner.isDeprecated { steps.readsDeprecated = true }
      // The fields of a list are a struct of its own, by their names.
      let isStored = words.readsStorage && (index > 0 || start.isID)
      let name = isStored ? printer.storageName(name, isDeprecated: inner.isDeprecated) : name
      value.text += (value.needsMark ? "?." : ".") + name
      value.isHash = value.type.base == .file && inner.type.base == .data
      value.type = inner.type
      value.needsMark = inner.type.position == .optional
      if value.needsMark { value.isOptional = true }
    }
    value.isID = false
    return value
  }

  /// What the server notes of the object that a reference names; nil for the object of the view.
  private func value(
    of field: SystemField, of reference: ViewValue?, _ steps: inout ViewSteps, _ output: inout CodePrinter
  ) -> ViewValue {
    let property = printer.property(field)
    guard let reference else { return ViewValue(text: "\(words.source).system.\(property)", type: field.type) }
    let step = steps.named("try \(words.source).systemFields(of: \(reference.text))", &output)
    return ViewValue(text: "\(step)?.\(property)", type: field.type, isOptional: true, needsMark: false)
  }

  /// The expression for the id of an object that is looked up by its identity. Prints the steps that it needs.
  private func lookup(
    _ name: String, _ key: FieldPath?, from object: ViewValue, _ steps: inout ViewSteps, _ output: inout CodePrinter
  ) -> String {
    guard let target = printer.schema.model(named: name), let path = target.identity.first else {
      preconditionFailure("the reader accepted a lookup of a model without an identity")
    }
    let label = printer.identityLabel(path)
    func id(_ queue: String, _ value: String) -> String { "\(target.swiftName).id(in: \(queue), \(label): \(value))" }
    guard let key else {
      return steps.named("\(words.source).own(in: \(words.queue)) { \(id("$0", "$1")) }", &output)
    }
    var given = follow(key.names, from: object, &steps, &output)
    let isHash = printer.identityType(path, of: target).isHash
    if given.isHash, !isHash { given.text += given.needsMark ? "?.bytes" : ".bytes" }
    if isHash, !given.isHash {
      // In an optional chain, `flatMap` would be that of the byte array, so the optional gets a name first.
      given.text =
        given.isOptional
        ? "\(steps.named(given.text, &output)).flatMap { ModelSupport.ContentHash(bytes: $0) }"
        : "ModelSupport.ContentHash(bytes: \(given.text))"
      given.isOptional = true
    }
    guard given.isOptional else { return steps.named(id(words.queue, given.text), &output) }
    let value = steps.named(given.text, &output)
    return steps.named("\(value).map { \(id(words.queue, "$0")) }", &output)
  }
}

/// What the code around calls the object, its id and queue, and the source of others.
struct ViewWords {
  var object = "object"
  var id = "object.id"
  var queue = "object.queueID"
  var source = "source"
  /// Whether deprecated fields are read by the names of what is stored, which have no warning.
  var readsStorage = false
}

/// An expression in the initialiser of a view.
struct ViewValue {
  var text: String
  var type: FieldType
  /// The Swift type, where it differs from that of `type`, as for counts.
  var swiftType: String?
  var isOptional = false
  /// Whether a member access needs `?.`.
  var needsMark = false
  var isHash = false
  /// A computed id: its object is looked up before the first name of a path.
  var isID = false
}

/// The local values of an initialiser. An expression that occurs again reuses the name of the first.
struct ViewSteps {
  var readsDeprecated = false
  private let word: String
  private var known: [String: String] = [:]

  init(_ word: String = "step") { self.word = word }

  mutating func named(_ text: String, _ output: inout CodePrinter) -> String {
    if let name = known[text] { return name }
    let name = "\(word)\(known.count + 1)"
    known[text] = name
    output.line("let \(name) = \(text)")
    return name
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

extension ComparisonOperator {
  fileprivate var word: String {
    switch self {
    case .equal: "equal"
    case .notEqual: "notEqual"
    case .less: "less"
    case .lessOrEqual: "lessOrEqual"
    case .greater: "greater"
    case .greaterOrEqual: "greaterOrEqual"
    case .contains: preconditionFailure("the reader accepted `contains` between children and a value")
    }
  }
}
