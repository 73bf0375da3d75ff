// Checks the names of schema files: models and generated files are named after them.

struct FileNames {
  private let findings: Findings

  init(_ findings: Findings) {
    self.findings = findings
  }

  /// Reports a file that must be renamed, and returns false. Then the outline gets the corrected stem, so that
  /// references to it are not reported too.
  func check(_ outline: inout FileOutline, _ root: YAMLNode) -> Bool {
    let model = modelName(root)
    let place = model?.range ?? .start(of: outline.path)
    guard NameRules.isName(outline.stem) else {
      let stem =
        model.flatMap { NameRules.isName($0.text) ? $0.text : nil } ?? NameRules.mended(outline.stem, as: .file)
      reportForm(outline.stem, stem, model, place)
      outline.stem = stem ?? outline.stem
      return false
    }
    NameRules(findings).check(Spelled(text: outline.stem, range: place), as: .file)
    return true
  }

  /// Reports files whose names differ only by case. On some file systems they, and their outputs, are the same file.
  static func checkUnique(_ outlines: [FileOutline], _ findings: Findings) {
    let stems = outlines.map { Spelled(text: $0.stem, range: $0.model?.range ?? .start(of: $0.path)) }
    NameRules(findings).checkUnique(stems, "file")
  }

  private func reportForm(_ stem: String, _ mended: String?, _ model: Spelled?, _ place: SourceRange) {
    let what = "`\(stem).yaml` is not the name of a schema file: the part before `.yaml` \(NameRules.form)"
    guard let mended else {
      findings.report(.fileName, "\(what); rename the file.", at: place)
      return
    }
    let isModelRight = model == nil || model?.text == mended
    findings.report(
      .fileName,
      "\(what); rename the file to `\(mended).yaml`\(isModelRight ? "" : " and its model to `\(mended)`").",
      at: place, replacement: isModelRight ? nil : mended, isCertain: false)
  }

  private func modelName(_ root: YAMLNode) -> Spelled? {
    guard let value = root.pair("model")?.value, let text = value.text, !text.isEmpty else { return nil }
    return Spelled(text: text, range: value.range)
  }
}
