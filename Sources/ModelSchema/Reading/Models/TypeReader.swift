// Reads type expressions: `string?`, `list(ref(photo))`, `place`.

/// Reads types as they are visible from one file.
struct TypeReader {
  let names: NameTable
  /// The model in whose file the type stands; nil in a file of shared types.
  let model: String?
  let findings: Findings

  /// Reads a type and leaves the rest unread. Nil where it is unknown, which is reported unless a file that could not
  /// be parsed may declare it.
  func read(_ scanner: inout ExpressionScanner) -> FieldType? {
    scanner.skipSpaces()
    let start = scanner.position
    guard let word = scanner.word() else {
      findings.report(.fieldSyntax, "A type is missing here.", at: scanner.rest)
      return nil
    }
    let type: FieldType?
    switch word.text {
    case "list": type = collection(.list, &scanner, word)
    case "set": type = collection(.set, &scanner, word)
    case "map":
      _ = skipParentheses(&scanner)
      findings.report(.notYetSupported, "Maps are not yet supported.", at: scanner.range(from: start))
      type = nil
    default: type = base(word, &scanner).map { FieldType($0) }
    }
    return optional(type, word, &scanner, from: start)
  }

  private func optional(
    _ type: FieldType?, _ word: Spelled, _ scanner: inout ExpressionScanner, from start: Int
  ) -> FieldType? {
    guard scanner.take("?") else { return type }
    guard var type else { return nil }
    guard type.position == .single, type.base != .counter else {
      let what = type.base == .counter ? "counter" : word.text
      findings.report(
        .optionalCollection, "A \(what) is never optional: without elements or changes it is empty or 0.",
        at: scanner.range(from: start))
      return type
    }
    type.position = .optional
    return type
  }

  private func collection(_ position: FieldPosition, _ scanner: inout ExpressionScanner, _ word: Spelled) -> FieldType?
  {
    guard opening(&scanner, word) else { return nil }
    scanner.skipSpaces()
    let start = scanner.position
    guard let element = scanner.word() else {
      findings.report(.fieldSyntax, "The type of the elements is missing here.", at: scanner.rest)
      return nil
    }
    if ["list", "set", "map"].contains(element.text) {
      _ = skipParentheses(&scanner)
      findings.report(
        .nestedCollection, "A \(word.text) holds single values; put the inner one into a struct.",
        at: scanner.range(from: start))
      _ = scanner.take(")")
      return nil
    }
    let base = base(element, &scanner)
    let elementRange = scanner.range(from: start)
    if scanner.take("?") {
      findings.report(
        .optionalCollection, "The elements of a \(word.text) are never optional.", at: scanner.range(from: start))
    }
    guard closing(&scanner), let base else { return nil }
    guard position == .list || base.canBeInSet else {
      findings.report(
        .setElement,
        "A set holds integers, strings, data, uuids, timestamps, refs or enums, not `\(element.text)`; use a list.",
        at: elementRange)
      return nil
    }
    guard base != .counter else {
      findings.report(.counterPosition, "A counter is a field of its own, never in a list.", at: elementRange)
      return nil
    }
    return FieldType(base, position)
  }

  private func base(_ word: Spelled, _ scanner: inout ExpressionScanner) -> BaseType? {
    if word.text == "ref" { return reference(&scanner, word) }
    if word.text == "counter", let model, names.ephemeralModels.contains(model) {
      findings.report(
        .ephemeralModel, "A counter adds up changes of an object, and nothing is stored here: use `int64`.",
        at: word.range)
      return nil
    }
    if let builtIn = BaseType.builtIns[word.text] { return builtIn }
    if let (name, kind) = names.type(word.text, from: model) {
      switch kind {
      case .structure: return .structure(name)
      case .enumeration: return .enumeration(name)
      }
    }
    reportUnknown(word)
    return nil
  }

  private func reportUnknown(_ word: Spelled) {
    if names.isUnread(word.text, from: model) { return }
    if names.ephemeralModels.contains(word.text) { return reportEphemeral(word) }
    if names.models[word.text] != nil || word.text == "user" {
      findings.report(
        .unknownType, "`\(word.text)` is a model: a field refers to one by `ref(\(word.text))`.", at: word.range,
        replacement: "ref(\(word.text))")
      return
    }
    if let owner = names.owner(ofNested: word.text) {
      findings.report(
        .unknownType,
        "`\(word.text)` is a type inside the model `\(owner)`, and visible only there: move it to a file without `model:`.",
        at: word.range)
      return
    }
    let declared = names.visibleTypes(from: model)
    let suggestion = findings.suggests ? TypeWords.suggestion(for: word.text, declared: declared) : nil
    // The type may stand in a file that could not be parsed.
    if suggestion == nil, !names.brokenStems.isEmpty { return }
    findings.report(
      .unknownType, "There is no type `\(word.text)`.", at: word.range, replacement: suggestion,
      isCertain: TypeWords.isCertain(suggestion, for: word.text, declared: declared))
  }

  private func reference(_ scanner: inout ExpressionScanner, _ word: Spelled) -> BaseType? {
    guard opening(&scanner, word) else { return nil }
    guard let target = scanner.word() else {
      findings.report(.fieldSyntax, "The name of a model is missing here.", at: scanner.rest)
      return nil
    }
    guard closing(&scanner) else { return nil }
    if target.text == "user" { return .userReference }
    if names.ephemeralModels.contains(target.text) {
      reportEphemeral(target)
      return nil
    }
    if names.models[target.text] != nil { return .reference(target.text) }
    if names.brokenStems.contains(target.text) { return nil }
    findings.report(
      .unknownModel, "There is no model `\(target.text)`; it would be in `\(target.text).yaml`.", at: target.range,
      nearestTo: target.text, among: names.models.keys.sorted() + ["user"])
    return nil
  }

  private func reportEphemeral(_ model: Spelled) {
    findings.reportEphemeral(model, "so there is nothing to refer to")
  }

  private func opening(_ scanner: inout ExpressionScanner, _ word: Spelled) -> Bool {
    if scanner.take("(") { return true }
    findings.report(.fieldSyntax, "`\(word.text)` needs its content in `( )`.", at: word.range)
    return false
  }

  private func closing(_ scanner: inout ExpressionScanner) -> Bool {
    if scanner.take(")") { return true }
    findings.report(.fieldSyntax, "A `)` is missing here.", at: scanner.rest)
    return false
  }

  /// Reads a balanced `( … )`, if there is one.
  private func skipParentheses(_ scanner: inout ExpressionScanner) -> Bool {
    guard scanner.take("(") else { return false }
    var depth = 1
    while depth > 0, scanner.skipOne(&depth) {}
    return depth == 0
  }
}

extension BaseType {
  /// The types that need no declaration, by name.
  static let builtIns: [String: BaseType] = [
    "bool": .bool, "int32": .int32, "int64": .int64, "uint32": .uint32, "uint64": .uint64, "float": .float,
    "double": .double, "string": .string, "data": .data, "uuid": .uuid, "timestamp": .timestamp, "file": .file,
    "counter": .counter,
  ]

  /// Whether a set may hold the type. Equal values of such a type have equal bytes.
  var canBeInSet: Bool {
    switch self {
    case .int32, .int64, .uint32, .uint64, .string, .data, .uuid, .timestamp, .userReference, .reference, .enumeration:
      true
    case .bool, .float, .double, .file, .counter, .structure: false
    }
  }
}
