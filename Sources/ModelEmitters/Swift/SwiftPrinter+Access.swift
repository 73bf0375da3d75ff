// Prints the rights of a model. The store checks them before it performs an operation.
import ModelSchema

extension SwiftPrinter {
  func printAccess(_ model: ModelDeclaration, _ printer: inout CodePrinter) {
    guard let rights = model.access else { return }
    let single = [("create", rights.create), ("update", rights.update), ("delete", rights.delete)]
    let fields = rights.fieldsByTag(of: model).map {
      "\(SwiftText.grouped(String($0.tag))): \(holdersText($0.holders))"
    }
    printer.line()
    printer.list(
      "\(access) static let objectAccess = ModelSupport.ObjectAccess",
      single.map { "\($0): \(holdersText($1))" }
        + (fields.isEmpty ? [] : ["fields: [\(fields.joined(separator: ", "))]"]))
  }

  private func holdersText(_ holders: [RightHolder]) -> String {
    "[\(holders.map { "." + $0.rawValue }.joined(separator: ", "))]"
  }
}

extension AccessDeclaration {
  /// The rights to single fields, sorted by tag.
  func fieldsByTag(of model: ModelDeclaration) -> [(tag: Int, holders: [RightHolder])] {
    fields.compactMap { right in model.field(named: right.field).map { ($0.tag, right.holders) } }
      .sorted { $0.tag < $1.tag }
  }
}
