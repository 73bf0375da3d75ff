// Reads `modelgen.yaml`: the name of the schema and the settings of its output.

struct Configuration {
  var name = ""
  var access = AccessLevel.internal
  var output = "../Generated"
  var fixtures = false
}

enum ConfigurationReader {
  static func isConfiguration(_ source: SourceFile) -> Bool {
    stem(of: source.path) == "modelgen"
  }

  /// The file name without its folder and without `.yaml` or `.yml`.
  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    for ending in [".yaml", ".yml"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
    return name
  }

  /// Reads the configuration and reports its mistakes. Defaults replace wrong and absent values.
  static func read(_ files: [SourceFile], _ findings: Findings) -> Configuration {
    guard let source = files.first(where: isConfiguration) else {
      let folder = files.first.map { $0.path.split(separator: "/", omittingEmptySubsequences: false).dropLast() } ?? []
      let path = (folder + ["modelgen.yaml"]).joined(separator: "/")
      findings.report(
        .missingConfig, "The folder has no `modelgen.yaml`; it needs at least `schema: NAME`.", at: .start(of: path))
      return Configuration()
    }
    guard let root = YAMLTreeBuilder.read(source, into: findings) else { return Configuration() }
    return read(root, findings)
  }

  private static func read(_ root: YAMLNode, _ findings: Findings) -> Configuration {
    let kinds = KindReader(findings: findings)
    var result = Configuration()
    let pairs = kinds.pairs(of: root, known: ["schema", "access", "output", "fixtures"], in: "modelgen.yaml")
    if let node = pairs["schema"]?.value {
      if let name = kinds.text(of: node, "`schema:`") {
        NameRules(findings).checkSwiftName(name)
        result.name = name.text
      }
    } else if case .mapping = root.content {
      findings.report(.missingKey, "`schema: NAME` is missing; it names the generated registry.", at: root.shownRange)
    }
    if let node = pairs["access"]?.value, let text = kinds.text(of: node, "`access:`") {
      if let access = AccessLevel(rawValue: text.text) {
        result.access = access
      } else {
        let known = AccessLevel.allCases.map(\.rawValue)
        findings.report(
          .configValue, "`access:` is one of \(KindReader.listing(known)), not `\(text.text)`.", at: text.range,
          replacement: Suggestion.nearest(to: text.text, among: known))
      }
    }
    if let node = pairs["output"]?.value, let text = kinds.text(of: node, "`output:`") {
      result.output = text.text
      if !leadsOutside(text.text) {
        findings.report(
          .configValue,
          "`output:` is a path from this folder to one outside of it, such as `../Generated`, not `\(text.text)`.",
          at: text.range)
      }
    }
    if let node = pairs["fixtures"]?.value, let flag = kinds.flag(node, "`fixtures:`") { result.fixtures = flag }
    return result
  }

  /// Whether a path relative to the schema folder begins with `..`, has no `..` behind a name, and has visible
  /// characters only.
  private static func leadsOutside(_ path: String) -> Bool {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return !path.hasPrefix("/") && parts.first == ".." && !parts.drop { $0 == ".." }.contains("..")
      && ShownText.escaped(path) == path
  }
}
