// Reads `modelgen.yaml`: the name of the schema and the settings of its output.

struct Configuration {
  var name = ""
  var access = AccessLevel.internal
  var output = "../Generated"
  var fixtures = false
  var reservedModels: [Spelled] = []
  var waivers: [Waiver] = []
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
    let pairs = kinds.pairs(of: root, known: .configuration, in: "modelgen.yaml")
    if let node = pairs["schema"]?.value {
      if let name = kinds.text(of: node, "`schema:`") {
        NameRules(findings).checkSwiftName(name)
        result.name = name.text
      }
    } else if root.pairs != nil {
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
    if let node = pairs["reserved"]?.value { result.reservedModels = reservedModels(node, kinds) }
    if let node = pairs["waivers"]?.value {
      result.waivers = kinds.elements(of: node, "`waivers:`").compactMap { waiver($0, kinds) }
    }
    return result
  }

  private static func reservedModels(_ node: YAMLNode, _ kinds: KindReader) -> [Spelled] {
    let parts = kinds.pairs(of: node, known: .reservedModels, in: "`reserved:`")
    guard let models = parts["models"]?.value else { return [] }
    let names = kinds.elements(of: models, "`models:`").compactMap { kinds.text(of: $0, "A reserved name") }
      .filter { kinds.nameRules.checkForm($0) }
    kinds.nameRules.checkUnique(names, "reserved")
    return names
  }

  /// Reads `{ rule: field-type, at: model photo field 3, reason: TEXT }`.
  private static func waiver(_ node: YAMLNode, _ kinds: KindReader) -> Waiver? {
    let keys = KeyTable.waiver.names
    let parts = kinds.pairs(of: node, known: .waiver, in: "A waiver")
    let texts = keys.map { key in parts[key].flatMap { kinds.text(of: $0.value, "`\(key):`") } }
    if let missing = keys.first(where: { parts[$0] == nil }), node.pairs != nil {
      kinds.findings.report(
        .missingKey, "A waiver is `{ rule: RULE, at: THING, reason: TEXT }`; `\(missing):` is missing.",
        at: node.shownRange)
    }
    guard let rule = texts[0], let at = texts[1], let reason = texts[2] else { return nil }
    guard ChangeRule.byID[rule.text] != nil else {
      kinds.findings.report(
        .configValue, "There is no rule `\(rule.text)` for changes.", at: rule.range,
        replacement: Suggestion.nearest(to: rule.text, among: ChangeRule.byID.keys.sorted()))
      return nil
    }
    return Waiver(rule: rule.text, at: at.text, reason: reason.text)
  }

  /// Whether a path relative to the schema folder begins with `..`, has no `..` behind a name, and has visible
  /// characters only.
  private static func leadsOutside(_ path: String) -> Bool {
    let parts = path.split(separator: "/").filter { $0 != "." }
    return !path.hasPrefix("/") && parts.first == ".." && !parts.drop { $0 == ".." }.contains("..")
      && ShownText.escaped(path) == path
  }
}
