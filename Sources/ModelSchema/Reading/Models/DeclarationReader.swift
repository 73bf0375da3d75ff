// The second pass over a file: reads fields and structs and resolves their types.

struct DeclaredStruct {
  var name: Spelled
  var swiftName: String
  var doc: String?
  var fields: [DeclaredField]
  var reserved: ReservedFields
  var was: String?
}

/// A file with resolved types. The parts that refer to fields (queue, operations, lists) are not read yet.
struct DeclaredFile {
  var outline: FileOutline
  var swiftName: Spelled
  var fields: [DeclaredField] = []
  var reserved = ReservedFields()
  var structs: [DeclaredStruct] = []
  var enums: [EnumDeclaration] = []
}

struct DeclarationReader: PartReader {
  let names: NameTable
  let file: FileOutline
  let lock: SchemaLock?
  let findings: Findings

  func read() -> DeclaredFile {
    let model = file.model?.text
    let types = TypeReader(names: names, model: model, findings: findings)
    let fields = FieldReader(types: types, lock: lock, findings: findings)
    let place = file.model?.range ?? .start(of: file.path)
    var result = DeclaredFile(
      outline: file, swiftName: Spelled(text: file.stem.capitalised, range: place))
    result.structs = file.structs.map { readStruct($0, fields) }
    result.enums = file.enums.compactMap { names.enums[TypeName(model: model, name: $0.key.text)] }
    guard file.model != nil else { return result }
    if let name = kinds.swiftName(file.parts) { result.swiftName = name }
    result.reserved = ReservedReader(findings: findings).read(file.parts["reserved"], numbers: .tags)
    if let pair = file.parts["fields"] {
      result.fields = fields.read(pair, reserved: result.reserved, inStruct: false, home: file.lockKey ?? "")
    } else {
      findings.report(.missingKey, "The model has no `fields:`.", at: place)
    }
    return result
  }

  private func readStruct(_ pair: YAMLPair, _ fields: FieldReader) -> DeclaredStruct {
    let parts = kinds.pairs(of: pair.value, known: .structure, in: "A struct")
    let reserved = ReservedReader(findings: findings).read(parts["reserved"], numbers: .tags)
    var result = DeclaredStruct(
      name: pair.key, swiftName: kinds.swiftName(parts)?.text ?? pair.key.text.capitalised,
      doc: kinds.doc(parts), fields: [], reserved: reserved, was: kinds.was(parts, now: pair.key))
    if let declared = parts["fields"] {
      result.fields = fields.read(
        declared, reserved: reserved, inStruct: true, home: file.lockKey(of: "struct", result.was ?? pair.key.text))
    } else if pair.value.pairs != nil {
      findings.report(.missingKey, "The struct has no `fields:`.", at: pair.key.range)
    }
    return result
  }
}

extension FileOutline {
  /// The key of the model in a lock, by its first name. Nil in a file of shared types.
  var lockKey: String? {
    guard let model else { return nil }
    let was = parts["was"].flatMap { FormerName.name(in: $0.value, now: model) }
    return "model \((was ?? model).text)"
  }

  /// The key of a struct or enum in a lock. `name` is its first name.
  func lockKey(of kind: String, _ name: String) -> String { (lockKey.map { $0 + " " } ?? "") + "\(kind) \(name)" }
}
