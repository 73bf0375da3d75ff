// The fields that an operation asks for, with all fragments spread and all conditions decided. No type of the schema is
// abstract, so all of this is known before anything is executed.

/// One field of the answer.
struct GraphQLPlan: Sendable {
  /// Its name in the answer.
  var key: String
  var field: GraphQLField
  var declaration: GraphQLSchema.FieldDeclaration
  /// The selected fields of an object type, in the order of the answer; empty for other types.
  var fields: [GraphQLPlan] = []

  /// Plans the selections of a valid document. Throws if the variable of a condition has no value.
  static func fields(
    _ selections: [[GraphQLSelection]], of type: String, _ schema: GraphQLSchema, _ input: GraphQLInput,
    _ fragments: [String: GraphQLFragment]
  ) throws(GraphQLError) -> [GraphQLPlan] {
    var plans: [GraphQLPlan] = []
    for (key, fields) in try GraphQLSelection.grouped(selections, fragments, where: input.includes) {
      guard let declaration = schema.field(fields[0].name, of: type) else {
        preconditionFailure("the document was validated")
      }
      var plan = GraphQLPlan(key: key, field: fields[0], declaration: declaration)
      plan.fields = try Self.fields(
        fields.map(\.selections), of: declaration.type.name, schema, input, fragments)
      // The plan has the selections now, and is kept as long as its field waits.
      plan.field.selections = []
      plans.append(plan)
    }
    return plans
  }
}
