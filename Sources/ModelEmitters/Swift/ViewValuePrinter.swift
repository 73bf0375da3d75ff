// Prints the expressions for what a view field shows, in the initialiser of a view or where a list reads it.
import ModelSchema

struct ViewValuePrinter {
  let printer: SwiftPrinter
  /// The model of the object that the view shows.
  let model: ModelDeclaration
  var words = ViewWords()

  /// The expression for a value. Prints the steps that it needs.
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
