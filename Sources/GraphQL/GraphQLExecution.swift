// Executes a plan: says which field to run next, takes the result, and writes the requested fields as JSON (GraphQL,
// October 2021, section 6).

import JSON

/// A state machine. The caller runs the fields and awaits them, so that nothing of this is on a stack while a field
/// waits.
struct GraphQLExecution: Sendable {
  private var fields: [(plan: GraphQLPlan, run: GraphQLResolver.Run)] = []
  /// How many fields were run.
  private var count = 0
  /// The members of the data so far, as JSON.
  private var output: [UInt8] = []
  private let answerBytes: Int
  private var isNull = false
  /// Errors of fields. An answer has them beside its data.
  private(set) var errors: [GraphQLError] = []
  /// Internal errors, for the server's log. No client sees them.
  private(set) var causes: [any Error] = []
  /// The path of the value that is being written.
  private var path: [PathStep] = []

  /// The bytes of an answer around its members.
  private static let frame = #"{"data":{}}"#.utf8.count

  private enum PathStep {
    case key(String)
    case index(Int)

    var json: JSONValue {
      switch self {
      case .key(let name): .string(name)
      case .index(let index): .count(index)
      }
    }
  }

  /// Throws if the arguments of a field are not a valid request, before anything is run.
  init(
    _ plans: [GraphQLPlan], of type: String, _ input: GraphQLInput, _ resolvers: [String: GraphQLResolver],
    answerBytes: Int
  ) throws(GraphQLError) {
    self.answerBytes = answerBytes
    for var plan in plans {
      let run = try Self.prepare(plan, type, input, resolvers)
      // `run` has the arguments now, and the plan is kept as long as the field waits.
      plan.field.arguments = []
      fields.append((plan, run))
    }
  }

  /// The names of the top-level fields.
  var calls: [String] { fields.map(\.plan.field.name) }

  /// The top-level field to run next. Nil once all were run, or once the data is null.
  var next: GraphQLResolver.Run? { isNull || count == fields.count ? nil : fields[count].run }

  /// The data as JSON.
  var data: [UInt8] {
    if isNull { return Array("null".utf8) }
    var data = Array("{".utf8)
    data.reserveCapacity(output.count + 2)
    data += output
    data.append(UInt8(ascii: "}"))
    return data
  }

  /// Takes the result of `next`. Not inlined, because its variables would be in the frame of each request that waits.
  @inline(never)
  mutating func take(_ result: Result<GraphQLResolver.Output, any Error>) {
    let plan = fields[count].plan
    count += 1
    // If a field fails that must not be null, the whole data is null.
    isNull = !write(plan, result)
  }

  private static func prepare(
    _ plan: GraphQLPlan, _ type: String, _ input: GraphQLInput, _ resolvers: [String: GraphQLResolver]
  ) throws(GraphQLError) -> GraphQLResolver.Run {
    let field = plan.field
    if field.name == "__typename" { return { { .string(type) } } }
    guard let resolver = resolvers[field.name] else {
      throw GraphQLError(.internalServerError, "`\(field.name)` is not served here.", at: field.offset)
    }
    let arguments = try input.arguments(field.arguments, plan.declaration.arguments)
    do { return try resolver.prepare(arguments) } catch {
      throw GraphQLError(.badUserInput, "`\(field.name)`: \(error).", at: field.offset)
    }
  }

  /// Writes a top-level field; if it fails, writes null instead and keeps the error. Returns false if the field failed
  /// and must not be null.
  private mutating func write(_ plan: GraphQLPlan, _ result: Result<GraphQLResolver.Output, any Error>) -> Bool {
    path = [.key(plan.key)]
    let start = output.count
    do {
      try member(plan, isFirst: count == 1)
      try complete(try result.get()(), plan.declaration.type, plan)
      return true
    } catch let error as GraphQLError {
      errors.append(error)
    } catch {
      let known = error as? any GraphQLClientError
      if known?.isInternal ?? true { causes.append(error) }
      let told = known?.toClients ?? GraphQLError(.internalServerError, "Something went wrong on the server.")
      errors.append(self.error(told.code, told.message, plan))
    }
    output.removeSubrange(start...)
    if case .nonNull = plan.declaration.type { return false }
    do {
      try member(plan, isFirst: count == 1)
      try write("null", plan)
    } catch { return false }
    return true
  }

  private func error(_ code: GraphQLError.Code, _ message: String, _ plan: GraphQLPlan) -> GraphQLError {
    GraphQLError(code, message, at: plan.field.offset, path: path.map(\.json))
  }

  private func checkSize(_ plan: GraphQLPlan) throws(GraphQLError) {
    guard output.count <= answerBytes - Self.frame else {
      throw GraphQLError(.tooLarge, "An answer has at most \(answerBytes) bytes.", at: plan.field.offset)
    }
  }

  private mutating func write(_ text: StaticString, _ plan: GraphQLPlan) throws(GraphQLError) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
    try checkSize(plan)
  }

  /// Writes the name of a member and the colon.
  private mutating func member(_ plan: GraphQLPlan, isFirst: Bool) throws(GraphQLError) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    JSONValue.append(quoted: plan.key, to: &output)
    try write(":", plan)
  }

  /// Writes a value (section 6.4.3, CompleteValue). A null where the schema allows none is an internal error.
  private mutating func complete(
    _ value: JSONValue, _ type: GraphQLTypeReference, _ plan: GraphQLPlan
  ) throws(GraphQLError) {
    switch (type, value) {
    case (.nonNull, .null):
      throw error(.internalServerError, "The server has no value for `\(plan.field.name)`.", plan)
    case (.nonNull(let inner), _): try complete(value, inner, plan)
    case (_, .null): try write("null", plan)
    case (.list(let type), .array(let values)):
      try write("[", plan)
      for (index, value) in values.enumerated() {
        if index > 0 { try write(",", plan) }
        try nested(.index(index), value, type, plan)
      }
      try write("]", plan)
    case (.named(let name), .object):
      try write("{", plan)
      for (index, inner) in plan.fields.enumerated() {
        try member(inner, isFirst: index == 0)
        let value = inner.field.name == "__typename" ? .string(name) : value[inner.field.name] ?? .null
        try nested(.key(inner.key), value, inner.declaration.type, inner)
      }
      try write("}", plan)
    default:
      value.append(to: &output)
      try checkSize(plan)
    }
  }

  /// Writes a value inside another. If it fails, a nullable place becomes null, and any other place passes the error
  /// on. `tooLarge` is always passed on, because the answer would be too large with nulls as well.
  private mutating func nested(
    _ place: PathStep, _ value: JSONValue, _ type: GraphQLTypeReference, _ plan: GraphQLPlan
  ) throws(GraphQLError) {
    path.append(place)
    defer { path.removeLast() }
    if case .nonNull = type { return try complete(value, type, plan) }
    let start = output.count
    do throws(GraphQLError) { try complete(value, type, plan) } catch {
      if error.code == .tooLarge { throw error }
      errors.append(error)
      output.removeSubrange(start...)
      try write("null", plan)
    }
  }
}
