// Validates a document against the schema before anything is executed (GraphQL, October 2021, section 5).

/// Collects mistakes up to a limit. So people who write a document by hand see many at once, and a hostile document
/// costs little.
struct GraphQLValidator {
  let schema: GraphQLSchema
  let limits: GraphQLLimits
  let document: GraphQLDocument
  let fragments: [String: GraphQLFragment]
  var errors: [GraphQLError] = []
  /// The names in the definition that is being checked.
  var names = Names()

  /// The variables and fragments that one definition names, each with its place.
  struct Names {
    var variables: [VariableUse] = []
    var spreads: [(name: String, offset: Int)] = []
  }

  struct VariableUse {
    var name: String
    /// The type that its place requires; nil if that is unknown.
    var type: GraphQLTypeReference?
    var hasDefault: Bool
    var offset: Int
  }

  /// The mistakes of a document; none if it is valid.
  static func errors(in document: GraphQLDocument, _ schema: GraphQLSchema, _ limits: GraphQLLimits) -> [GraphQLError] {
    var validator = Self(schema: schema, limits: limits, document: document, fragments: document.fragmentsByName)
    validator.checkDefinitions()
    return validator.errors
  }

  /// Adds an error, unless there are enough. Then `message` is not computed, because it may contain a name as long as
  /// the document.
  mutating func report(_ message: @autoclosure () -> String, at offset: Int) {
    guard !isFull else { return }
    errors.append(.invalid(message(), at: offset))
  }

  private var isFull: Bool { errors.count >= limits.errors }

  private mutating func checkDefinitions() {
    checkNames()
    var named: [String: Names] = [:]
    for fragment in document.fragments {
      names = Names()
      refuse(fragment.directives)
      if schema.isObject(fragment.type) {
        check(fragment.selections, of: fragment.type)
      } else {
        report("`\(fragment.type)` is not a type with fields.", at: fragment.offset)
      }
      named[fragment.name] = names
    }
    var used: Set<String> = []
    for operation in document.operations {
      if isFull { return }
      names = Names()
      check(operation)
      let reachable = reachable(from: names, named)
      used.formUnion(reachable)
      checkVariables(of: operation, names.variables + reachable.sorted().flatMap { named[$0]?.variables ?? [] })
    }
    for fragment in document.fragments where !used.contains(fragment.name) {
      report("Fragment `\(fragment.name)` is not used.", at: fragment.offset)
    }
    // Fragments can be spread safely only if every name is known and there are no cycles.
    checkCircles(named)
    guard errors.isEmpty else { return }
    for operation in document.operations { checkSpread(operation) }
  }

  private mutating func checkNames() {
    var seen: Set<String> = []
    for operation in document.operations {
      if let name = operation.name, !seen.insert(name).inserted {
        report("There are two operations `\(name)`.", at: operation.offset)
      }
      if operation.name == nil && document.operations.count > 1 {
        report("An operation without a name must be the only one.", at: operation.offset)
      }
    }
    seen = []
    for fragment in document.fragments where !seen.insert(fragment.name).inserted {
      report("There are two fragments `\(fragment.name)`.", at: fragment.offset)
    }
  }

  private mutating func check(_ operation: GraphQLOperation) {
    refuse(operation.directives)
    for variable in operation.variables { refuse(variable.directives) }
    guard let root = schema.root(of: operation.kind) else {
      return report("The schema has no \(operation.kind.rawValue).", at: operation.offset)
    }
    check(operation.selections, of: root)
  }

  /// The fragments that a definition spreads, directly or through others.
  private func reachable(from names: Names, _ named: [String: Names]) -> Set<String> {
    var found: Set<String> = []
    var waiting = names.spreads.map(\.name)
    while let name = waiting.popLast() {
      if found.insert(name).inserted { waiting += named[name]?.spreads.map(\.name) ?? [] }
    }
    return found
  }
}
