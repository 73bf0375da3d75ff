// Reads fields: `name: TYPE = TAG`, or the long form.

/// A field, as far as it could be read.
struct DeclaredField {
  var name: Spelled
  /// Nil where the type is unknown. Then nothing is reported about uses of the field.
  var type: FieldType?
  var tag: Int?
  var tagRange: SourceRange
  var typeRange: SourceRange
  var doc: String?
  var defaultValue: Literal?
  var deprecated: String?
  var was: String?
  var from: [Spelled] = []
  var via: Spelled?
  /// The place of the type where no tag follows it.
  var missingTag: SourceRange?

  /// Nil unless both type and tag could be read.
  var declaration: FieldDeclaration? {
    guard let type, let tag else { return nil }
    return FieldDeclaration(
      name: name.text, type: type, tag: tag, doc: doc, defaultValue: defaultValue, deprecated: deprecated, was: was,
      from: from.map(\.text), via: via?.text)
  }
}

struct FieldReader: PartReader {
  static let tagBounds = 1...536_870_911
  static let tagsOfProtobuf = 19_000...19_999

  let types: TypeReader
  /// The releases, for free tags.
  let lock: SchemaLock?
  let findings: Findings

  /// Reads the fields of a model or struct, and checks them against each other and against `reserved`. `home` is the key
  /// of the owner in a lock: `model note`.
  func read(_ pair: YAMLPair, reserved: ReservedFields, inStruct: Bool, home: String) -> [DeclaredField] {
    let entries = kinds.entries(of: pair.value, "`fields:`")
    nameRules.checkUnique(entries.map(\.key), "field")
    let fields = entries.map { readField($0, inStruct: inStruct) }
    NumberCheck(
      kind: .field, reserved: reserved, released: { ReleasedNumbers(lock, home, kind: "field") }, findings: findings
    ).check(fields.map(Numbered.init))
    nameRules.checkReserved(entries.map(\.key), reserved, "field")
    nameRules.checkFormer(entries.map(FormerName.init))
    ConversionReader(names: types.names, findings: findings).check(fields)
    return fields
  }

  private func readField(_ pair: YAMLPair, inStruct: Bool) -> DeclaredField {
    nameRules.check(pair.key, as: .field)
    var field = DeclaredField(name: pair.key, tagRange: pair.key.range, typeRange: pair.key.range)
    switch pair.value.content {
    case .mapping: readLongForm(pair, &field)
    case .scalar where !pair.value.isEmptyScalar: readTypeAndTag(pair.value, separateTag: nil, &field)
    case .invalid: break
    default:
      var words = "A field is `TYPE = TAG`, not \(pair.value.kindName)"
      if case .sequence = pair.value.content { words += "; one with many values is `list(TYPE) = TAG`" }
      findings.report(.fieldSyntax, words + ".", at: pair.key.range)
    }
    if inStruct, field.type?.base == .counter {
      findings.report(
        .counterPosition, "A counter is a field of a model: structs are replaced whole.", at: field.typeRange)
    }
    return field
  }

  private func readLongForm(_ pair: YAMLPair, _ field: inout DeclaredField) {
    let parts = kinds.pairs(of: pair.value, known: .field, in: "A field")
    field.doc = kinds.doc(parts)
    field.was = kinds.was(parts, now: pair.key)
    if let node = parts["deprecated"]?.value { field.deprecated = deprecated(node) }
    ConversionReader(names: types.names, findings: findings).read(parts, into: &field)
    guard let type = parts["type"] else {
      findings.report(.missingKey, "The field has no `type:`.", at: pair.key.range)
      return
    }
    readTypeAndTag(type.value, separateTag: parts["tag"], &field)
    if let node = parts["default"]?.value { field.defaultValue = defaultValue(node, field.type) }
  }

  private func readTypeAndTag(_ node: YAMLNode, separateTag: YAMLPair?, _ field: inout DeclaredField) {
    guard var scanner = kinds.expression(of: node, "A type") else { return }
    scanner.skipSpaces()
    let start = scanner.position
    field.type = types.read(&scanner)
    field.typeRange = scanner.range(from: start)
    if let separateTag, scanner.isAtEnd {
      if let tag = kinds.plain(separateTag.value, "`tag:`") { setTag(tag, &field) }
      return
    }
    // Behind a broken type the rest cannot be read, so only the type is reported.
    let isTypeBroken = field.type == nil
    guard scanner.take("=") else {
      if !isTypeBroken { reportMissingTag(scanner.isAtEnd, node.range, &scanner, &field) }
      return
    }
    let tag = scanner.number()
    guard let tag, scanner.isAtEnd else {
      let hint = tag == nil ? "" : "; a default is `{ type: TYPE = TAG, default: VALUE }`"
      if !isTypeBroken {
        findings.report(
          .fieldSyntax, "After `=` comes the tag, a whole number, and nothing else\(hint).", at: scanner.rest)
      }
      return
    }
    setTag(tag, &field)
    if let separateTag {
      findings.report(
        .fieldSyntax, "The tag is already given after the type.", at: separateTag.key.range,
        related: [.init(message: "It is here.", location: tag.range)])
    }
  }

  private func reportMissingTag(
    _ isAtEnd: Bool, _ whole: SourceRange, _ scanner: inout ExpressionScanner, _ field: inout DeclaredField
  ) {
    if isAtEnd {
      field.missingTag = whole
    } else if scanner.take("[") {
      findings.report(
        .fieldSyntax, "A list of values is `list(TYPE) = TAG`, and a set is `set(TYPE) = TAG`.", at: whole)
    } else {
      findings.report(.fieldSyntax, "`= TAG` must follow the type.", at: scanner.rest)
    }
  }

  private func setTag(_ spelled: Spelled, _ field: inout DeclaredField) {
    field.tagRange = spelled.range
    let number = WholeNumber.read(spelled.text, as: Int.self)
    guard let tag = number, Self.tagBounds.contains(tag), !Self.tagsOfProtobuf.contains(tag) else {
      findings.report(
        .tagRange, "`\(spelled.text)` is not a tag: tags are 1 … 536870911 without 19000 … 19999.", at: spelled.range)
      return
    }
    field.tag = tag
  }

  /// The next tag that a field may have.
  static func tag(after tag: Int) -> Int {
    tagsOfProtobuf.contains(tag + 1) ? tagsOfProtobuf.upperBound + 1 : tag + 1
  }

  /// The value of `deprecated:`: the reason, an empty text for `true`, or nil for `false`.
  private func deprecated(_ node: YAMLNode) -> String? {
    switch node.content {
    case .scalar("true", .plain): return ""
    case .scalar("false", .plain): return nil
    case .scalar(let text, .plain) where Self.flagsOfYAML.contains(text.lowercased()):
      findings.report(
        .wrongKind, "`deprecated:` is `true`, `false` or a reason.", at: node.range,
        replacement: ["yes", "on", "true"].contains(text.lowercased()) ? "true" : "false")
      return nil
    default: return kinds.text(of: node, "`deprecated:`")?.text
    }
  }

  /// Words that YAML reads as a flag or as null, so that they are no reason.
  private static let flagsOfYAML: Set<String> = ["yes", "no", "on", "off", "true", "false", "null", "~"]

  private func defaultValue(_ node: YAMLNode, _ type: FieldType?) -> Literal? {
    guard let type, let text = kinds.scalar(of: node, "`default:`") else { return nil }
    guard type.position == .single, type.base != .counter else {
      findings.report(
        .defaultType, "A field of the type \(type.shown) cannot have a default: it begins empty, absent or at 0.",
        at: node.shownRange)
      return nil
    }
    return LiteralReader(names: types.names, findings: findings)
      .read(text.spelled, style: text.style, as: type.base)
  }
}

extension Numbered {
  init(_ field: DeclaredField) {
    self.init(
      name: field.name, was: field.was, number: field.tag, range: field.missingTag ?? field.tagRange,
      isMissing: field.missingTag != nil)
  }
}
