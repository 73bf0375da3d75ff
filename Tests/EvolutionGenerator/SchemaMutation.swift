// Changes one fact of a schema at a time, as a seed decides. Half of the changes are ones that an author should not make.

import ModelSchema

/// A model with a field of most types, and its mutants.
struct SchemaMutation {
  private var random: SeededNumbers

  static let original = """
    model: item
    queue: self
    fields:
      flag: bool = 1
      small: int32 = 2
      large: { type: int64 = 3, default: 5 }
      name: string = 4
      note: string? = 5
      bytes: data = 6
      code: uuid? = 7
      at: timestamp? = 8
      picture: file? = 9
      owner: ref(item)? = 10
      place: place? = 11
      color: color? = 12
      tags: set(string) = 13
      sizes: list(int32) = 14
      places: list(place) = 15
      ratio: double? = 16
      reads: counter = 17
    structs:
      place: { fields: { latitude: double = 1, label: string? = 2, number: int32 = 3 } }
    enums:
      color: { cases: { red: 1, blue: 2, green: 3 } }
    """

  init(seed: UInt64) {
    random = SeededNumbers(seed: seed)
  }

  private mutating func below(_ bound: Int) -> Int { random.below(bound) }

  /// The schema with one fact changed.
  mutating func mutate(_ schema: Schema) -> Schema {
    var file = schema.files[0]
    guard var model = file.model else { return schema }
    if below(4) == 0 {
      var type = file.structs[0]
      mutate(&type.fields, &type.reserved)
      file.structs[0] = type
    } else if below(5) == 0 {
      mutate(&file.enums[0])
    } else {
      var (fields, reserved) = (model.fields, model.reserved)
      mutate(&fields, &reserved)
      (model.fields, model.reserved) = (fields, reserved)
    }
    file.model = model
    var result = schema
    result.files[0] = file
    return result
  }

  private mutating func mutate(_ fields: inout [FieldDeclaration], _ reserved: inout ReservedFields) {
    let index = below(fields.count)
    let field = fields[index]
    let fresh = (fields.map(\.tag).max() ?? 0) + 1
    switch below(10) {
    case 0: fields[index].name += "New"
    case 1:
      fields[index].name += "New"
      fields[index].was = field.name
    case 2: fields[index].tag = fresh
    case 3:
      let other = below(fields.count)
      (fields[index].tag, fields[other].tag) = (fields[other].tag, field.tag)
    case 4:
      fields.remove(at: index)
      reserved.tags = [field.tag...field.tag]
    case 5: fields[index].type = otherType(field.type)
    case 6: fields[index].type = toggled(field.type)
    case 7: fields[index].defaultValue = otherDefault(field)
    case 8: fields.append(FieldDeclaration(name: "extra", type: otherType(field.type), tag: fresh))
    default: fields.swapAt(index, below(fields.count))
    }
  }

  private mutating func mutate(_ type: inout EnumDeclaration) {
    let index = below(type.cases.count)
    switch below(5) {
    case 0: type.cases[index].name += "New"
    case 1:
      type.cases[index].was = type.cases[index].name
      type.cases[index].name += "New"
    case 2:
      let other = (index + 1) % type.cases.count
      (type.cases[index].number, type.cases[other].number) = (type.cases[other].number, type.cases[index].number)
    case 3:
      let number = Int(type.cases[index].number)
      type.reserved.tags = [number...number]
      type.cases.remove(at: index)
    default: type.cases.append(EnumCase(name: "yellow", number: 4))
    }
  }

  private mutating func otherType(_ type: FieldType) -> FieldType {
    let bases: [BaseType] = [
      .bool, .int32, .int64, .uint32, .double, .string, .data, .uuid, .timestamp, .file, .reference("item"),
      .structure(TypeName(model: "item", name: "place")), .enumeration(TypeName(model: "item", name: "color")),
    ]
    let positions: [FieldPosition] = [.single, .optional, .list]
    // A struct would contain itself.
    let usable = bases.filter { if case .structure = $0 { false } else { true } }
    return FieldType(usable[below(usable.count)], positions[below(positions.count)])
  }

  private func toggled(_ type: FieldType) -> FieldType {
    switch type.position {
    case .single where type.base != .counter: FieldType(type.base, .optional)
    case .optional: FieldType(type.base, .single)
    default: type
    }
  }

  private mutating func otherDefault(_ field: FieldDeclaration) -> Literal? {
    guard field.type.position == .single else { return nil }
    return switch field.type.base {
    case .bool: .bool(below(2) == 0)
    case .int32, .int64, .uint32, .uint64: .integer(Int64(below(3)) * 5)
    case .string: .string("x")
    default: nil
    }
  }
}
