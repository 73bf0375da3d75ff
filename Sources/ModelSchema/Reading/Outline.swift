// The first pass over a file: finds its model, the types that it declares, and its parts.

/// A schema file whose parts are found but not read yet.
struct FileOutline {
  var path: String
  var stem: String
  /// The name of the model and its place; nil in a file of shared types.
  var model: Spelled?
  var parts: [String: YAMLPair] = [:]
  var structs: [YAMLPair] = []
  var enums: [YAMLPair] = []
  /// The names under `unions:`, which this version does not read.
  var unions: [String] = []
  /// Whether the file could not be read. Then references to it are not reported.
  var isBroken = false
}

struct OutlineReader: PartReader {
  let findings: Findings

  func read(_ source: SourceFile) -> FileOutline {
    var outline = FileOutline(path: source.path, stem: ConfigurationReader.stem(of: source.path))
    guard let root = YAMLTreeBuilder.read(source, into: findings) else {
      outline.isBroken = true
      return outline
    }
    let isNamed = FileNames(findings).check(&outline, root)
    let isModel = declaresModel(root)
    outline.parts = kinds.pairs(
      of: root, known: isModel ? .model : .shared, in: isModel ? "A model" : "A file of shared types")
    outline.isBroken = root.pairs == nil
    if let pair = outline.parts["model"] {
      outline.model = modelName(pair, outline, isNamed: isNamed)
    } else if isModel {
      findings.report(
        .missingKey, "`model: NAME` is missing: this file has the keys of a model.", at: firstKey(root))
      outline.model = Spelled(text: outline.stem, range: firstKey(root))
    }
    if let pair = outline.parts["structs"] { outline.structs = kinds.entries(of: pair.value, "`structs:`") }
    if let pair = outline.parts["enums"] { outline.enums = kinds.entries(of: pair.value, "`enums:`") }
    if let pair = outline.parts["unions"] {
      // A misspelt key such as `union:` has been reported already.
      if root.pair("unions") != nil {
        findings.report(.notYetSupported, "Unions are not yet supported.", at: pair.key.range)
      }
      outline.unions = pair.value.pairs?.map(\.key.text) ?? []
    }
    if root.pairs?.isEmpty == true {
      findings.report(.emptyFile, "The file declares nothing.", at: root.shownRange)
    }
    return outline
  }

  /// Whether the file has the keys of a model. Then it is read as one, even without `model:`.
  private func declaresModel(_ root: YAMLNode) -> Bool {
    root.pairs?.contains { KeyTable.modelMarks.contains($0.key.text) } ?? false
  }

  private func firstKey(_ root: YAMLNode) -> SourceRange {
    root.pairs?.first?.key.range ?? root.shownRange
  }

  private func modelName(_ pair: YAMLPair, _ outline: FileOutline, isNamed: Bool) -> Spelled {
    guard let name = kinds.text(of: pair.value, "`model:`") else {
      return Spelled(text: outline.stem, range: pair.key.range)
    }
    if !isNamed { return Spelled(text: outline.stem, range: name.range) }
    if name.text != outline.stem {
      findings.report(
        .modelName,
        "The file is named `\(outline.stem)`, and its model `\(name.text)`: they have one name, so rename one of them.",
        at: name.range, replacement: outline.stem, isCertain: false)
    } else {
      nameRules.check(name, as: .model)
    }
    return Spelled(text: outline.stem, range: name.range)
  }
}
