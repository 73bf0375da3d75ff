// Parses tokens into a document (GraphQL, October 2021, section 2). Depth and tokens are limited, so that no text costs
// much.

struct GraphQLParser {
  private var lexer: GraphQLLexer
  private(set) var token: GraphQLToken
  private let maximumDepth: Int
  private var depth = 0

  init(_ source: [UInt8], limits: GraphQLLimits) throws(GraphQLError) {
    lexer = GraphQLLexer(source, tokens: limits.tokens)
    token = try lexer.next()
    maximumDepth = limits.depth
  }

  static func document(_ source: [UInt8], limits: GraphQLLimits) throws(GraphQLError) -> GraphQLDocument {
    var parser = try Self(source, limits: limits)
    var document = GraphQLDocument()
    repeat {
      if parser.isNext(name: "fragment") {
        document.fragments.append(try parser.fragment())
      } else {
        document.operations.append(try parser.operation())
      }
    } while parser.token.kind != .end
    return document
  }

  private mutating func operation() throws(GraphQLError) -> GraphQLOperation {
    let offset = token.offset
    if isNext("{") { return GraphQLOperation(kind: .query, selections: try selections(), offset: offset) }
    guard case .name(let word) = token.kind, let kind = GraphQLOperation.Kind(rawValue: word) else {
      throw unexpected()
    }
    try advance()
    var operation = GraphQLOperation(kind: kind, selections: [], offset: offset)
    if case .name = token.kind { operation.name = try name() }
    operation.variables = try list("(", ")") { parser throws(GraphQLError) in try parser.variable() }
    operation.directives = try directives()
    operation.selections = try selections()
    return operation
  }

  private mutating func variable() throws(GraphQLError) -> GraphQLVariable {
    let offset = token.offset
    try take("$")
    let name = try name()
    try take(":")
    let type = try type()
    let value = try takes("=") ? try value(isConstant: true) : nil
    return GraphQLVariable(
      name: name, type: type, defaultValue: value, directives: try directives(isConstant: true), offset: offset)
  }

  private mutating func fragment() throws(GraphQLError) -> GraphQLFragment {
    let offset = token.offset
    try advance()
    guard !isNext(name: "on") else { throw unexpected() }
    let name = try name()
    guard try takes(name: "on") else { throw unexpected() }
    return GraphQLFragment(
      name: name, type: try self.name(), directives: try directives(), selections: try selections(), offset: offset)
  }

  mutating func selections() throws(GraphQLError) -> [GraphQLSelection] {
    try nested { parser throws(GraphQLError) in
      guard parser.isNext("{") else { throw parser.unexpected() }
      return try parser.list("{", "}") { parser throws(GraphQLError) in try parser.selection() }
    }
  }

  private mutating func selection() throws(GraphQLError) -> GraphQLSelection {
    let offset = token.offset
    guard try takes("...") else { return .field(try field()) }
    if case .name(let word) = token.kind, word != "on" {
      return .spread(name: try name(), directives: try directives(), offset: offset)
    }
    let type = try takes(name: "on") ? try name() : nil
    return .inline(type: type, directives: try directives(), selections: try selections(), offset: offset)
  }

  private mutating func field() throws(GraphQLError) -> GraphQLField {
    var field = GraphQLField(name: "", offset: token.offset)
    field.name = try name()
    if try takes(":") {
      field.alias = field.name
      field.name = try name()
    }
    field.arguments = try arguments(isConstant: false)
    field.directives = try directives()
    if isNext("{") { field.selections = try selections() }
    return field
  }

  private mutating func arguments(isConstant: Bool) throws(GraphQLError) -> [GraphQLArgument] {
    try list("(", ")") { parser throws(GraphQLError) in try parser.argument(isConstant: isConstant) }
  }

  private mutating func directives(isConstant: Bool = false) throws(GraphQLError) -> [GraphQLDirective] {
    var directives: [GraphQLDirective] = []
    while isNext("@") {
      let offset = token.offset
      try advance()
      directives.append(
        GraphQLDirective(name: try name(), arguments: try arguments(isConstant: isConstant), offset: offset))
    }
    return directives
  }

  // MARK: Tokens

  func unexpected() -> GraphQLError {
    switch token.kind {
    case .end: .syntax("The document ends too early.", at: token.offset)
    case .punctuator(let text), .name(let text), .int(let text), .float(let text):
      .syntax("`\(text)` is not allowed here.", at: token.offset)
    case .string: .syntax("A string is not allowed here.", at: token.offset)
    }
  }

  func isNext(_ punctuator: String) -> Bool { token.kind == .punctuator(punctuator) }
  func isNext(name: String) -> Bool { token.kind == .name(name) }

  mutating func advance() throws(GraphQLError) { token = try lexer.next() }

  /// Skips this token if it comes next; returns whether it did.
  mutating func takes(_ punctuator: String) throws(GraphQLError) -> Bool {
    guard isNext(punctuator) else { return false }
    try advance()
    return true
  }

  mutating func takes(name: String) throws(GraphQLError) -> Bool {
    guard isNext(name: name) else { return false }
    try advance()
    return true
  }

  mutating func take(_ punctuator: String) throws(GraphQLError) {
    guard try takes(punctuator) else { throw unexpected() }
  }

  mutating func name() throws(GraphQLError) -> String {
    guard case .name(let name) = token.kind else { throw unexpected() }
    try advance()
    return name
  }

  /// Parses at least one element between brackets. Returns an empty list if the opening bracket does not come next.
  mutating func list<Element>(
    _ open: String, _ close: String, _ element: (inout Self) throws(GraphQLError) -> Element
  ) throws(GraphQLError) -> [Element] {
    guard try takes(open) else { return [] }
    var elements: [Element] = []
    repeat { elements.append(try element(&self)) } while try !takes(close)
    return elements
  }

  mutating func nested<Result>(
    _ body: (inout Self) throws(GraphQLError) -> Result
  ) throws(GraphQLError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= maximumDepth else {
      throw GraphQLError(.validationFailed, "The document is nested too deeply.", at: token.offset)
    }
    return try body(&self)
  }
}
