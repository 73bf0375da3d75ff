// Checks that fragments can be spread: no cycles, a limited number of fields, one meaning for each name.

extension GraphQLValidator {
  /// Reports each fragment that contains itself, directly or through others.
  mutating func checkCircles(_ named: [String: Names]) {
    var finished: Set<String> = []
    for fragment in document.fragments {
      var path: [String] = []
      visit(fragment.name, named, &finished, &path)
    }
  }

  // Recurses as deep as there are fragments at most. The limit of tokens bounds their number.
  private mutating func visit(
    _ name: String, _ named: [String: Names], _ finished: inout Set<String>, _ path: inout [String]
  ) {
    guard !finished.contains(name) else { return }
    path.append(name)
    for spread in named[name]?.spreads ?? [] {
      if path.contains(spread.name) {
        report("Fragment `\(spread.name)` contains itself.", at: spread.offset)
      } else {
        visit(spread.name, named, &finished, &path)
      }
    }
    path.removeLast()
    finished.insert(name)
  }

  /// Checks how much an operation asks for, and that each name has one meaning. To be called only if there is no other
  /// mistake.
  mutating func checkSpread(_ operation: GraphQLOperation) {
    var costs: [String: Cost] = [:]
    let limits = limits
    let cost = cost(of: operation.selections, &costs)
    if cost.fields > limits.fields {
      return report("The operation asks for more than \(limits.fields) fields.", at: operation.offset)
    }
    if cost.depth > limits.depth {
      return report("The operation is more than \(limits.depth) levels deep.", at: operation.offset)
    }
    let top = merged([operation.selections])
    if top.count > limits.fieldsAtTheTop {
      return report("The operation has more than \(limits.fieldsAtTheTop) fields at the top.", at: operation.offset)
    }
    checkMerging(top)
  }

  private struct Cost {
    var fields = 0
    var depth = 0
  }

  /// The cost of selections, with all fragments spread. The cost of each fragment is computed once and kept in `known`.
  private func cost(of selections: [GraphQLSelection], _ known: inout [String: Cost]) -> Cost {
    var sum = Cost()
    for selection in selections {
      var part: Cost
      switch selection {
      case .field(let field):
        part = cost(of: field.selections, &known)
        part.fields += 1
        part.depth += 1
      case .inline(_, _, let selections, _): part = cost(of: selections, &known)
      case .spread(let name, _, _):
        part = known[name] ?? cost(of: fragments[name]?.selections ?? [], &known)
        known[name] = part
      }
      sum.depth = max(sum.depth, part.depth)
      // Capped, because fragments that spread others twice could double the sum until it overflows.
      sum.fields = min(sum.fields + part.fields, limits.fields + 1)
    }
    return sum
  }

  /// The fields of selections, whatever their conditions. There are at most `limits.fields`, which `checkSpread` has
  /// checked.
  private func merged(_ selections: [[GraphQLSelection]]) -> [(key: String, fields: [GraphQLField])] {
    GraphQLSelection.grouped(selections, fragments) { _ in true }
  }

  /// Reports names that stand for different fields (section 5.3.2). A fragment fits only on its own type, so fields of
  /// one name in one place have the same parent type.
  private mutating func checkMerging(_ groups: [(key: String, fields: [GraphQLField])]) {
    for (key, fields) in groups {
      for field in fields.dropFirst() where !field.means(fields[0]) {
        report("`\(key)` stands for two different things.", at: field.offset)
      }
      checkMerging(merged(fields.map(\.selections)))
    }
  }
}

extension GraphQLField {
  fileprivate func means(_ other: GraphQLField) -> Bool {
    name == other.name && GraphQLValue.areSame(arguments, other.arguments)
  }
}

extension GraphQLValue {
  /// Whether two lists have the same arguments, in any order.
  fileprivate static func areSame(_ left: [GraphQLArgument], _ right: [GraphQLArgument]) -> Bool {
    left.count == right.count
      && left.allSatisfy { argument in
        right.contains { $0.name == argument.name && $0.value.isSame(as: argument.value) }
      }
  }

  private func isSame(as other: GraphQLValue) -> Bool {
    switch (kind, other.kind) {
    case (.variable(let left), .variable(let right)), (.int(let left), .int(let right)),
      (.float(let left), .float(let right)), (.string(let left), .string(let right)),
      (.enumCase(let left), .enumCase(let right)):
      left == right
    case (.bool(let left), .bool(let right)): left == right
    case (.null, .null): true
    case (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
    case (.object(let left), .object(let right)): Self.areSame(left, right)
    default: false
    }
  }
}
