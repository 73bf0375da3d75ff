// Checks fields, arguments and directives: each must exist, have all that is required, and nothing else.

extension GraphQLValidator {
  mutating func check(_ selections: [GraphQLSelection], of type: String) {
    for selection in selections {
      check(selection.directives)
      switch selection {
      case .field(let field): check(field, of: type)
      case .spread(let name, _, let offset):
        names.spreads.append((name, offset))
        guard let fragment = fragments[name] else {
          report("There is no fragment `\(name)`.", at: offset)
          continue
        }
        checkCondition(fragment.type, in: type, at: offset)
      case .inline(let condition, _, let selections, let offset):
        if checkCondition(condition ?? type, in: type, at: offset) { check(selections, of: condition ?? type) }
      }
    }
  }

  /// Reports a fragment on another type than that of its place; returns whether it fits. All types with fields are
  /// objects, so no other fragment fits. An unknown type of a fragment is reported where the fragment is declared.
  @discardableResult
  private mutating func checkCondition(_ condition: String, in type: String, at offset: Int) -> Bool {
    if condition != type {
      report("A fragment on `\(condition)` can never be spread in `\(type)`.", at: offset)
    }
    return condition == type
  }

  private mutating func check(_ field: GraphQLField, of type: String) {
    guard let declaration = schema.field(field.name, of: type) else {
      let isIntrospection = field.name == "__schema" || field.name == "__type"
      let place = schema.place.map { ": the schema is published as \($0)" } ?? ""
      return report(
        isIntrospection
          ? "Introspection is not offered\(place)."
          : "`\(type)` has no field `\(field.name)`.", at: field.offset)
    }
    check(field.arguments, declaration.arguments, of: "Field `\(field.name)`", at: field.offset)
    let fieldType = declaration.type.name
    switch (schema.isObject(fieldType), field.selections.isEmpty) {
    case (true, true): report("Field `\(field.name)` needs a selection of fields.", at: field.offset)
    case (false, false): report("Field `\(field.name)` has no fields to select.", at: field.offset)
    case (true, false): check(field.selections, of: fieldType)
    case (false, true): break
    }
  }

  /// Reports directives on a definition, because both directives of the language are for selections.
  mutating func refuse(_ directives: [GraphQLDirective]) {
    for directive in directives { report("`@\(directive.name)` is not allowed here.", at: directive.offset) }
  }

  mutating func check(_ directives: [GraphQLDirective]) {
    var seen: Set<String> = []
    for directive in directives {
      guard let arguments = GraphQLSchema.directiveArguments[directive.name] else {
        report("There is no directive `@\(directive.name)`.", at: directive.offset)
        continue
      }
      if !seen.insert(directive.name).inserted {
        report("Directive `@\(directive.name)` is repeated here.", at: directive.offset)
      }
      check(directive.arguments, arguments, of: "Directive `@\(directive.name)`", at: directive.offset)
    }
  }

  /// Checks arguments, or the fields of an input.
  mutating func check(
    _ arguments: [GraphQLArgument], _ declared: [GraphQLSchema.InputDeclaration], of owner: String, at offset: Int
  ) {
    var seen: Set<String> = []
    for argument in arguments {
      if !seen.insert(argument.name).inserted {
        report("\(owner) has `\(argument.name)` twice.", at: argument.offset)
      }
      guard let declaration = declared.first(where: { $0.name == argument.name }) else {
        report("\(owner) has no `\(argument.name)`.", at: argument.offset)
        continue
      }
      check(argument.value, declaration.type, hasDefault: declaration.defaultValue != nil)
    }
    for declaration in declared where declaration.isRequired && !seen.contains(declaration.name) {
      report("\(owner) needs `\(declaration.name)`.", at: offset)
    }
  }
}
