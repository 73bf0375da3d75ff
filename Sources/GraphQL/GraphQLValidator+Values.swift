// Checks that literals and variables fit the types of their places.

extension GraphQLValidator {
  mutating func check(_ value: GraphQLValue, _ type: GraphQLTypeReference, hasDefault: Bool = false) {
    switch (value.kind, type) {
    case (.variable(let name), _):
      names.variables.append(VariableUse(name: name, type: type, hasDefault: hasDefault, offset: value.offset))
    case (.null, .nonNull): reportMismatch(value, type)
    case (_, .nonNull(let inner)): check(value, inner)
    case (.null, _): break
    case (.list(let elements), .list(let element)): for value in elements { check(value, element) }
    case (_, .list(let element)): check(value, element)
    case (_, .named(let name)): check(value, ofType: name)
    }
  }

  private mutating func check(_ value: GraphQLValue, ofType name: String) {
    switch (schema.kind(of: name), value.kind) {
    case (.input(let fields)?, .object(let given)):
      check(given, fields, of: "Input `\(name)`", at: value.offset)
    case (.enumeration(let cases)?, .enumCase(let word)) where cases.contains(word): break
    case (.scalar?, _) where GraphQLScalar.accepts(value.kind.scalar, as: name): break
    default: reportMismatch(value, .named(name))
    }
  }

  private mutating func reportMismatch(_ value: GraphQLValue, _ type: GraphQLTypeReference) {
    report("This is not a value of the type `\(type)`.", at: value.offset)
  }

  mutating func checkVariables(of operation: GraphQLOperation, _ uses: [VariableUse]) {
    var declared: [String: GraphQLVariable] = [:]
    for variable in operation.variables {
      if declared.updateValue(variable, forKey: variable.name) != nil {
        report("There are two variables `$\(variable.name)`.", at: variable.offset)
      }
      guard schema.isInput(variable.type.name) else {
        report("A variable cannot have the type `\(variable.type)`.", at: variable.offset)
        continue
      }
      if let value = variable.defaultValue { check(value, variable.type) }
    }
    for use in uses {
      guard let variable = declared[use.name] else {
        report("There is no variable `$\(use.name)`.", at: use.offset)
        continue
      }
      if let type = use.type, !Self.fits(variable, type, hasDefault: use.hasDefault) {
        report("`$\(use.name)` is `\(variable.type)`, but `\(type)` is needed.", at: use.offset)
      }
    }
    let used = Set(uses.map(\.name))
    for variable in operation.variables where !used.contains(variable.name) {
      report("Variable `$\(variable.name)` is not used.", at: variable.offset)
    }
  }

  /// Whether a variable may stand in a place of a type (section 5.8.5). A default value makes a nullable variable fit a
  /// place that must not be null.
  private static func fits(_ variable: GraphQLVariable, _ type: GraphQLTypeReference, hasDefault: Bool) -> Bool {
    guard case .nonNull(let inner) = type else { return fits(variable.type, type) }
    if case .nonNull = variable.type { return fits(variable.type, type) }
    let isFilled =
      switch variable.defaultValue?.kind {
      case nil, .null?: hasDefault
      default: true
      }
    return isFilled && fits(variable.type, inner)
  }

  private static func fits(_ variable: GraphQLTypeReference, _ place: GraphQLTypeReference) -> Bool {
    switch (variable, place) {
    case (.nonNull(let variable), .nonNull(let place)): fits(variable, place)
    case (_, .nonNull): false
    case (.nonNull(let variable), _): fits(variable, place)
    case (.list(let variable), .list(let place)): fits(variable, place)
    case (.named(let variable), .named(let place)): variable == place
    default: false
    }
  }
}
