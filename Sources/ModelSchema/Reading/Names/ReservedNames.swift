// The names that generated code, the language or Swift needs for itself.

enum ReservedNames {
  /// The reason why `name` is reserved for this use; nil where it is not.
  static func reason(_ name: String, as use: NameRules.Use) -> String? {
    switch use {
    case .file:
      return outputs.contains(name.lowercased()) ? "another generated file has this name" : nil
    case .model:
      if builtInTypes.contains(name) || name == "user" { return "the language has a type of this name" }
      return name == "modelgen" ? "`modelgen.yaml` is the configuration" : nil
    case .type:
      return builtInTypes.contains(name) || name == "user" ? "the language has a type of this name" : nil
    case .field:
      if SwiftWords.isNoMember(name) { return "Swift reads it as a word of its own, even between backticks" }
      return members.contains(name) ? "generated code has a member of this name" : nil
    case .list, .conversion:
      if let reason = reason(name, as: .field) { return reason }
      return staticMembers.contains(name) ? "generated code has a member of this name" : nil
    case .enumCase:
      if SwiftWords.isNoMember(name) { return "Swift reads it as a word of its own, even between backticks" }
      if name == "absent0" { return "the `.proto` uses this name for the number 0" }
      return caseMembers.contains(name) ? "generated enums have a member of this name" : nil
    case .parameter:
      if expressionWords.contains(name) { return "`$\(name)` has a meaning of its own" }
      if SwiftWords.isNoMember(name) { return "Swift reads it as a word of its own, even between backticks" }
      return members.contains(name) || methods.contains(name) ? "generated code has a member of this name" : nil
    case .operation, .view:
      return nil
    }
  }

  /// The reason why no Swift type can have this name; nil where one can.
  static func reason(swiftName name: String) -> String? {
    switch name {
    case "Any", "Self", "Type", "Protocol": "it is a word of Swift"
    case "Swift", "ModelSupport": "generated code looks for types in the module of this name"
    case "ID": "every model has a type of this name"
    case "Conversions": "it is the protocol of the functions that `via:` names"
    // `Swift.Task` is no way out, as it is for other names: Swift's is in a module that apps do not name.
    case "Task": "it would hide the `Task` of Swift"
    default: nil
    }
  }

  static let builtInTypes: Set<String> = [
    "bool", "int32", "int64", "uint32", "uint64", "float", "double", "string", "data", "uuid", "timestamp", "file",
    "counter", "ref", "list", "set", "map",
  ]

  /// In lower case, because some file systems ignore case.
  private static let outputs: Set<String> = ["modelgenregistry", "modelgenfixtures"]

  private static let expressionWords: Set<String> = ["me", "self", "now"]

  /// Members that generated models and structs declare, or inherit from their protocols.
  private static let members: Set<String> = [
    "id", "unknownFields", "fieldTable", "modelName", "queueID", "zero", "zeroWithID", "encoded", "newestBy",
    "newestByTag", "hashValue", "fixture", "deltaQuery", "objectAccess", "lifetimeMilliseconds",
  ]

  /// Methods with arguments, and members of operations only: beside them a model may have a field of this name.
  private static let methods: Set<String> = [
    "encode", "decode", "merge", "patch", "changes", "applying", "target", "operationName", "evaluate", "hash",
    "description", "debugDescription",
  ]

  /// Static members that only some generated models declare. A field may have the name of one; a list, which is static
  /// too, may not.
  private static let staticMembers: Set<String> = ["fileTags"]

  /// Members that generated enums declare or inherit from their protocols, and cases that would be mistaken for those
  /// of `Optional`.
  private static let caseMembers: Set<String> = [
    "unknown", "knownCases", "rawValue", "number", "zero", "allCases", "hash", "hashValue", "description",
    "debugDescription", "none", "some",
  ]
}
