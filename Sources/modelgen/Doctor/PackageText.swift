// What a Package.swift says about the build plugin, as far as its text tells. Nothing runs it.

struct PackageText {
  static let plugin = "ModelgenBuild"

  /// Those that are written out, and not made by a function of the package.
  private(set) var targets: [Target] = []
  /// The text without comments.
  private let text: String

  init(_ source: String) {
    text = Self.withoutComments(source)
    for kind in [".target(", ".executableTarget(", ".testTarget("] {
      for part in text.split(separator: kind, omittingEmptySubsequences: false).dropFirst() {
        targets.append(Target(Self.arguments(part)))
      }
    }
  }

  /// Whether a target may use the plugin. A package that has the plugin as a product names it too.
  var namesPlugin: Bool { text.contains("\"\(Self.plugin)\"") }

  /// The target whose folder has this path from the package; nil where the text does not tell.
  func target(in folder: String) -> Target? {
    targets.first { target in
      if let path = target.path { return normalized(path) == folder }
      return ["Sources", "Tests", "Source", "src", "srcs"].contains { "\($0)/\(target.name)" == folder }
    }
  }

  struct Target: Hashable {
    private let arguments: String
    let name: String
    let path: String?

    init(_ arguments: String) {
      self.arguments = arguments
      name = Self.text(of: "name", in: arguments) ?? ""
      path = Self.text(of: "path", in: arguments)
    }

    var usesPlugin: Bool { mentions(PackageText.plugin) }

    /// Whether a text stands in the target's arguments: a file or folder is there to be excluded.
    func mentions(_ text: some StringProtocol) -> Bool { arguments.contains("\"\(text)\"") }

    /// The first text behind a label.
    private static func text(of label: String, in arguments: String) -> String? {
      let parts = arguments.split(separator: "\(label):", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      let quoted = parts[1].split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
      return quoted.count == 3 && quoted[0].allSatisfy(\.isWhitespace) ? String(quoted[1]) : nil
    }
  }

  /// The text up to the parenthesis that closes the call.
  private static func arguments(_ rest: Substring) -> String {
    var depth = 1
    var result = ""
    var isInText = false
    for character in rest {
      switch character {
      case "\"": isInText.toggle()
      case "(" where !isInText: depth += 1
      case ")" where !isInText: depth -= 1
      default: break
      }
      if depth == 0 { break }
      result.append(character)
    }
    return result
  }

  private static func withoutComments(_ source: String) -> String {
    var result = ""
    var rest = source[...]
    var isInText = false
    while let character = rest.first {
      if !isInText, rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if !isInText, rest.hasPrefix("/*") {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        if character == "\"" { isInText.toggle() }
        if isInText, character == "\\" { result.append(rest.removeFirst()) }
        if let next = rest.popFirst() { result.append(next) }
      }
    }
    return result
  }
}
