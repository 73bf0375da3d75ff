// The facts of operations: their parameters, what they wait for, and their effects.

extension SchemaFacts {
  mutating func add(
    _ operation: OperationDeclaration, of model: ModelDeclaration, _ home: String, _ paths: TagPaths
  ) {
    let key = "\(home) operation \(operation.wireName)"
    let values = ValueTexts(paths: paths, model: model, parameters: operation.parameters)
    add("\(key) name", operation.name)
    for (index, parameter) in operation.parameters.enumerated() {
      add("\(key) parameter \(index + 1) name", parameter.name)
      add("\(key) parameter \(index + 1) type", paths.text(parameter.type))
    }
    add("\(key) requires", each: operation.requirements.map { values.text($0, as: nil) })
    add("\(key) effect", each: operation.effects.map(values.text))
  }
}

/// The values and effects of one operation or list, as texts.
struct ValueTexts {
  let paths: TagPaths
  let model: ModelDeclaration
  var parameters: [ParameterDeclaration] = []

  /// `set 6 = true, 7 = $1`
  func text(_ effect: Effect) -> String {
    switch effect {
    case .set(let fields): "set " + text(fields, model.fields)
    case .clear(let fields): "clear " + fields.map { paths.own(FieldPath([$0]), in: model) }.joined(separator: " ")
    case .insert(let fields): "insert " + text(fields, model.fields)
    case .remove(let fields): "remove " + text(fields, model.fields)
    case .increment(let fields): "increment " + text(fields, model.fields)
    case .create(let other, let fields):
      "create \(paths.wireName(other)) " + text(fields, paths.fields(ofModel: other))
    case .upsert(let other, let fields):
      "upsert \(paths.wireName(other)) " + text(fields, paths.fields(ofModel: other))
    case .delete: "delete"
    case .follow(let user, let role): "follow \(text(user, as: nil)) \(role?.rawValue ?? "writer")"
    case .role(let user, let role): "role \(text(user, as: nil)) \(role.rawValue)"
    case .unfollow(let user): "unfollow \(text(user, as: nil))"
    }
  }

  /// `$1.2`, `$self.1`, `member($me).3`: parameters by their positions.
  func text(_ value: ValueExpression, as type: FieldType?) -> String {
    switch value {
    case .parameter(let name, let path):
      let index = parameters.firstIndex { $0.name == name }
      return "$" + (index.map { "\($0 + 1)" } ?? name) + paths.text(path, from: index.map { parameters[$0].type })
    case .me: return "$me"
    case .now: return "$now"
    case .today: return "$today"
    case .object(let path): return "$self" + paths.text(path, from: FieldType(.reference(model.name)))
    case .lookup(let other, let key, let path):
      return "\(paths.wireName(other))(\(text(key, as: nil)))" + paths.text(path, from: FieldType(.reference(other)))
    case .literal(let literal): return paths.text(literal, as: type)
    }
  }

  private func text(_ assignments: [FieldAssignment], _ fields: [FieldDeclaration]) -> String {
    assignments.map { assignment in
      let field = fields.first { $0.name == assignment.field }
      let target = field.map { "\($0.tag)" } ?? assignment.field
      let value = text(assignment.value, as: field?.type)
      return "\(target) = \(assignment.bound.map { "\($0.rawValue)(\(value))" } ?? value)"
    }.sorted().joined(separator: ", ")
  }
}
