// The catalog of all fields of all models and structs, for the readers of queues, operations, lists and views.

/// A model as the other parts of the schema see it.
struct CatalogModel {
  var name: Spelled
  var fields: [DeclaredField]
  var fieldsByName: [String: DeclaredField]
  var types: FieldTypes
  /// Nil where `queue:` is wrong or absent. Then nothing is reported about effects that cross queues.
  var queue: QueuePlacement?
  /// Whether it is ephemeral. Then nothing is stored that others could name.
  var isEphemeral = false
  var identity: [[String]]
  var lists: [CatalogList] = []
  var viewNames: [String] = []
  /// The fields by which `access: { create: … }` knows the sender.
  var senders: [String] = []
  /// What the views show, while the lists of this model are read.
  var shown: [String: FieldTypes] = [:]

  /// The field whose value decides the queue.
  var queueField: String? {
    switch queue {
    case .field(let name), .home(let name): name
    case .own, .device, nil: nil
    }
  }

  /// Nil where it is unknown.
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

  /// Whether the object is a queue with a derived id, which never ends.
  var isQueueWithIdentity: Bool { queue == .own && !identity.isEmpty }

  /// Whether the field never changes after creation.
  func isFixed(_ field: String) -> Bool { reasonFixed(field) != nil }

  /// What the field does, so that it never changes; nil for a field that may change.
  func reasonFixed(_ field: String) -> String? {
    if field == queueField || identity.contains(where: { $0.first == field }) {
      return "decides the queue or the id of the object"
    }
    return senders.contains(field) ? "says in whose name the object is (`create:` of `access:`)" : nil
  }
}

/// A list, as a view that asks about its objects sees it.
struct CatalogList {
  var name: Spelled
  var per: String?
  /// The keys `distinct` and `limit`: with them the list leaves out objects that meet its conditions.
  var cuts: [Spelled]
  /// The paths of `order:`, as far as they can be read.
  var orders: [[String]]
  /// Whether it is filtered, ordered or divided by what a view shows.
  var readsViews: Bool

  /// The lists of a file. Reports nothing: `ListReader` reports their mistakes.
  static func listsIn(_ file: DeclaredFile) -> [CatalogList] {
    let views = Set((file.outline.parts["views"]?.value.pairs ?? []).map(\.key.text))
      .subtracting(file.fields.map(\.name.text))
    return (file.outline.parts["lists"]?.value.pairs ?? []).map { list in
      let cuts = (list.value.pairs ?? []).map(\.key).filter { ["distinct", "limit"].contains($0.text) }
      let read = ["where", "order", "section", "distinct"].flatMap { paths(list.value.pair($0)?.value) }
      return CatalogList(
        name: list.key, per: list.value.pair("per")?.value.text, cuts: cuts,
        orders: paths(list.value.pair("order")?.value), readsViews: read.contains { views.contains($0[0]) })
    }
  }

  /// The path at the beginning of each expression, and that inside of a function.
  private static func paths(_ node: YAMLNode?) -> [[String]] {
    guard let node else { return [] }
    if let elements = node.elements { return elements.flatMap(paths) }
    if let pairs = node.pairs { return pairs.flatMap { paths($0.value) } }
    guard var scanner = ExpressionScanner(node), let first = scanner.path() else { return [] }
    let path = scanner.take("(") ? scanner.path() : first
    return path.map { [$0.map(\.text)] } ?? []
  }
}

/// The fields of a model, struct or file, for resolving paths.
struct FieldTypes {
  /// By field name; nil where the type is unknown.
  var types: [String: FieldType?]
  var names: [String]
  var deprecated: Set<String> = []
  /// Fields that change with others.
  var converted: Set<String> = []
  /// The types that are known, and where they stand.
  var places: [(base: BaseType, range: SourceRange)] = []

  init(_ fields: [(name: String, type: FieldType?)]) {
    types = Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first }
    names = fields.map(\.name)
  }

  init(_ fields: [DeclaredField]) {
    self.init(fields.map { ($0.name.text, $0.type) })
    deprecated = Set(fields.filter { $0.deprecated != nil }.map(\.name.text))
    converted = Set(fields.filter { !$0.from.isEmpty }.map(\.name.text))
    places = fields.compactMap { field in field.type.map { ($0.base, field.typeRange) } }
  }
}

/// The kind of a model's queues. Objects of different kinds are never in the same queue.
enum QueueKind: Hashable {
  case object(model: String)
  case home
  case device
}

struct Catalog {
  let names: NameTable
  let findings: Findings
  private(set) var models: [String: CatalogModel] = [:]
  private(set) var structs: [TypeName: FieldTypes] = [:]

  init(_ files: [DeclaredFile], names: NameTable, _ findings: Findings) {
    self.names = names
    self.findings = findings
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
        types: FieldTypes(file.fields), queue: queues.read(file),
        isEphemeral: names.ephemeralModels.contains(name.text), identity: IdentityReader.namesIn(file.outline),
        lists: CatalogList.listsIn(file), viewNames: (file.outline.parts["views"]?.value.pairs ?? []).map(\.key.text),
        senders: HolderReader.sendersIn(file.outline))
    }
  }
}
