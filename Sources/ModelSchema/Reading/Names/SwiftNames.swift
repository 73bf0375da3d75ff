// Checks the Swift names of types for clashes and for ambiguity with types of well-known libraries.

/// Checks the Swift names of models and shared types, which are at top level, and of types, operations and views nested
/// in a model.
struct SwiftNames {
  /// A type with its schema name and its Swift name.
  struct Name {
    /// The name in the schema, with its place.
    var spelled: Spelled
    var swift: String
    /// `operation` or `view`, which cannot have a `swiftName:`; nil for any other type.
    var kind: NameRules.Use?

    /// Whether it hides a shared type of the same schema name. That is allowed: every field of the file means the
    /// nested type.
    func hidesByName(_ shared: Name) -> Bool { kind == nil && spelled.text == shared.spelled.text }

    /// Advice on how to rename `which`: `it`, or `one` of two.
    func remedy(_ which: String) -> String {
      kind.map { "rename the \($0.rawValue)" } ?? "`swiftName:` gives \(which) another name"
    }
  }

  let findings: Findings
  /// By Swift name.
  private var models: [String: Name] = [:]
  private var shared: [String: Name] = [:]

  init(_ findings: Findings) {
    self.findings = findings
  }

  static func check(_ files: [DeclaredFile], schemaName: String, _ findings: Findings) {
    var names = SwiftNames(findings)
    for file in files { names.addTopLevel(of: file, schemaName) }
    for file in files where file.outline.model != nil { names.checkNested(in: file) }
  }

  private mutating func addTopLevel(of file: DeclaredFile, _ schemaName: String) {
    guard let model = file.modelName else {
      for name in file.typeNames where isFree(name, schemaName) { shared[name.swift] = name }
      return
    }
    if isFree(model, schemaName) { models[model.swift] = model }
  }

  private func isFree(_ name: Name, _ schemaName: String) -> Bool {
    if let first = models[name.swift] ?? shared[name.swift] {
      // Schema names that are equal have been reported.
      if first.spelled.text.lowercased() == name.spelled.text.lowercased() { return false }
      reportTwice(name, first)
      return false
    }
    if isReserved(name) { return false }
    if name.swift == schemaName + "Schema" {
      findings.report(
        .duplicateSwiftName, "`\(name.swift)` is the name of the generated registry.", at: name.spelled.range)
    } else if let owner = AmbiguousNames.owner(of: name.swift) {
      findings.report(
        .nameAmbiguous, "`\(name.swift)` is also a type of \(owner); `swiftName:` gives it another name.",
        at: name.spelled.range)
    }
    return true
  }

  private func isReserved(_ name: Name) -> Bool {
    guard let reason = ReservedNames.reason(swiftName: name.swift) else { return false }
    findings.report(
      .reservedName, "No type can be called `\(name.swift)` in Swift: \(reason); \(name.remedy("it")).",
      at: name.spelled.range)
    return true
  }

  /// Checks the types nested in a model. There Swift finds them first, so none may hide a top-level type.
  private func checkNested(in file: DeclaredFile) {
    var taken: [String: Name] = [:]
    for name in file.typeNames + file.names(in: "operations", .operation) + file.names(in: "views", .view) {
      if let first = taken[name.swift] {
        // Names of one kind that are equal have been reported.
        let isKnown = first.kind == name.kind && first.spelled.text.lowercased() == name.spelled.text.lowercased()
        if !isKnown { reportTwice(name, first) }
        continue
      }
      taken[name.swift] = name
      if isReserved(name) { continue }
      if let model = models[name.swift] { reportHidden(name, model, "model") }
      if let type = shared[name.swift], !name.hidesByName(type) { reportHidden(name, type, "shared type") }
    }
  }

  private func reportTwice(_ name: Name, _ first: Name) {
    // Only structs, enums and models have `swiftName:`.
    let remedy = name.kind != nil && first.kind == nil ? first.remedy("the other one") : name.remedy("one")
    findings.report(
      .duplicateSwiftName, "Two types are called `\(name.swift)` in Swift; \(remedy).",
      at: name.spelled.range,
      related: [.init(message: "The other one is here.", location: first.spelled.range)])
  }

  private func reportHidden(_ name: Name, _ hidden: Name, _ what: String) {
    findings.report(
      .duplicateSwiftName,
      "Inside its model, `\(name.swift)` would hide the \(what) of this Swift name; \(name.remedy("one")).",
      at: name.spelled.range, related: [.init(message: "The \(what) is here.", location: hidden.spelled.range)])
  }
}

extension DeclaredFile {
  /// Nil in a file of shared types.
  fileprivate var modelName: SwiftNames.Name? {
    guard outline.model != nil else { return nil }
    return .init(spelled: Spelled(text: outline.stem, range: swiftName.range), swift: swiftName.text)
  }

  fileprivate var typeNames: [SwiftNames.Name] {
    structs.map { .init(spelled: $0.name, swift: $0.swiftName) }
      + zip(outline.enums, enums).map { .init(spelled: $0.key, swift: $1.swiftName) }
  }

  fileprivate func names(in part: String, _ kind: NameRules.Use) -> [SwiftNames.Name] {
    (outline.parts[part]?.value.pairs ?? []).map { .init(spelled: $0.key, swift: $0.key.text.capitalised, kind: kind) }
  }
}

extension String {
  /// `Photo` for `photo`.
  package var capitalised: String { prefix(1).uppercased() + dropFirst() }

  /// Whether it matches `[A-Z][A-Za-z0-9]*` and has at most 64 characters.
  package var isSwiftTypeName: Bool { NameRules.isValid(self, first: 0x41...0x5A) }
}
