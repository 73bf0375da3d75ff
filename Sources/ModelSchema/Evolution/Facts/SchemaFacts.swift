// What a schema says, one fact a line, by names that never change (docs/formats/lock-format.md).

/// The facts of one schema: a value for each key.
struct SchemaFacts: Hashable, Sendable {
  private(set) var values: [String: String] = [:]

  /// The facts of a valid schema.
  init(_ schema: Schema) {
    let paths = TagPaths(schema)
    for file in schema.files {
      if let model = file.model { add(model, paths) }
      let home = file.model.map { "model \($0.wireName) " } ?? ""
      for type in file.structs { add(type, "\(home)struct \(type.lockName)", paths) }
      for type in file.enums { add(type, "\(home)enum \(type.lockName)") }
    }
  }

  mutating func add(_ key: String, _ value: String) { values[key] = value }

  /// Adds a numbered fact for each value, sorted, because their order has no meaning: `effect 1`, `effect 2`.
  mutating func add(_ key: String, each values: [String]) {
    for (index, value) in values.sorted().enumerated() { add("\(key) \(index + 1)", value) }
  }

  private mutating func add(_ model: ModelDeclaration, _ paths: TagPaths) {
    let key = "model \(model.wireName)"
    add("\(key) name", model.name)
    add("\(key) queue", Self.text(model.queue, paths, model))
    if model.isEphemeral { add("\(key) ephemeral", "true") }
    if !model.identity.isEmpty {
      add("\(key) identity", model.identity.map { paths.own($0, in: model) }.joined(separator: " "))
    }
    if let newestBy = model.newestBy { add("\(key) newestBy", paths.own(FieldPath([newestBy]), in: model)) }
    for field in model.fields { add(field, of: model.fields, key, paths) }
    if model.queue != .device, !model.isEphemeral {
      add(model.access ?? AccessDeclaration(model.queue), of: model, key, paths)
    }
    for operation in model.operations { add(operation, of: model, key, paths) }
    for list in model.lists { add(list, of: model, key, paths) }
    for view in model.views { add(view, of: model, key, paths) }
  }

  private mutating func add(
    _ field: FieldDeclaration, of fields: [FieldDeclaration], _ home: String, _ paths: TagPaths
  ) {
    let key = "\(home) field \(field.tag)"
    add("\(key) name", field.name)
    add("\(key) type", paths.text(field.type))
    if let value = field.defaultValue, !value.isZero { add("\(key) default", paths.text(value, as: field.type)) }
    if field.deprecated != nil { add("\(key) deprecated", "true") }
    let sources = field.from.compactMap { name in fields.first { $0.name == name }?.tag }
    if !sources.isEmpty {
      add("\(key) from", sources.map(String.init).joined(separator: " ") + (field.via == nil ? "" : " via"))
    }
  }

  private mutating func add(_ type: StructDeclaration, _ key: String, _ paths: TagPaths) {
    add("\(key) name", type.name)
    for field in type.fields { add(field, of: type.fields, key, paths) }
  }

  private mutating func add(_ type: EnumDeclaration, _ key: String) {
    add("\(key) name", type.name)
    for one in type.cases { add("\(key) case \(one.number) name", one.name) }
  }

  private mutating func add(
    _ access: AccessDeclaration, of model: ModelDeclaration, _ home: String, _ paths: TagPaths
  ) {
    func text(_ holders: [RightHolder]) -> String {
      let words = holders.map { holder in
        guard case .user(let user) = holder else { return holder.shown }
        return "\(user.word)(\(paths.own(FieldPath([user.field] + [user.part].compactMap(\.self)), in: model)))"
      }
      return words.isEmpty ? "nobody" : words.sorted().joined(separator: " ")
    }
    add("\(home) access create", text(access.create))
    add("\(home) access update", text(access.update))
    // A queue with an identity never ends.
    if !model.isQueueWithIdentity { add("\(home) access delete", text(access.delete)) }
    for right in access.fields {
      add("\(home) access field \(paths.own(FieldPath([right.field]), in: model))", text(right.holders))
    }
    for right in access.members?.all ?? [] { add("\(home) access members \(right.key)", text(right.holders)) }
  }

  private static func text(_ queue: QueuePlacement, _ paths: TagPaths, _ model: ModelDeclaration) -> String {
    switch queue {
    case .own: "self"
    case .device: "device"
    case .field(let name), .home(let name): paths.own(FieldPath([name]), in: model)
    }
  }
}

extension AccessDeclaration {
  /// The rights of a model without `access:`.
  init(_ queue: QueuePlacement) {
    self.init(delete: queue == .own ? [.owner] : [.writer])
  }
}

extension StructDeclaration {
  /// The first name, which facts and types are called by.
  var lockName: String { was ?? name }
}

extension EnumDeclaration {
  /// The first name, which facts and types are called by.
  var lockName: String { was ?? name }
}

extension Literal {
  /// Whether it is what an absent value reads as without a default.
  var isZero: Bool {
    switch self {
    case .bool(let value): !value
    case .integer(let value): value == 0
    case .unsigned(let value): value == 0
    case .double(let value): value == 0 && value.sign == .plus
    case .string(let value): value.isEmpty
    case .enumCase: false
    }
  }
}
