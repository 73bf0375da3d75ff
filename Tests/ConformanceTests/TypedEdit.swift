// One edit of one field in two forms: as a change of a value, and as parts of a patch that change the bytes alike.
import ModelSupport

/// The parts of a patch, in canonical form.
struct PatchParts {
  var set: [UInt8] = []
  var clear: [Int] = []
  var insert: [UInt8] = []
  var remove: [UInt8] = []
  var increment: [UInt8] = []

  /// Adds the parts of `other`, which names higher tags only.
  mutating func append(_ other: Self) {
    set += other.set
    clear += other.clear
    insert += other.insert
    remove += other.remove
    increment += other.increment
  }

  func patch() throws -> Patch {
    try Patch(set: set, clear: clear, insert: insert, remove: remove, increment: increment)
  }
}

struct TypedEdit<Value> {
  var apply: (inout Value) -> Void
  var parts: PatchParts
}

/// A field of a generated model, and the edits that its type allows.
struct TypedField<Value: SeededModel> {
  let tag: Int
  /// Makes an edit of the first value. The values that it writes come from the second one.
  let randomEdit: (Value, Value, inout FixtureGenerator) throws -> TypedEdit<Value>

  static func whole<Property>(_ tag: Int, _ property: WritableKeyPath<Value, Property>) -> Self {
    Self(tag: tag) { old, new, generator in
      generator.bool() ? try replace(tag, property, new) : clear(tag, property)
    }
  }

  static func set<Element>(_ tag: Int, _ property: WritableKeyPath<Value, SortedSet<Element>>) -> Self {
    Self(tag: tag) { old, new, generator in
      switch generator.next() % 6 {
      case 0: return try replace(tag, property, new)
      case 1: return clear(tag, property)
      default: break
      }
      let inserted = SortedSet(new[keyPath: property].filter { _ in generator.next() % 3 != 0 })
      // Elements that the set holds, and some that it does not.
      let removed = SortedSet((old[keyPath: property].union(new[keyPath: property])).filter { _ in generator.bool() })
        .subtracting(inserted)
      let edit = { (value: inout Value) in
        value[keyPath: property].subtract(removed)
        value[keyPath: property].formUnion(inserted)
      }
      return TypedEdit(
        apply: edit,
        parts: PatchParts(insert: try records(tag, property, inserted), remove: try records(tag, property, removed)))
    }
  }

  static func counter(_ tag: Int, _ property: WritableKeyPath<Value, Int64>) -> Self {
    Self(tag: tag) { _, new, generator in
      switch generator.next() % 4 {
      case 0: return try replace(tag, property, new)
      case 1: return clear(tag, property)
      default: break
      }
      let amount = generator.int64()
      var increment = RecordWriter()
      increment.zigzag(tag, amount)
      return TypedEdit(
        apply: { $0[keyPath: property] &+= amount }, parts: PatchParts(increment: increment.bytes))
    }
  }

  private static func replace<Property>(
    _ tag: Int, _ property: WritableKeyPath<Value, Property>, _ new: Value
  ) throws -> TypedEdit<Value> {
    let records = try records(tag, property, new[keyPath: property])
    // An empty value has no records, so setting it means clearing the field.
    return TypedEdit(
      apply: { $0[keyPath: property] = new[keyPath: property] },
      parts: records.isEmpty ? PatchParts(clear: [tag]) : PatchParts(set: records))
  }

  private static func clear<Property>(
    _ tag: Int, _ property: WritableKeyPath<Value, Property>
  ) -> TypedEdit<Value> {
    TypedEdit(
      apply: { $0[keyPath: property] = Value(zeroWithID: $0.id)[keyPath: property] }, parts: PatchParts(clear: [tag]))
  }

  /// The records that the codec writes for this value of the property.
  private static func records<Property>(
    _ tag: Int, _ property: WritableKeyPath<Value, Property>, _ held: Property
  ) throws -> [UInt8] {
    var value = Value(zeroWithID: .zero)
    value[keyPath: property] = held
    return try value.encoded().withUnsafeBytes { bytes in
      var reader = RecordReader(bytes)
      var records: [UInt8] = []
      while let record = try reader.next() {
        if record.tag == tag { records += bytes[record.range] }
      }
      return records
    }
  }
}
