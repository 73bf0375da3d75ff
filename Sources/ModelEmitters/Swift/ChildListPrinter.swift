// Prints the children in a list for each object that its `per:` names, where a view asks about them.
import ModelSchema

/// What the children of one object are sorted by.
enum ChildOrder: Hashable {
  case none
  /// By the values of a field.
  case value(FieldPath)
  /// By the values of a field, as whole numbers that are added up.
  case sum(FieldPath)
  /// As the list is ordered first.
  case list

  init(_ question: ChildQuestion) {
    switch question {
    case .count: self = .none
    case .countOf(let field, _, _), .groups(let field): self = .value(field)
    case .sum(let field): self = .sum(field)
    case .newest: self = .list
    }
  }

  fileprivate var words: [String] {
    switch self {
    case .none: []
    case .value(let field): ["by"] + field.names
    case .sum(let field): ["sum"] + field.names
    case .list: ["newest"]
    }
  }

  /// What the server notes has its sign as a second `_`: `_inRoom_by__created`.
  fileprivate func name(of list: String) -> String {
    "_" + ([list] + words).map { $0.hasPrefix("$") ? "_" + $0.dropFirst() : $0 }.joined(separator: "_")
  }
}

struct ChildListPrinter {
  let list: ListPrinter
  let order: ChildOrder

  /// The static property that has the children of a question: `Message._inRoom_by_sentAt`. No name of a schema has `_`.
  static func name(of term: ChildTerm, _ printer: SwiftPrinter) -> String {
    let order = ChildOrder(term.question)
    return "\(printer.modelName(term.model)).\(order.name(of: term.list))"
  }

  /// How the children of a list are asked for by all views, each once.
  static func orders(of list: ListDeclaration, of model: ModelDeclaration, in schema: Schema) -> [ChildOrder] {
    var orders: [ChildOrder] = []
    for case .children(let term) in schema.models.flatMap(\.views).flatMap(\.fields).map(\.source)
    where term.model == model.name && term.list == list.name && !orders.contains(ChildOrder(term.question)) {
      orders.append(ChildOrder(term.question))
    }
    return orders
  }

  func print(_ output: inout CodePrinter) {
    guard let per = list.list.per else { preconditionFailure("the reader accepted children of a list without `per:`") }
    let parent = list.value(FieldPath([per]))
    guard case .reference(let model) = parent.type.base else {
      preconditionFailure("the reader accepted children whose `per:` is no ref")
    }
    let type = "ModelSupport.ChildList<Self, \(list.printer.modelName(model))>"
    output.line("static var \(order.name(of: list.list.name)): \(type) {")
    output.indented { output in
      output.list("ModelSupport.ChildList", arguments(per), tail: list.closureHead)
      output.indented { output in
        var steps = ListSteps()
        for condition in list.list.conditions { list.printCondition(condition, &steps, &output) }
        let isOptional = parent.type.position == .optional
        let child = "ModelSupport.Child(of: \(isOptional ? "$0" : parent.text)\(key))"
        output.line("return \(isOptional ? "\(parent.text).map { \(child) }" : child)")
      }
      output.line("}")
    }
    output.line("}")
  }

  private func arguments(_ per: String) -> [String] {
    let words = [list.model.wireName + "." + list.list.name] + order.words
    var arguments = ["\"\(words.joined(separator: " "))\""]
    if list.model.queue == .field(per) { arguments.append("perQueue: true") }
    if case .value(let field) = order, list.type(of: field).base == .string { arguments.append("order: .bytes") }
    return arguments
  }

  private var key: String {
    switch order {
    case .none: ""
    case .value(let field): ", by: .ascending(\(list.value(field).text))"
    case .sum(let field): ", adding: \(list.value(field).text)"
    case .list:
      ", by: .\(list.list.order[0].descending ? "descending" : "ascending")(\(list.value(list.list.order[0].field).text))"
    }
  }
}

extension ChildOrder {
  /// The field that is read besides those of the list.
  var field: FieldPath? {
    switch self {
    case .value(let field), .sum(let field): field
    case .none, .list: nil
    }
  }
}

extension ListPrinter {
  /// The list of a question.
  init(_ term: ChildTerm, _ printer: SwiftPrinter) {
    guard let model = printer.schema.model(named: term.model),
      let list = model.lists.first(where: { $0.name == term.list })
    else { preconditionFailure("the reader accepted a question about a list that is not there") }
    self.init(printer: printer, model: model, list: list)
  }
}
