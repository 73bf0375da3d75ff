// Decides which values scalar types accept. The protocol's own scalars travel as strings, which the messages parse.

import SyncProtocol

enum GraphQLScalar {
  /// Whether a literal in a document is a value of a scalar type.
  static func accepts(_ literal: GraphQLValue.Kind, as type: String) -> Bool {
    switch (type, literal) {
    case ("Int", .int(let digits)): Int32(digits) != nil
    case ("Float", .int), ("Float", .float): true
    case ("Boolean", .bool): true
    case ("ID", .int): true
    case ("Int", _), ("Float", _), ("Boolean", _): false
    case (_, .string): true
    default: false
    }
  }

  /// Whether the value of a variable is one of a scalar type.
  static func accepts(_ value: JSONValue, as type: String) -> Bool {
    switch (type, value) {
    case ("Int", .number(let digits)): Int32(digits) != nil
    case ("Float", .number): true
    case ("Boolean", .bool): true
    case ("ID", .number(let digits)): Int64(digits) != nil
    case ("Int", _), ("Float", _), ("Boolean", _): false
    case (_, .string): true
    default: false
    }
  }
}
