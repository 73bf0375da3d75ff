// Decides which values scalar types accept. Scalars that the language does not have travel as strings, which resolvers
// read.

import JSON

enum GraphQLScalar {
  /// Whether the value of a variable, or of a literal, is one of a scalar type; false for nil.
  static func accepts(_ value: JSONValue?, as type: String) -> Bool {
    switch (type, value) {
    case ("Int", .number(let digits)?): Int32(digits) != nil
    case ("ID", .number(let digits)?): Int64(digits) != nil
    case ("Float", .number?), ("Boolean", .bool?): true
    case ("Int", _), ("Float", _), ("Boolean", _): false
    case (_, .string?): true
    default: false
    }
  }
}

extension GraphQLValue.Kind {
  /// The JSON of a literal of a scalar type; nil for other kinds.
  var scalar: JSONValue? {
    switch self {
    case .int(let digits), .float(let digits): .number(digits)
    case .string(let text): .string(text)
    case .bool(let value): .bool(value)
    case .variable, .null, .enumCase, .list, .object: nil
    }
  }
}
