// The fields that an operation asks for, with every fragment spread and every condition decided: no type of the schema is
// abstract, so all of it is known before anything is executed.

/// One field of the answer.
struct GraphQLPlan: Sendable {
  /// Its name in the answer.
  var key: String
  var field: GraphQLField
  var declaration: GraphQLSchema.FieldDeclaration
  /// Of an object type, in the order of the answer.
  var fields: [GraphQLPlan] = []

  /// Of a valid document. Throws where a condition's variable was not given.
  static func fields(
    _ selections: [[GraphQLSelection]], of type: String, _ schema: GraphQLSchema, _ input: GraphQLInput,
    _ fragments: [String: GraphQLFragment]
  ) throws(GraphQLError) -> [GraphQLPlan] {
    var plans: [GraphQLPlan] = []
    for (key, fields) in try collect(selections, input, fragments) {
      guard let declaration = schema.field(fields[0].name, of: type) else {
        preconditionFailure("the document was validated")
      }
      var plan = GraphQLPlan(key: key, field: fields[0], declaration: declaration)
      plan.fields = try Self.fields(
        fields.map(\.selections), of: declaration.type.name, schema, input, fragments)
      // From here on the plan says it, and it may be kept for long.
      plan.field.selections = []
      plans.append(plan)
    }
    return plans
  }

  /// Section 6.3.2, CollectFields: by names in the answer, in the order of the document.
  private static func collect(
    _ selections: [[GraphQLSelection]], _ input: GraphQLInput, _ fragments: [String: GraphQLFragment]
  ) throws(GraphQLError) -> [(key: String, fields: [GraphQLField])] {
    var order: [(key: String, fields: [GraphQLField])] = []
    var places: [String: Int] = [:]
    var waiting = Array(selections.joined().reversed())
    while let selection = waiting.popLast() {
      guard try input.includes(selection.directives) else { continue }
      switch selection {
      case .field(let field):
        if let place = places[field.key] {
          order[place].fields.append(field)
        } else {
          places[field.key] = order.count
          order.append((field.key, [field]))
        }
      case .inline(_, _, let selections, _): waiting += selections.reversed()
      case .spread(let name, _, _): waiting += (fragments[name]?.selections ?? []).reversed()
      }
    }
    return order
  }
}
