// Parses the values and types in a document.

extension GraphQLParser {
  mutating func argument(isConstant: Bool) throws(GraphQLError) -> GraphQLArgument {
    let offset = token.offset
    let name = try name()
    try take(":")
    return GraphQLArgument(name: name, value: try value(isConstant: isConstant), offset: offset)
  }

  /// Parses a value. A constant may not contain variables.
  mutating func value(isConstant: Bool) throws(GraphQLError) -> GraphQLValue {
    let offset = token.offset
    let kind: GraphQLValue.Kind
    switch token.kind {
    case .int(let digits): kind = .int(digits)
    case .float(let digits): kind = .float(digits)
    case .string(let text): kind = .string(text)
    case .name("true"): kind = .bool(true)
    case .name("false"): kind = .bool(false)
    case .name("null"): kind = .null
    case .name(let name): kind = .enumCase(name)
    case .punctuator("$") where !isConstant:
      try advance()
      return GraphQLValue(kind: .variable(try name()), offset: offset)
    case .punctuator("["):
      return GraphQLValue(kind: .list(try elements(isConstant: isConstant)), offset: offset)
    case .punctuator("{"):
      return GraphQLValue(kind: .object(try fields(isConstant: isConstant)), offset: offset)
    default: throw unexpected()
    }
    try advance()
    return GraphQLValue(kind: kind, offset: offset)
  }

  /// Parses the elements of a list. Unlike a list of arguments, it may be empty.
  private mutating func elements(isConstant: Bool) throws(GraphQLError) -> [GraphQLValue] {
    try nested { parser throws(GraphQLError) in
      try parser.take("[")
      var elements: [GraphQLValue] = []
      while try !parser.takes("]") { elements.append(try parser.value(isConstant: isConstant)) }
      return elements
    }
  }

  private mutating func fields(isConstant: Bool) throws(GraphQLError) -> [GraphQLArgument] {
    try nested { parser throws(GraphQLError) in
      try parser.take("{")
      var fields: [GraphQLArgument] = []
      while try !parser.takes("}") { fields.append(try parser.argument(isConstant: isConstant)) }
      return fields
    }
  }

  mutating func type() throws(GraphQLError) -> GraphQLTypeReference {
    var type: GraphQLTypeReference
    if isNext("[") {
      type = .list(
        try nested { parser throws(GraphQLError) in
          try parser.advance()
          let element = try parser.type()
          try parser.take("]")
          return element
        })
    } else {
      type = .named(try name())
    }
    if try takes("!") { type = .nonNull(type) }
    return type
  }
}
