// Turns variables and arguments into the JSON that resolvers read: checks types and fills in defaults.

import JSON

struct GraphQLInput {
  let schema: GraphQLSchema
  private(set) var variables: [String: JSONValue] = [:]

  /// Reads the variables (section 6.1.2, CoerceVariableValues). Ignores those that the operation does not declare.
  init(_ schema: GraphQLSchema, _ declared: [GraphQLVariable], given: [JSONValue.Member]) throws(GraphQLError) {
    self.schema = schema
    // A dictionary, because there may be as many variables as a body has room for.
    let given = Dictionary(given.map { ($0.name, $0.value) }) { first, _ in first }
    for variable in declared {
      let name = "$\(variable.name)"
      if let value = given[variable.name] {
        variables[variable.name] = try read(value, variable.type, name)
      } else if let value = try literal(variable.defaultValue, variable.type) {
        variables[variable.name] = value
      } else if case .nonNull = variable.type {
        throw Self.error("`\(name)` is missing.")
      }
    }
  }

  /// Reads arguments (section 6.4.1, CoerceArgumentValues). Leaves out an absent argument without a default.
  func arguments(
    _ given: [GraphQLArgument], _ declared: [GraphQLSchema.InputDeclaration]
  ) throws(GraphQLError) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for declaration in declared {
      let argument = given.first { $0.name == declaration.name }
      var value = try literal(argument?.value, declaration.type)
      if value == nil { value = try literal(declaration.defaultValue, declaration.type) }
      if let value {
        members.append(JSONValue.Member(declaration.name, value))
      } else if case .nonNull = declaration.type {
        throw Self.error("`\(declaration.name)` is missing.")
      }
    }
    return members
  }

  /// Whether `@skip` and `@include` keep a selection.
  func includes(_ directives: [GraphQLDirective]) throws(GraphQLError) -> Bool {
    for directive in directives {
      guard let declared = GraphQLSchema.directiveArguments[directive.name] else { continue }
      let condition = try arguments(directive.arguments, declared).first?.value
      if condition == .bool(directive.name == "skip") { return false }
    }
    return true
  }

  /// The JSON of a literal; nil for none, and for a variable that was not given. Validation has checked the types of
  /// literals.
  private func literal(_ value: GraphQLValue?, _ type: GraphQLTypeReference) throws(GraphQLError) -> JSONValue? {
    guard let value else { return nil }
    if case .variable(let name) = value.kind {
      guard let value = variables[name] else { return nil }
      if value.isNull, case .nonNull = type { throw Self.error("`$\(name)` is null.") }
      return value
    }
    switch (type, value.kind) {
    case (.nonNull(let inner), _): return try literal(value, inner)
    case (_, .null): return .null
    case (.list(let element), .list(let values)):
      return .array(try values.map { value throws(GraphQLError) in try literal(value, element) ?? .null })
    case (.list(let element), _): return .array([try literal(value, element) ?? .null])
    case (.named(let name), .object(let given)):
      guard case .input(let fields)? = schema.kind(of: name) else { return .null }
      return .object(try arguments(given, fields))
    case (_, .enumCase(let word)): return .string(word)
    default: return value.kind.scalar ?? .null
    }
  }

  /// Checks a value of a variable and fills in defaults; `path` names the value in errors.
  private func read(
    _ value: JSONValue, _ type: GraphQLTypeReference, _ path: @autoclosure () -> String
  ) throws(GraphQLError) -> JSONValue {
    switch (type, value) {
    case (.nonNull, .null): throw Self.error("`\(path())` is null.")
    case (.nonNull(let inner), _): return try read(value, inner, path())
    case (_, .null): return .null
    case (.list(let element), .array(let values)):
      var elements: [JSONValue] = []
      elements.reserveCapacity(values.count)
      for value in values { elements.append(try read(value, element, "\(path())[\(elements.count)]")) }
      return .array(elements)
    case (.list(let element), _): return .array([try read(value, element, path())])
    case (.named(let name), _): return try read(value, ofType: name, path())
    }
  }

  private func read(
    _ value: JSONValue, ofType name: String, _ path: @autoclosure () -> String
  ) throws(GraphQLError) -> JSONValue {
    switch (schema.kind(of: name), value) {
    case (.input(let fields)?, .object(let given)): return try read(given, fields, path())
    case (.enumeration(let cases)?, .string(let word)) where cases.contains(word): return value
    case (.scalar?, _) where GraphQLScalar.accepts(value, as: name): return value
    default: throw Self.error("`\(path())` is not a value of the type `\(name)`.")
    }
  }

  private func read(
    _ given: [JSONValue.Member], _ fields: [GraphQLSchema.InputDeclaration], _ path: @autoclosure () -> String
  ) throws(GraphQLError) -> JSONValue {
    if let unknown = given.first(where: { member in !fields.contains { $0.name == member.name } }) {
      throw Self.error("`\(path())` has no field `\(unknown.name)`.")
    }
    var members: [JSONValue.Member] = []
    for field in fields {
      if let value = given.first(where: { $0.name == field.name })?.value {
        members.append(JSONValue.Member(field.name, try read(value, field.type, "\(path()).\(field.name)")))
      } else if let value = try literal(field.defaultValue, field.type) {
        members.append(JSONValue.Member(field.name, value))
      } else if field.isRequired {
        throw Self.error("`\(path()).\(field.name)` is missing.")
      }
    }
    return .object(members)
  }

  private static func error(_ message: String) -> GraphQLError { GraphQLError(.badUserInput, message) }
}
