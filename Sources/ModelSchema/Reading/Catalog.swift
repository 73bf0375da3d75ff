// All fields of all models and structs, for what refers to them: queues, operations, lists, views.

/// A model as others see it.
struct CatalogModel {
  var name: Spelled
  var fields: [DeclaredField]
  var fieldsByName: [String: DeclaredField]
  var types: FieldTypes
  /// Nil where `queue:` is wrong or absent: then nothing is said about what crosses queues.
  var queue: QueuePlacement?
  var identity: [[String]]
  var lists: [CatalogList] = []

  /// The field whose value decides the queue.
  var queueField: String? {
    switch queue {
    case .field(let name), .home(let name): name
    case .own, .device, nil: nil
    }
  }

  /// Nil where it cannot be known.
  var queueKind: QueueKind? {
    switch queue {
    case .own: return .object(model: name.text)
    case .field(let field):
      if case .reference(let target) = fieldsByName[field]?.type?.base { return .object(model: target) }
      return nil
    case .home: return .home
    case .device: return .device
    case nil: return nil
    }
  }

  /// Whether the field decides queue or id, and so never changes.
  func isFixed(_ field: String) -> Bool {
    field == queueField || identity.contains { $0.first == field }
  }
}

/// A list as views see it, which count what is in it.
struct CatalogList {
  var name: Spelled
  var per: String?
  /// Keys of the list with which it has other objects than its conditions say.
  var cuts: [Spelled]

  /// Their mistakes are reported where they are read.
  static func listsIn(_ file: FileOutline) -> [CatalogList] {
    guard case .mapping(let pairs) = file.parts["lists"]?.value.content else { return [] }
    return pairs.map { pair in
      var list = CatalogList(name: pair.key, per: nil, cuts: [])
      guard case .mapping(let parts) = pair.value.content else { return list }
      for part in parts {
        if part.key.text == "per", case .scalar(let text, _) = part.value.content { list.per = text }
        if ["distinct", "limit"].contains(part.key.text) { list.cuts.append(part.key) }
      }
      return list
    }
  }
}

/// The fields of a model, struct or file, as a path finds them.
struct FieldTypes {
  /// Nil types are not known.
  var types: [String: FieldType?]
  var names: [String]
  var deprecated: Set<String> = []

  init(_ fields: [(name: String, type: FieldType?)]) {
    types = Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first }
    names = fields.map(\.name)
  }

  init(_ fields: [DeclaredField]) {
    self.init(fields.map { ($0.name.text, $0.type) })
    deprecated = Set(fields.filter { $0.deprecated != nil }.map(\.name.text))
  }
}

/// The kind of a model's queues: objects of different kinds never share one.
enum QueueKind: Hashable {
  case object(model: String)
  case home
  case device
}

struct Catalog {
  let names: NameTable
  private(set) var models: [String: CatalogModel] = [:]
  private(set) var structs: [TypeName: FieldTypes] = [:]

  init(_ files: [DeclaredFile], names: NameTable, _ findings: Findings) {
    self.names = names
    let ownQueues = Set(files.filter { QueueReader.saysSelf($0.outline) }.map(\.outline.stem))
    let queues = QueueReader(ownQueues: ownQueues, findings: findings)
    for file in files {
      for declared in file.structs {
        structs[TypeName(model: file.outline.model?.text, name: declared.name.text)] = FieldTypes(declared.fields)
      }
      guard let name = file.outline.model, models[name.text] == nil else { continue }
      models[name.text] = CatalogModel(
        name: name, fields: file.fields,
        fieldsByName: Dictionary(file.fields.map { ($0.name.text, $0) }) { first, _ in first },
        types: FieldTypes(file.fields), queue: queues.read(file), identity: IdentityReader.namesIn(file.outline),
        lists: CatalogList.listsIn(file.outline))
    }
  }
}
