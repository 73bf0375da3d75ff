// Prints lists: for each a definition, and a struct of the fields that it reads.
import ModelSchema

extension SwiftPrinter {
  func printLists(of model: ModelDeclaration, _ printer: inout CodePrinter) {
    guard !model.lists.isEmpty else { return }
    printer.line()
    printer.block("nonisolated extension \(model.swiftName)") { printer in
      for (index, list) in model.lists.enumerated() {
        if index > 0 { printer.line() }
        ListPrinter(printer: self, model: model, list: list).print(&printer)
      }
    }
  }
}

/// Prints one list.
struct ListPrinter {
  let printer: SwiftPrinter
  let model: ModelDeclaration
  let list: ListDeclaration

  func print(_ output: inout CodePrinter) {
    output.lines(SwiftText.documentation(list.doc))
    let type = "ModelSupport.ListDefinition<Self, \(sectionType)>"
    if let name = list.per {
      let label = FieldPath([name]).system.map(\.word) ?? name
      let parameter = printer.parameter("\(label) value", printer.typeText(self.type(of: FieldPath([name]))))
      output.list("\(printer.access) static func \(SwiftText.name(list.name))", [parameter], tail: " -> \(type) {")
    } else {
      output.line("\(printer.access) static var \(SwiftText.name(list.name)): \(type) {")
    }
    output.indented { printDefinition(&$0) }
    output.line("}")
    output.line()
    printFields(&output)
    for order in childOrders {
      output.line()
      ChildListPrinter(list: self, order: order).print(&output)
    }
  }

  private var childOrders: [ChildOrder] { ChildListPrinter.orders(of: list, of: model, in: printer.schema) }

  var fieldsName: String { "_\(list.name.capitalised)Fields" }

  /// The head of the closure that says where an object stands. With `$now` or `$today` the closure also gets `moments`,
  /// for the times at which the object is in the list.
  var closureHead: String {
    let followsTime = list.conditions.contains(where: \.followsTime)
    return " { (fields: \(fieldsName), context\(followsTime ? ", moments" : "")) in"
  }

  private func printDefinition(_ output: inout CodePrinter) {
    var arguments = ["\"\(model.wireName).\(list.name)\""]
    if list.per != nil { arguments.append("per: value") }
    if let queue = queueOfParameter { arguments.append("in: \(queue)") }
    if !ordering.isEmpty { arguments.append("ModelSupport.ListOrdering(\(ordering.joined(separator: ", ")))") }
    if list.section != nil, list.order[0].descending { arguments.append("isDescending: true") }
    if let limit = list.limit { arguments.append("limit: \(SwiftText.grouped(String(limit)))") }
    if readsViews { arguments.append(askedArgument) }
    output.list("ModelSupport.ListDefinition", arguments, tail: closureHead)
    output.indented { output in
      var steps = ListSteps()
      if let name = list.per {
        let value = self.value(FieldPath([name])).text
        output.line("guard \(value) == value else { return nil }")
      }
      // What others have to be asked for comes last: most objects are out of the list by then.
      for condition in list.conditions where !readsViews(condition) { printCondition(condition, &steps, &output) }
      printViewValues(&output)
      for condition in list.conditions where readsViews(condition) { printCondition(condition, &steps, &output) }
      printPlace(&output)
    }
    output.line("}")
  }

  /// The queue of all objects in the list, where `per:` is the field that names it. Only that queue is read then.
  private var queueOfParameter: String? {
    switch model.queue {
    case .field(list.per): "value.queueID"
    case .home(list.per): "\(printer.registry).homeQueueID(of: value)"
    default: nil
    }
  }

  private func printPlace(_ output: inout CodePrinter) {
    var arguments: [String] = []
    if let key = sectionKey(&output) { arguments.append("section: \(key)") }
    arguments.append("order: \(orderKey(&output))")
    if let distinct = list.distinct {
      arguments.append("distinct: .exact(\(value(distinct).text))")
    }
    output.list("return ModelSupport.ListPlace", arguments)
  }
}

// The fields that a list reads.
extension ListPrinter {
  /// The fields that the list names and the field that names the queue, sorted by tag.
  private var fields: [FieldDeclaration] {
    var names = Set(list.order.map { $0.field.names[0] })
    if let per = list.per { names.insert(per) }
    if let section = list.section { names.insert(section.field.names[0]) }
    if let distinct = list.distinct { names.insert(distinct.names[0]) }
    for field in list.conditions.flatMap(\.fields) { names.insert(field.names[0]) }
    names.formUnion(fieldsBehindViews)
    for order in childOrders { if let field = order.field { names.insert(field.names[0]) } }
    if case .field(let name) = model.queue { names.insert(name) }
    if case .home(let name) = model.queue { names.insert(name) }
    let named = model.fields.filter { names.contains($0.name) }
    return Set(named.flatMap(converted.linked)).sorted { $0.tag < $1.tag }
  }

  private var converted: ConversionPrinter {
    ConversionPrinter(printer, of: model.fields, owner: model.swiftName, isList: true)
  }

  private func printFields(_ output: inout CodePrinter) {
    let (fields, converted) = (fields, converted)
    output.block("private nonisolated struct \(fieldsName): ModelSupport.ListFields") { output in
      for field in fields {
        let isConverted = converted.isConverted(field)
        let name = isConverted ? converted.storage(field) : SwiftText.name(field.name)
        output.line("var \(name): \(isConverted ? converted.storedType(field) : printer.typeText(field.type))")
      }
      if !fields.isEmpty { output.line() }
      output.block("init()") { output in
        for field in fields {
          let zero = converted.isConverted(field) ? converted.storedZero(field) : printer.zeroText(field)
          output.line("self.\(converted.storage(field)) = \(zero)")
        }
      }
      output.line()
      printTable(fields, converted, &output)
      converted.printProperties(fields, &output)
      output.line()
      output.block("func queueID(of id: ModelSupport.UUIDValue) -> ModelSupport.QueueID?") { output in
        output.line(queueText)
      }
    }
  }

  private func printTable(
    _ fields: [FieldDeclaration], _ converted: ConversionPrinter, _ output: inout CodePrinter
  ) {
    if fields.isEmpty {
      return output.list(
        "static let fieldTable = ModelSupport.FieldTable", ["projection: \"\(model.name)\"", "of: Self.self"])
    }
    output.line("static let fieldTable = ModelSupport.FieldTable(")
    output.indented { output in
      output.line("projection: \"\(model.name)\",")
      for (index, field) in fields.enumerated() {
        let comma = index + 1 < fields.count ? "," : ""
        output.list("ModelSupport.Field", printer.tableArguments(field, converted), tail: comma)
      }
    }
    output.line(")")
  }

  private var queueText: String {
    switch model.queue {
    case .own: "ModelSupport.QueueID(id)"
    case .field(let name): "self.\(name).queueID"
    case .home(let name): "\(printer.registry).homeQueueID(of: self.\(name))"
    case .device: "nil"
    }
  }
}

// Sections and order.
extension ListPrinter {
  func type(of path: FieldPath) -> FieldType {
    if let shown = model.viewField(at: path) { return shown.type ?? FieldType(.string) }
    let types = types(along: path)
    let last = types[types.count - 1]
    let isOptional = types.contains { $0.position == .optional }
    return isOptional && last.position == .single ? FieldType(last.base, .optional) : last
  }

  /// The declared types of the fields on a path.
  func types(along path: FieldPath) -> [FieldType] {
    if model.viewField(at: path) != nil { return [type(of: path)] }
    var outer = BaseType.reference(model.name)
    return path.names.map { name in
      let type = printer.field(name, of: outer).type
      outer = type.base
      return type
    }
  }

  private var sectionType: String {
    guard let section = list.section else { return "ModelSupport.Unsectioned" }
    let type = type(of: section.field)
    let name: String
    switch section {
    case .gap: return "ModelSupport.GapSection"
    case .day: name = "ModelSupport.CalendarDay"
    case .week: name = "ModelSupport.CalendarWeek"
    case .month: name = "ModelSupport.CalendarMonth"
    case .year: name = "ModelSupport.CalendarYear"
    case .value: name = printer.baseText(type.base)
    case .initial: name = "ModelSupport.InitialSection"
    }
    return type.position == .optional ? name + "?" : name
  }

  /// Arguments of `ListOrdering`: for keys that are not numbers, for gaps, and for sections that stay when empty.
  private var ordering: [String] {
    var parts: [String] = []
    switch list.section {
    case .gap(_, let milliseconds): parts.append("sections: .gaps(\(SwiftText.grouped(String(milliseconds))))")
    case .value(let field) where type(of: field).base == .string: parts.append("sections: .bytes")
    default: break
    }
    if !isOrderedByNumber { parts.append("order: .bytes") }
    if list.keepsEmptySections, let section = list.section {
      let cases = printer.baseText(type(of: section.field).base) + ".knownCases"
      parts.append("keptSections: .\(list.order[0].descending ? "descending" : "ascending")(\(cases))")
    }
    return parts
  }

  private var isOrderedByNumber: Bool {
    list.order.isEmpty || list.order.count == 1 && type(of: list.order[0].field).base != .string
  }

  private func sectionKey(_ output: inout CodePrinter) -> String? {
    guard let section = list.section else { return nil }
    let function: String
    switch section {
    case .gap: return nil
    case .day: function = "day"
    case .week: function = "week"
    case .month: function = "month"
    case .year: function = "year"
    case .value: function = ""
    case .initial: function = "initial"
    }
    let value = value(section.field)
    let direction = list.order[0].descending ? "descending" : "ascending"
    if function.isEmpty { return ".\(direction)(\(value.text))" }
    // Without the parentheses, `.map` would belong to the chain behind `?.` and be called on the unwrapped value.
    let optional = value.text.contains("?.") ? "(\(value.text))" : value.text
    output.line(
      value.type.position == .optional
        ? "let \(function) = \(optional).map { context.\(function)(of: $0) }"
        : "let \(function) = context.\(function)(of: \(value.text))")
    return ".\(direction)(\(function))"
  }

  private func orderKey(_ output: inout CodePrinter) -> String {
    // All keys are equal, so ids decide.
    if list.order.isEmpty { return ".ascending(false)" }
    let terms = list.order.map { (value: value($0.field), descending: $0.descending) }
    if terms.count == 1 { return ".\(terms[0].descending ? "descending" : "ascending")(\(terms[0].value.text))" }
    output.line("let order = ModelSupport.ListKey.joined { key in")
    output.indented { output in
      for term in terms {
        let label = term.value.type.base == .string ? "text" : "number"
        let arguments = ["\(label): \(term.value.text)"] + (term.descending ? ["descending: true"] : [])
        output.list("key.append", arguments)
      }
    }
    output.line("}")
    return "order"
  }
}
