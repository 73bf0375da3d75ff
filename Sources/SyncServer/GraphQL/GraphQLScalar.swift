// Which values scalars take. Those of the protocol's own travel as strings, and the messages read them.

import SyncProtocol

enum GraphQLScalar {
  /// A literal in a document.
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

  /// A value of a variable.
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
