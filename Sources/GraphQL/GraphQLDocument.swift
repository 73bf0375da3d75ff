// A parsed GraphQL document. Each part has its byte offset in the text.

/// Operations and fragments, not yet validated against the schema.
struct GraphQLDocument: Sendable {
  var operations: [GraphQLOperation] = []
  var fragments: [GraphQLFragment] = []

  /// Of several with one name, which are a mistake, the first.
  var fragmentsByName: [String: GraphQLFragment] {
    Dictionary(fragments.map { ($0.name, $0) }) { first, _ in first }
  }
}

struct GraphQLOperation: Sendable {
  enum Kind: String, Sendable {
    case query, mutation, subscription
  }

  var kind: Kind
  var name: String?
  var variables: [GraphQLVariable] = []
  var directives: [GraphQLDirective] = []
  var selections: [GraphQLSelection]
  var offset: Int
}

struct GraphQLVariable: Sendable {
  var name: String
  var type: GraphQLTypeReference
  var defaultValue: GraphQLValue?
  var directives: [GraphQLDirective]
  var offset: Int
}

struct GraphQLFragment: Sendable {
  var name: String
  var type: String
  var directives: [GraphQLDirective]
  var selections: [GraphQLSelection]
  var offset: Int
}

enum GraphQLSelection: Sendable {
  case field(GraphQLField)
  /// `... name`
  case spread(name: String, directives: [GraphQLDirective], offset: Int)
  /// `... on Type { }`; without a type it has the type of the place where it stands.
  case inline(type: String?, directives: [GraphQLDirective], selections: [GraphQLSelection], offset: Int)

  var directives: [GraphQLDirective] {
    switch self {
    case .field(let field): field.directives
    case .spread(_, let directives, _), .inline(_, let directives, _, _): directives
    }
  }

  /// Groups fields by their names in the answer, with all fragments spread, in the order of the document
  /// (section 6.3.2, CollectFields). `includes` says whether the directives of a selection keep it.
  static func grouped<Failure: Error>(
    _ selections: [[GraphQLSelection]], _ fragments: [String: GraphQLFragment],
    where includes: ([GraphQLDirective]) throws(Failure) -> Bool
  ) throws(Failure) -> [(key: String, fields: [GraphQLField])] {
    var groups: [(key: String, fields: [GraphQLField])] = []
    var places: [String: Int] = [:]
    var waiting = Array(selections.joined().reversed())
    while let selection = waiting.popLast() {
      guard try includes(selection.directives) else { continue }
      switch selection {
      case .field(let field):
        if let place = places[field.key] {
          groups[place].fields.append(field)
        } else {
          places[field.key] = groups.count
          groups.append((field.key, [field]))
        }
      case .inline(_, _, let selections, _): waiting += selections.reversed()
      case .spread(let name, _, _): waiting += (fragments[name]?.selections ?? []).reversed()
      }
    }
    return groups
  }
}

struct GraphQLField: Sendable {
  var alias: String?
  var name: String
  var arguments: [GraphQLArgument] = []
  var directives: [GraphQLDirective] = []
  var selections: [GraphQLSelection] = []
  var offset: Int

  /// The field's name in the answer.
  var key: String { alias ?? name }
}

struct GraphQLDirective: Sendable {
  var name: String
  var arguments: [GraphQLArgument]
  var offset: Int
}

struct GraphQLArgument: Sendable {
  var name: String
  var value: GraphQLValue
  var offset: Int
}

struct GraphQLValue: Sendable {
  indirect enum Kind: Sendable {
    case variable(String)
    case int(String)
    case float(String)
    case string(String)
    case bool(Bool)
    case null
    case enumCase(String)
    case list([GraphQLValue])
    case object([GraphQLArgument])
  }

  var kind: Kind
  var offset: Int
}

indirect enum GraphQLTypeReference: Hashable, Sendable, CustomStringConvertible {
  case named(String)
  case list(GraphQLTypeReference)
  case nonNull(GraphQLTypeReference)

  /// The name of the type, without brackets and exclamation marks.
  var name: String {
    switch self {
    case .named(let name): name
    case .list(let inner), .nonNull(let inner): inner.name
    }
  }

  var description: String {
    switch self {
    case .named(let name): name
    case .list(let element): "[\(element)]"
    case .nonNull(let inner): "\(inner)!"
    }
  }
}
