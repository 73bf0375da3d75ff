// Values of operations as Swift expressions: where they come from, and along which path.
import ModelSchema

/// Writes the values of one operation.
struct OperationValues {
  let printer: SwiftPrinter
  let model: ModelDeclaration
  let parameters: [ParameterDeclaration]

  /// An expression with its type. `text` stands behind a `try` where it may throw.
  struct Value {
    var text: String
    var type: FieldType
    var mayThrow = false
    /// A literal has no type of its own until it is given one.
    var isLiteral = false

    /// With its own `try` where one is needed.
    var marked: String { mayThrow ? "try \(text)" : text }

    /// In front of the brace of a loop or a condition, where a closure would be taken for the body.
    var beforeBrace: String { text.contains("{") ? "(\(marked))" : marked }

    /// With a type where neither the place nor Swift gives the right one.
    func typed(_ printer: SwiftPrinter) -> String {
      guard isLiteral else { return text }
      return switch type.base {
      case .bool, .string, .double, .counter: text
      case .enumeration: printer.baseText(type.base) + text
      default: "\(text) as \(printer.baseText(type.base))"
      }
    }
  }

  /// `type` is that of the place where the value goes, which only a literal needs.
  func value(_ expression: ValueExpression, as type: FieldType = FieldType(.file)) -> Value {
    switch expression {
    case .me: Value(text: "context.user", type: FieldType(.userReference))
    case .now: Value(text: "context.now", type: FieldType(.timestamp))
    case .object(let path): follow(path, from: Value(text: "self.target", type: FieldType(.reference(model.name))))
    case .parameter(let name, let path):
      follow(
        path, from: Value(text: "self.\(name)", type: parameters.first { $0.name == name }?.type ?? FieldType(.string)))
    case .lookup(let name, let key, let path): follow(path, from: lookup(name, key))
    case .literal(let literal):
      Value(text: printer.literalText(literal, of: type.base), type: FieldType(type.base), isLiteral: true)
    }
  }

  /// `member($me)`: its id is computed, so it need not be here.
  private func lookup(_ name: String, _ key: ValueExpression) -> Value {
    let target = printer.schema.model(named: name)
    let label = target?.identity.first.map(printer.identityLabel) ?? ""
    let text = "\(target?.swiftName ?? "").id(in: context.queue(of: self.target), \(label): \(value(key).text))"
    return Value(text: text, type: FieldType(.reference(name)), mayThrow: true)
  }

  private func follow(_ path: [String], from start: Value) -> Value {
    path.reduce(start) { value, name in step(value, name) }
  }

  /// One field further: through a reference by looking the object up, through many by mapping.
  private func step(_ value: Value, _ name: String) -> Value {
    let inner = printer.fieldType(name, of: value.type.base)
    let isReference = if case .reference = value.type.base { true } else { false }
    func member(of text: String) -> String { isReference ? "context.object(\(text)).\(name)" : "\(text).\(name)" }
    let mayThrow = value.mayThrow || isReference
    let mark = isReference ? "try " : ""
    switch (value.type.position, inner.position) {
    case (.single, _):
      return Value(text: member(of: value.text), type: inner, mayThrow: mayThrow)
    case (.optional, .single):
      return Value(
        text: "\(value.text).map { \(mark)\(member(of: "$0")) }", type: FieldType(inner.base, .optional),
        mayThrow: mayThrow)
    case (.optional, .optional):
      return Value(text: "\(value.text).flatMap { \(mark)\(member(of: "$0")) }", type: inner, mayThrow: mayThrow)
    case (.optional, _):
      return Value(text: "(\(value.text).map { \(mark)\(member(of: "$0")) } ?? [])", type: inner, mayThrow: mayThrow)
    case (.list, .single), (.set, .single):
      return Value(
        text: "\(value.text).map { \(mark)\(member(of: "$0")) }", type: FieldType(inner.base, .list),
        mayThrow: mayThrow)
    case (.list, .optional), (.set, .optional):
      return Value(
        text: "\(value.text).compactMap { \(mark)\(member(of: "$0")) }", type: FieldType(inner.base, .list),
        mayThrow: mayThrow)
    case (.list, _), (.set, _):
      return Value(
        text: "\(value.text).flatMap { \(mark)\(member(of: "$0")) }", type: FieldType(inner.base, .list),
        mayThrow: mayThrow)
    }
  }
}

extension SwiftPrinter {
  /// The type of a field inside a value of a type that has fields.
  func fieldType(_ name: String, of base: BaseType) -> FieldType {
    switch base {
    case .reference(let model):
      return schema.model(named: model)?.field(named: name)?.type ?? FieldType(.string)
    case .structure(let type):
      let file = schema.files.first { $0.model?.name == type.model && $0.structs.contains { $0.name == type.name } }
      let fields = file?.structs.first { $0.name == type.name }?.fields
      return fields?.first { $0.name == name }?.type ?? FieldType(.string)
    case .file where name == "size": return FieldType(.int64)
    case .file where name == "hash": return FieldType(.data)
    default: return FieldType(.string)
    }
  }

  /// The label of an identity field in `id(in:…)`: `file.hash` is `fileHash`.
  func identityLabel(_ path: FieldPath) -> String {
    path.names[0] + path.names.dropFirst().map(capitalized).joined()
  }
}
