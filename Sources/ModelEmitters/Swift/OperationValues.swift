// Turns the values of operations (parameters, `$self`, look-ups, literals and paths behind them) into Swift
// expressions.
import ModelSchema

/// Builds the expressions for the values of one operation.
struct OperationValues {
  let printer: SwiftPrinter
  let model: ModelDeclaration
  let parameters: [ParameterDeclaration]

  /// The place that a value is put into. It decides the last conversion.
  struct Target {
    var type: FieldType
    /// Replaces an absent value; nil where the place takes absent values.
    var fallback: Literal?
    /// Whether the place takes a `ContentHash`. Everywhere else the hash of a file is converted to bytes.
    var isHash = false
  }

  /// An expression with its type. The caller puts `try` before it where `mayThrow` is true.
  struct Value {
    var text: String
    var type: FieldType
    var mayThrow = false
    var isLiteral = false
    /// The hash of a file: `data` in the schema, a `ContentHash` in Swift.
    var isHash = false
    /// Whether the text contains `??`, so that a member access needs parentheses.
    var isChoice = false

    /// The text with `try` before it where that is needed.
    var marked: String { mayThrow ? "try \(text)" : text }

    /// The text to put before `.member`.
    var operand: String { isChoice ? "(\(text))" : text }

    mutating func choose(or literal: String) {
      text += " ?? \(literal)"
      isChoice = true
    }
  }

  /// The value, converted for its place.
  func value(_ expression: ValueExpression, at place: Target) -> Value {
    var value = unchanged(expression, as: place.type)
    if value.isHash, !place.isHash { value = member("bytes", FieldType(.data), of: value, isReference: false) }
    if place.isHash, !value.isHash {
      value = Value(text: "context.contentHash(\(value.text))", type: value.type, mayThrow: true)
    }
    if place.type.base == .counter, value.type.base == .int32 {
      value = Value(text: "Swift.Int64(\(value.text))", type: FieldType(.int64), mayThrow: value.mayThrow)
    }
    if let literal = place.fallback, value.type.position == .optional {
      value.choose(or: printer.literalText(literal, of: place.type.base))
    }
    return value
  }

  private func unchanged(_ expression: ValueExpression, as type: FieldType) -> Value {
    switch expression {
    case .me: Value(text: "context.user", type: FieldType(.userReference))
    case .now: Value(text: "context.now", type: FieldType(.timestamp))
    case .object(let path): follow(path, from: Value(text: "self.target", type: FieldType(.reference(model.name))))
    case .parameter(let name, let path):
      follow(path, from: Value(text: "self.\(name)", type: self.type(ofParameter: name)))
    case .lookup(let name, let key, let path): follow(path, from: lookup(name, key))
    case .today: preconditionFailure("the reader accepted `$today` in an operation")
    case .literal(let literal):
      Value(text: printer.literalText(literal, of: type.base), type: FieldType(type.base), isLiteral: true)
    }
  }

  private func type(ofParameter name: String) -> FieldType {
    parameters.first { $0.name == name }?.type ?? FieldType(.string)
  }

  /// `member($me)`. The expression computes the id of the object, which need not be on this device.
  private func lookup(_ name: String, _ key: ValueExpression) -> Value {
    guard let target = printer.schema.model(named: name), let path = target.identity.first else {
      preconditionFailure("the reader accepted a lookup of a model without an identity")
    }
    let type = printer.identityType(path, of: target)
    let key = value(key, at: Target(type: type.type, isHash: type.isHash))
    let label = printer.identityLabel(path)
    return Value(
      text: "\(target.swiftName).id(in: context.queue(of: self.target), \(label): \(key.text))",
      type: FieldType(.reference(name)), mayThrow: true)
  }

  private func follow(_ path: [String], from start: Value) -> Value {
    path.reduce(start) { value, name in
      let inner = printer.field(name, of: value.type.base)
      let isReference = if case .reference = value.type.base { true } else { false }
      var next = member(name, inner.type, of: value, isReference: isReference)
      next.isHash = value.type.base == .file && inner.type.base == .data
      guard value.type.position == .optional, inner.type.position.isMany else { return next }
      next.choose(or: "[]")
      return next
    }
  }

  /// The value of one more field on the path. A reference looks up its object; an optional, list or set is mapped over.
  private func member(_ name: String, _ inner: FieldType, of value: Value, isReference: Bool) -> Value {
    func member(of text: String) -> String { isReference ? "context.object(\(text)).\(name)" : "\(text).\(name)" }
    let mayThrow = value.mayThrow || isReference
    if value.type.position == .single {
      return Value(text: member(of: isReference ? value.text : value.operand), type: inner, mayThrow: mayThrow)
    }
    let (function, position): (String, FieldPosition) =
      switch (value.type.position, inner.position) {
      case (.optional, .single): ("map", .optional)
      case (.optional, .optional): ("flatMap", .optional)
      case (.optional, _): ("map", inner.position)
      case (_, .single): ("map", .list)
      case (_, .optional): ("compactMap", .list)
      case (_, _): ("flatMap", .list)
      }
    return Value(
      text: "\(value.operand).\(function) { \(isReference ? "try " : "")\(member(of: "$0")) }",
      type: FieldType(inner.base, position), mayThrow: mayThrow)
  }
}

extension OperationValues {
  /// Whether a path reads a deprecated field. Swift warns about code that does, unless the code is deprecated itself.
  func readDeprecated(_ operation: OperationDeclaration) -> Bool {
    (operation.requirements + operation.effects.flatMap(\.values)).contains(where: readsDeprecated)
  }

  private func readsDeprecated(_ expression: ValueExpression) -> Bool {
    let (start, path): (BaseType, [String])
    switch expression {
    case .me, .now, .today, .literal: return false
    case .object(let names): (start, path) = (.reference(model.name), names)
    case .parameter(let name, let names): (start, path) = (type(ofParameter: name).base, names)
    case .lookup(let name, let key, let names):
      if readsDeprecated(key) { return true }
      (start, path) = (.reference(name), names)
    }
    var base = start
    for name in path {
      let field = printer.field(name, of: base)
      if field.isDeprecated { return true }
      base = field.type.base
    }
    return false
  }
}

extension Effect {
  fileprivate var values: [ValueExpression] {
    switch self {
    case .set(let assignments), .insert(let assignments), .remove(let assignments), .increment(let assignments),
      .create(_, let assignments), .upsert(_, let assignments):
      assignments.map(\.value)
    case .follow(let user, _), .role(let user, _), .unfollow(let user): [user]
    case .clear, .delete: []
    }
  }
}

extension FieldPosition {
  var isMany: Bool { self == .list || self == .set }
}
