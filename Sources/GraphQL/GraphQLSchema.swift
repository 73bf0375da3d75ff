// A GraphQL schema, parsed from the text that is published for clients.

/// Object, input, enum and scalar types. There are no interfaces, unions or subscriptions.
package struct GraphQLSchema: Sendable {
  enum TypeKind: Sendable {
    case scalar
    case enumeration(cases: Set<String>)
    case object(fields: [String: FieldDeclaration])
    case input(fields: [InputDeclaration])
  }

  struct FieldDeclaration: Sendable {
    var type: GraphQLTypeReference
    var arguments: [InputDeclaration]
  }

  struct InputDeclaration: Sendable {
    var name: String
    var type: GraphQLTypeReference
    var defaultValue: GraphQLValue?

    var isRequired: Bool {
      if case .nonNull = type { defaultValue == nil } else { false }
    }
  }

  private var types: [String: TypeKind] = [:]
  /// Where the text is published, for clients that ask for introspection.
  let place: String?

  func kind(of name: String) -> TypeKind? { types[name] }

  /// A field of an object type, `__typename` included; nil if there is none, and for other types.
  func field(_ name: String, of type: String) -> FieldDeclaration? {
    guard case .object(let fields)? = types[type] else { return nil }
    if name == "__typename" { return FieldDeclaration(type: .nonNull(.named("String")), arguments: []) }
    return fields[name]
  }

  func isObject(_ name: String) -> Bool {
    if case .object? = types[name] { true } else { false }
  }

  /// Whether variables may have this type.
  func isInput(_ name: String) -> Bool { types[name] != nil && !isObject(name) }

  func root(of kind: GraphQLOperation.Kind) -> String? {
    let name = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
    return isObject(name) ? name : nil
  }

  /// The arguments of `skip` and `include`, the directives of the language itself.
  static let directiveArguments: [String: [InputDeclaration]] = {
    let condition = [InputDeclaration(name: "if", type: .nonNull(.named("Boolean")))]
    return ["skip": condition, "include": condition]
  }()
}

extension GraphQLSchema {
  /// Parses the schema definition language. Throws if the text, which is part of this program, has a mistake.
  package init(_ text: String, publishedAs place: String? = nil) throws {
    self.place = place
    for name in ["Int", "Float", "String", "Boolean", "ID"] { types[name] = .scalar }
    var limits = GraphQLLimits()
    limits.tokens = 10_000
    var parser = try GraphQLParser(Array(text.utf8), limits: limits)
    while parser.token.kind != .end {
      try parser.skipDescription()
      let word = try parser.name()
      let name = try parser.name()
      types[name] = try parser.typeKind(word)
    }
  }
}

extension GraphQLParser {
  /// Parses a type, after its keyword `word` and its name.
  fileprivate mutating func typeKind(_ word: String) throws(GraphQLError) -> GraphQLSchema.TypeKind {
    switch word {
    case "scalar":
      return .scalar
    case "enum":
      return .enumeration(cases: Set(try members { parser throws(GraphQLError) in try parser.name() }))
    case "type":
      let fields = try members { parser throws(GraphQLError) in try parser.declaration() }
      return .object(fields: Dictionary(uniqueKeysWithValues: fields))
    case "input":
      return .input(fields: try members { parser throws(GraphQLError) in try parser.inputDeclaration() })
    default:
      throw unexpected()
    }
  }

  fileprivate mutating func skipDescription() throws(GraphQLError) {
    if case .string = token.kind { try advance() }
  }

  fileprivate mutating func members<Element>(
    _ element: (inout Self) throws(GraphQLError) -> Element
  ) throws(GraphQLError) -> [Element] {
    try list("{", "}") { parser throws(GraphQLError) in
      try parser.skipDescription()
      return try element(&parser)
    }
  }

  fileprivate mutating func declaration() throws(GraphQLError) -> (String, GraphQLSchema.FieldDeclaration) {
    let name = try name()
    let arguments = try list("(", ")") { parser throws(GraphQLError) in try parser.inputDeclaration() }
    try take(":")
    return (name, GraphQLSchema.FieldDeclaration(type: try type(), arguments: arguments))
  }

  fileprivate mutating func inputDeclaration() throws(GraphQLError) -> GraphQLSchema.InputDeclaration {
    try skipDescription()
    let name = try name()
    try take(":")
    let type = try type()
    let value = try takes("=") ? try value(isConstant: true) : nil
    return GraphQLSchema.InputDeclaration(name: name, type: type, defaultValue: value)
  }
}
