// A schema that changes every week for a year, as a seed decides: only changes that the table of changes permits.

import ModelSchema

/// The versions of one schema, and what has changed between them.
struct SchemaHistory {
  private(set) var versions: [Schema] = []
  /// How often each rule was found between a version and those before it.
  private(set) var counts: [String: Int] = [:]
  /// The fields of the model that hold one value in different versions have one number, by tag.
  private(set) var lineage: [Int: Int] = [:]

  private var random: SeededNumbers
  private var schema: Schema
  private var number = 0

  static let original = """
    model: item
    queue: self
    fields:
      title: string = 1
      small: int32 = 2
      note: string? = 3
      flag: bool = 4
      ratio: double? = 5
      place: place? = 6
      color: color? = 7
      tags: set(string) = 8
      reads: counter = 9
    structs:
      place: { fields: { latitude: double = 1, label: string? = 2, floor: int32? = 3 } }
    enums:
      color: { cases: { red: 1, blue: 2 } }
    operations:
      retitle: { parameters: { title: string }, set: { title: $title } }
      read: { increment: { reads: 1 } }
    lists:
      byTitle: { order: title }
    """

  /// Makes versions until there are `count`, with several changes from each to the next.
  init(seed: UInt64, count: Int) {
    random = SeededNumbers(seed: seed)
    let files = [
      SourceFile(path: "modelgen.yaml", bytes: Array("schema: History\n".utf8)),
      SourceFile(path: "item.yaml", bytes: Array(Self.original.utf8)),
    ]
    guard let original = SchemaReader.read(files).schema else { fatalError("the schema of SchemaHistory is right") }
    schema = original
    var lock = SchemaLock(schema: schema.name)
    while true {
      guard let version = ReleaseVersion("\(versions.count + 1)") else { fatalError("a number is a version") }
      lock.release(version, schema)
      versions.append(schema)
      if versions.count == count { break }
      var changes = 0
      while changes < 3 + random.below(2) {
        let before = schema
        change()
        let found = SchemaChanges.find(in: schema, files, since: lock).changes
        if found.contains(where: \.isRefused) {
          fatalError("seed \(seed): \(found.filter(\.isRefused).map(\.message))")
        }
        if schema != before { changes += 1 }
      }
      for change in SchemaChanges.find(in: schema, files, since: lock).changes {
        counts[change.rule.id, default: 0] += 1
      }
    }
    follow()
  }

  /// Gives one number to fields that are converted into each other.
  private mutating func follow() {
    for field in versions.flatMap(\.models).flatMap(\.fields) { lineage[field.tag] = field.tag }
    for model in versions.flatMap(\.models) {
      for conversion in Conversion.all(in: model.fields) {
        let tags = (conversion.sources + conversion.targets).compactMap { lineage[$0.tag] }
        for (tag, number) in lineage where tags.contains(number) { lineage[tag] = tags[0] }
      }
    }
  }
}

// The changes.
extension SchemaHistory {
  private mutating func change() {
    var file = schema.files[0]
    guard var model = file.model else { return }
    switch random.below(24) {
    case 0...3: addField(&model, &file)
    case 4, 5: renameField(&model)
    case 6, 7: retireField(&model)
    case 8, 9: togglePresence(&model)
    case 10: togglePresence(&model)
    case 11...13: convert(&model, &file)
    case 14, 15: changeDefault(&model)
    case 16: renameField(&model)
    case 17: changeEnum(&file)
    case 18: changeStruct(&file)
    case 19, 20: changeOperations(&model)
    case 21: changeLists(&model)
    case 22: rename(structOf: &file, &model)
    default: model.fields.swapAt(random.below(model.fields.count), random.below(model.fields.count))
    }
    file.model = model
    schema.files[0] = file
  }

  private mutating func name(_ kind: String) -> String {
    number += 1
    return "\(kind)\(number)"
  }

  private func freeTag(_ model: ModelDeclaration) -> Int {
    let used = versions.flatMap(\.models).flatMap(\.fields).map(\.tag) + model.fields.map(\.tag)
    return (used.max() ?? 0) + 1
  }

  /// The fields that nothing else depends on.
  private func free(_ model: ModelDeclaration) -> [Int] {
    model.fields.indices.filter { index in
      let field = model.fields[index]
      let isInUse = ["title", "reads", "tags"].contains(field.name) || field.deprecated != nil || !field.from.isEmpty
      return !isInUse && !model.lists.contains { $0.order.contains { $0.field.names[0] == field.name } }
        && !model.operations.contains { operation in
          operation.effects.contains {
            if case .set(let fields) = $0 { fields.contains { $0.field == field.name } } else { false }
          }
        }
    }
  }

  private mutating func addField(_ model: inout ModelDeclaration, _ file: inout SchemaFile) {
    guard model.fields.count(where: { $0.deprecated == nil }) < 14 else { return }
    let color = BaseType.enumeration(TypeName(model: "item", name: file.enums[0].name))
    let types: [FieldType] = [
      FieldType(.string), FieldType(.string, .optional), FieldType(.int32), FieldType(.int64, .optional),
      FieldType(.bool),
      FieldType(.float), FieldType(.double), FieldType(.timestamp, .optional), FieldType(.data),
      FieldType(color, .optional),
      FieldType(.userReference, .optional), FieldType(.int32, .list), FieldType(.uint32), FieldType(.string, .list),
    ]
    model.fields.append(FieldDeclaration(name: name("field"), type: random.pick(types), tag: freeTag(model)))
  }

  private mutating func renameField(_ model: inout ModelDeclaration) {
    guard let index = free(model).isEmpty ? nil : random.pick(free(model)) else { return }
    // `was:` is a name that was released.
    let wasReleased = versions.last?.models[0].fields.contains { $0.name == model.fields[index].name } ?? false
    if wasReleased { model.fields[index].was = model.fields[index].name }
    model.fields[index].name = name("field")
  }

  private mutating func retireField(_ model: inout ModelDeclaration) {
    guard model.fields.count > 10, let index = free(model).isEmpty ? nil : random.pick(free(model)) else { return }
    let field = model.fields.remove(at: index)
    model.reserved.tags = (model.reserved.tags + [field.tag...field.tag]).sorted { $0.lowerBound < $1.lowerBound }
    model.reserved.names.append(field.name)
  }

  /// Only where the zero of the type means something.
  private mutating func togglePresence(_ model: inout ModelDeclaration) {
    let indices = free(model).filter { index in
      let type = model.fields[index].type
      return [.string, .int32, .int64, .double, .bool].contains(type.base) && !(type.position == .list)
    }
    guard !indices.isEmpty else { return }
    let index = random.pick(indices)
    model.fields[index].defaultValue = nil
    model.fields[index].type.position = model.fields[index].type.position == .single ? .optional : .single
  }

  private mutating func changeDefault(_ model: inout ModelDeclaration) {
    let indices = free(model).filter {
      model.fields[$0].type == FieldType(.int32) || model.fields[$0].type == FieldType(.int64)
    }
    guard !indices.isEmpty else { return }
    let index = random.pick(indices)
    model.fields[index].defaultValue =
      model.fields[index].defaultValue == nil ? .integer(Int64(1 + random.below(9))) : nil
  }

  /// Puts a new field in the place of an older one, or of one that has replaced another one.
  private mutating func convert(_ model: inout ModelDeclaration, _ file: inout SchemaFile) {
    let color = BaseType.enumeration(TypeName(model: "item", name: file.enums[0].name))
    let candidates = model.fields.indices.filter { index in
      let field = model.fields[index]
      return free(model).contains(index) || !field.from.isEmpty && field.deprecated == nil
    }
    guard !candidates.isEmpty else { return }
    let index = random.pick(candidates)
    let old = model.fields[index]
    let targets = [
      FieldType(.int64), FieldType(.int64, .optional), FieldType(.uint64), FieldType(.double),
      FieldType(.double, .optional),
      FieldType(color, .optional), FieldType(old.type.base, .list),
      FieldType(old.type.base, old.type.base == .string ? .set : .list),
    ].filter { type in
      // A set is made of a value that is stored as it is.
      ElementConversion(from: old.type, to: type) != nil && (type.position != .set || old.from.isEmpty)
    }
    guard old.type.position != .set, model.fields.count < 40 else { return }
    var new = FieldDeclaration(name: name("field"), type: old.type, tag: freeTag(model), from: [old.name])
    if old.type == FieldType(.string), random.below(3) == 0 {
      // One becomes two.
      new.via = name("parts")
      var second = new
      second.name = name("field")
      second.tag += 1
      model.fields += [new, second]
    } else if old.type.position == .list || targets.isEmpty || random.below(4) == 0 {
      // A function that knows nothing of the type, and puts a value into a list of itself.
      guard old.type.position != .list else { return }
      new.type = FieldType(old.type.base, .list)
      new.via = name("wrapped")
      model.fields.append(new)
    } else {
      new.type = random.pick(targets)
      if new.type.position == .single { new.defaultValue = old.defaultValue }
      model.fields.append(new)
    }
    model.fields[index].deprecated = ""
  }

  private mutating func changeEnum(_ file: inout SchemaFile) {
    // A case that texts become keeps its name.
    let fields = file.model?.fields ?? []
    let isMadeOfTexts = fields.contains { field in
      if case .enumeration = field.type.base { !field.from.isEmpty && field.via == nil } else { false }
    }
    if isMadeOfTexts || random.below(3) > 0, file.enums[0].cases.count < 9 {
      let number = (file.enums[0].cases.map(\.number).max() ?? 0) + 1
      file.enums[0].cases.append(EnumCase(name: name("case"), number: number))
    } else if !isMadeOfTexts {
      let index = random.below(file.enums[0].cases.count)
      let now = file.enums[0].cases[index].name
      if versions.last?.files[0].enums[0].cases.contains(where: { $0.name == now }) ?? false {
        file.enums[0].cases[index].was = now
      }
      file.enums[0].cases[index].name = name("case")
    }
  }

  private mutating func changeStruct(_ file: inout SchemaFile) {
    var type = file.structs[0]
    let tag = ((type.fields.map(\.tag) + type.reserved.tags.map(\.upperBound)).max() ?? 0) + 1
    let floor = type.fields.firstIndex { $0.type.base == .int32 && $0.deprecated == nil }
    if let floor, random.below(2) == 0 {
      type.fields[floor].deprecated = ""
      type.fields.append(
        FieldDeclaration(
          name: name("level"), type: FieldType(.int64, .optional), tag: tag, from: [type.fields[floor].name]))
    } else if type.fields.count < 8 {
      type.fields.append(FieldDeclaration(name: name("part"), type: FieldType(.string, .optional), tag: tag))
    }
    file.structs[0] = type
  }

  private mutating func rename(structOf file: inout SchemaFile, _ model: inout ModelDeclaration) {
    let old = TypeName(model: "item", name: file.structs[0].name)
    let new = name("struct")
    file.structs[0].was = file.structs[0].was ?? old.name
    file.structs[0].name = new
    file.structs[0].swiftName = new.prefix(1).uppercased() + new.dropFirst()
    for index in model.fields.indices where model.fields[index].type.base == .structure(old) {
      model.fields[index].type.base = .structure(TypeName(model: "item", name: new))
    }
  }

  private mutating func changeOperations(_ model: inout ModelDeclaration) {
    let settable = free(model).filter {
      model.fields[$0].type == FieldType(.string) || model.fields[$0].type == FieldType(.int32)
    }
    if model.operations.count > 3 {
      model.operations.remove(at: 2 + random.below(model.operations.count - 2))
    } else if !settable.isEmpty {
      let field = model.fields[random.pick(settable)]
      let operation = name("set")
      model.operations.append(
        OperationDeclaration(
          name: operation, doc: nil, parameters: [ParameterDeclaration(name: "value", type: field.type)],
          requirements: [], effects: [.set([FieldAssignment(field: field.name, value: .parameter("value", path: []))])])
      )
    }
  }

  private mutating func changeLists(_ model: inout ModelDeclaration) {
    if model.lists.count > 2 {
      model.lists.remove(at: 1 + random.below(model.lists.count - 1))
    } else {
      let fields = model.fields.filter {
        [.string, .int64, .double].contains($0.type.base) && $0.type.position != .list
      }
      guard let field = fields.last(where: { $0.type.position != .set && $0.deprecated == nil }) else { return }
      let order = [OrderTerm(field: FieldPath([field.name]), descending: random.below(2) == 0)]
      model.lists.append(
        ListDeclaration(
          name: name("list"), doc: nil, per: nil, conditions: [], section: nil, order: order, distinct: nil))
    }
  }
}
