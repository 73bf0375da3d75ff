// The words of Swift, which cannot be names as they are.

public enum SwiftWords {
  /// Whether Swift takes a name for a word of its own, unless it stands between backticks.
  public static func contains(_ name: String) -> Bool { words.contains(name) }

  /// Whether not even backticks help: `x.self` is `x`, `x.init` makes a value, and no argument is called as the others.
  static func isNoMember(_ name: String) -> Bool { ["self", "init", "inout", "let", "var"].contains(name) }

  private static let words: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct",
    "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "as", "await",
    "false", "is", "nil", "self", "super", "throws", "true", "try",
  ]
}
