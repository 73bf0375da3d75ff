// The rights of a model by tags, as the table of a server and generated code have them.
import ModelSchema

/// `access:` of a model, without names of fields.
struct AccessRights {
  enum Holder {
    /// `owner`, `writer`, `reader` or `creator`.
    case word(String)
    /// The user in a field, or whose object is named there: of a type, by the tag of its only identity field.
    case user(tag: Int, role: MemberRole, identity: (type: String, tag: Int)?)
  }

  typealias Right = (name: String, holders: [Holder])

  let single: [Right]
  /// Sorted by tag.
  let fields: [(tag: Int, holders: [Holder])]
  /// Ascending.
  let fixed: [Int]
  let identity: [[Int]]
  /// Of a queue with an identity: the tags of the fields that name its users.
  let users: [Int]
  /// Empty without `members:`.
  let members: [Right]

  init(_ rights: AccessDeclaration, of model: ModelDeclaration, in swift: SwiftPrinter) {
    func tag(_ name: String) -> Int { model.field(named: name)?.tag ?? 0 }
    func holders(_ holders: [RightHolder]) -> [Holder] {
      holders.map { holder in
        switch holder {
        case .owner: return .word("owner")
        case .writer: return .word("writer")
        case .reader: return .word("reader")
        case .creator: return .word("creator")
        case .user(let user):
          var identity: (String, Int)?
          if let part = user.part, case .reference(let name)? = model.field(named: user.field)?.type.base,
            let target = swift.schema.model(named: name)
          {
            identity = (target.wireName, target.field(named: part)?.tag ?? 0)
          }
          return .user(tag: tag(user.field), role: user.role, identity: identity)
        }
      }
    }
    single = [
      ("create", holders(rights.create)), ("update", holders(rights.update)), ("delete", holders(rights.delete)),
    ]
    fields = rights.fields.map { (tag($0.field), holders($0.holders)) }.sorted { $0.0 < $1.0 }
    fixed = Set(model.fixedFields.map(tag)).sorted()
    identity = model.identity.map { swift.tags(of: $0, in: model) }
    users =
      model.isQueueWithIdentity
      ? model.identity.filter { $0.names.count == 1 && model.field(named: $0.names[0])?.type.base == .userReference }
        .map { tag($0.names[0]) }.sorted() : []
    members = rights.members.map { $0.all.map { ($0.key, holders($0.holders)) } } ?? []
  }
}

extension SwiftPrinter {
  /// The tags on a path of a model's own fields.
  func tags(of path: FieldPath, in model: ModelDeclaration) -> [Int] {
    var base = BaseType.reference(model.name)
    return path.names.map { name in
      defer { base = field(name, of: base).type.base }
      return tag(of: name, in: base)
    }
  }

  private func tag(of name: String, in base: BaseType) -> Int {
    switch base {
    case .reference(let model): schema.model(named: model)?.field(named: name)?.tag ?? 0
    case .structure(let type): structFields[type]?.first { $0.name == name }?.tag ?? 0
    default: ["hash": 1, "size": 2, "mime": 3, "name": 4][name] ?? 0  // A file.
    }
  }
}

extension SwiftPrinter {
  /// The rights of a model in the table; nil if it is not in it. A table lists each model with an identity, because the
  /// server holds its ids against its content. Nobody deletes a queue with an identity, which never ends.
  func accessInTable(_ model: ModelDeclaration) -> AccessDeclaration? {
    guard model.queue != .device, hasAccess else { return nil }
    guard var rights = model.access ?? (model.identity.isEmpty ? nil : AccessDeclaration()) else { return nil }
    if model.isQueueWithIdentity { rights.delete = [] }
    return rights
  }
}
