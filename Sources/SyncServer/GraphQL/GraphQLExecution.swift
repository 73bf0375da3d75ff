// What a plan comes to: says what is to be run, takes what came of it, and keeps of the values what was asked for
// (GraphQL, October 2021, section 6).

import SyncProtocol

/// Events in, actions out: whoever runs the fields waits for them, and nothing of this lies on a stack meanwhile.
struct GraphQLExecution: Sendable {
  private var fields: [(plan: GraphQLPlan, run: GraphQLRoot.Run)] = []
  private var members: [JSONValue.Member] = []
  private var isNull = false
  /// Errors of fields; an answer has them beside its data.
  private(set) var errors: [GraphQLError] = []
  /// Of our own mistakes, for our own log: no client sees them.
  private(set) var causes: [any Error] = []
  /// Of the value that is being completed.
  private var path: [Place] = []
  /// What the answer may still have: a short document can ask for the same content under many names.
  private var bytes = AnswerBytes()

  private enum Place {
    case key(String)
    case index(Int)

    var json: JSONValue {
      switch self {
      case .key(let name): .string(name)
      case .index(let index): .count(index)
      }
    }
  }

  /// Throws where an argument is no request, before anything has happened.
  init(
    _ plans: [GraphQLPlan], of type: String, _ input: GraphQLInput, _ roots: [String: GraphQLRoot]
  ) throws(GraphQLError) {
    for var plan in plans {
      let run = try Self.prepare(plan, type, input, roots)
      // They were read, and may be kept for long.
      plan.field.arguments = []
      fields.append((plan, run))
    }
  }

  /// The names of the fields at the top.
  var calls: [String] { fields.map(\.plan.field.name) }

  /// What is to be run now: one field of the root after the other. Nil where the data is there.
  var next: GraphQLRoot.Run? { isNull || members.count == fields.count ? nil : fields[members.count].run }

  var data: JSONValue { isNull ? .null : .object(members) }

  /// What came of `next`. Not inlined: what it works with would lie in the frame of each request that waits.
  @inline(never)
  mutating func take(_ result: Result<GraphQLRoot.Output, any Error>) {
    let plan = fields[members.count].plan
    if let value = value(of: plan, result) {
      members.append(JSONValue.Member(plan.key, value))
    } else {
      // Where a field is null that may not be, the whole data is.
      isNull = true
    }
  }

  private static func prepare(
    _ plan: GraphQLPlan, _ type: String, _ input: GraphQLInput, _ roots: [String: GraphQLRoot]
  ) throws(GraphQLError) -> GraphQLRoot.Run {
    let field = plan.field
    if field.name == "__typename" { return { { .string(type) } } }
    guard let root = roots[field.name] else {
      throw GraphQLError(.internalServerError, "`\(field.name)` is not served here.", at: field.offset)
    }
    let arguments = try input.arguments(field.arguments, plan.declaration.arguments)
    do throws(MessageError) { return try root.prepare(arguments) } catch {
      throw GraphQLError(.badUserInput, "`\(field.name)`: \(error).", at: field.offset)
    }
  }

  private mutating func value(of plan: GraphQLPlan, _ result: Result<GraphQLRoot.Output, any Error>) -> JSONValue? {
    path = [.key(plan.key)]
    do {
      try take(AnswerBytes.member(plan.key), plan)
      return try complete(try result.get()(), plan.declaration.type, plan)
    } catch let error as GraphQLError {
      errors.append(error)
    } catch let error as RequestError {
      errors.append(self.error(error.code, error.message, plan))
    } catch {
      causes.append(error)
      let answer = (error as? any ServedError)?.answer
      let told = answer ?? RequestError(.internalServerError, "Something went wrong on the server.")
      errors.append(self.error(told.code, told.message, plan))
    }
    if case .nonNull = plan.declaration.type { return nil }
    return .null
  }

  private func error(_ code: RequestError.Code, _ message: String, _ plan: GraphQLPlan) -> GraphQLError {
    GraphQLError(code, message, at: plan.field.offset, path: path.map(\.json))
  }

  private mutating func take(_ count: Int, _ plan: GraphQLPlan) throws(GraphQLError) {
    guard bytes.take(count) else {
      throw GraphQLError(.tooLarge, "An answer has at most \(ProtocolLimits.answerBytes) bytes.", at: plan.field.offset)
    }
  }

  /// Section 6.4.3, CompleteValue. A value that is not what the schema promises is our own mistake.
  private mutating func complete(
    _ value: JSONValue, _ type: GraphQLTypeReference, _ plan: GraphQLPlan
  ) throws(GraphQLError) -> JSONValue {
    switch (type, value) {
    case (.nonNull, .null):
      throw error(.internalServerError, "The server has no value for `\(plan.field.name)`.", plan)
    case (.nonNull(let inner), _): return try complete(value, inner, plan)
    case (_, .null):
      try take(AnswerBytes.of(.null), plan)
      return .null
    case (.list(let type), .array(let values)):
      try take(AnswerBytes.list(values.count), plan)
      var elements: [JSONValue] = []
      elements.reserveCapacity(values.count)
      for value in values { elements.append(try nested(.index(elements.count), value, type, plan)) }
      return .array(elements)
    case (.named(let name), .object):
      try take(AnswerBytes.object, plan)
      var members: [JSONValue.Member] = []
      members.reserveCapacity(plan.fields.count)
      for inner in plan.fields {
        try take(AnswerBytes.member(inner.key), plan)
        let value = inner.field.name == "__typename" ? .string(name) : value[inner.field.name] ?? .null
        members.append(JSONValue.Member(inner.key, try nested(.key(inner.key), value, inner.declaration.type, inner)))
      }
      return .object(members)
    default:
      try take(AnswerBytes.of(value), plan)
      return value
    }
  }

  /// A place that may be null takes the error of what it holds; any other hands it on. An answer that is too large is
  /// none: it would be as large with nulls.
  private mutating func nested(
    _ place: Place, _ value: JSONValue, _ type: GraphQLTypeReference, _ plan: GraphQLPlan
  ) throws(GraphQLError) -> JSONValue {
    path.append(place)
    defer { path.removeLast() }
    if case .nonNull = type { return try complete(value, type, plan) }
    do throws(GraphQLError) { return try complete(value, type, plan) } catch {
      if error.code == .tooLarge { throw error }
      errors.append(error)
      return .null
    }
  }
}
