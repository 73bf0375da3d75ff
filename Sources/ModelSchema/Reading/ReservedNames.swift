// Words that Swift or generated code needs for itself.

enum ReservedNames {
  /// Why `name` cannot be used so; nil where it can.
  static func reason(_ name: String, as use: NameRules.Use) -> String? {
    switch use {
    case .model:
      if builtInTypes.contains(name) || name == "user" { return "the language has a type of this name" }
      return name == "modelgen" ? "`modelgen.yaml` is the configuration" : nil
    case .type:
      if builtInTypes.contains(name) || name == "user" { return "the language has a type of this name" }
      return typeMembers.contains(name) ? "generated types have a member of this name" : nil
    case .field:
      if keywords.contains(name) { return "it is a word of Swift" }
      return members.contains(name) ? "generated code has a member of this name" : nil
    case .enumCase:
      if keywords.contains(name) { return "it is a word of Swift" }
      return caseMembers.contains(name) ? "generated enums have a member of this name" : nil
    case .parameter:
      if expressionWords.contains(name) { return "`$\(name)` has a meaning of its own" }
      if keywords.contains(name) { return "it is a word of Swift" }
      return members.contains(name) ? "generated code has a member of this name" : nil
    case .operation, .list, .view:
      if keywords.contains(name) { return "it is a word of Swift" }
      return typeMembers.contains(name) ? "generated types have a member of this name" : nil
    }
  }

  static let builtInTypes: Set<String> = [
    "bool", "int32", "int64", "uint32", "uint64", "float", "double", "string", "data", "uuid", "timestamp", "file",
    "counter", "ref", "list", "set", "map",
  ]

  private static let expressionWords: Set<String> = ["me", "self", "now"]

  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct",
    "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "as", "await",
    "catch", "false", "is", "nil", "self", "super", "throws", "true", "try",
  ]

  private static let members: Set<String> = [
    "id", "unknownFields", "fieldTable", "modelName", "queueID", "zero", "zeroWithID", "encoded", "encode", "decode",
    "merge", "patch", "hash", "hashValue", "description", "debugDescription", "fixture",
  ]

  private static let typeMembers: Set<String> = ["id", "type", "protocol", "self", "fields", "fixture"]

  private static let caseMembers: Set<String> = [
    "unknown", "rawValue", "number", "zero", "allCases", "hash", "hashValue", "description", "debugDescription", "none",
    "some",
  ]
}
