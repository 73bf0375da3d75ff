// The description by which a message is read and written: one row of plain old data for each field.

/// The fields of a message, and their places in its memory.
///
/// Made once for each type and never freed, so that using it counts no references. A table is one address.
///
/// `@unchecked Sendable`, `@safe`: the memory is written in `init` and only read afterwards.
@safe
public struct FieldTable: @unchecked Sendable {
  let storage: UnsafePointer<FieldTableStorage>

  /// A table for messages. Fields that it does not name are kept in `unknownFields`. Traps if two fields have one tag.
  ///
  /// `wholes` are tags of fields that a patch changes together, each in ascending order.
  public init<Message>(
    _ name: StaticString, unknownFields: KeyPath<Message, UnknownFields>, wholes: [[Int]] = [],
    _ fields: Field<Message>...
  ) {
    self.init(
      name, size: MemoryLayout<Message>.size, unknownOffset: storedOffset(of: unknownFields), wholes: wholes, fields)
  }

  /// A table for projections. Fields that it does not name are skipped. Traps if two fields have one tag.
  public init<Message>(projection name: StaticString, _ fields: Field<Message>...) {
    self.init(name, size: MemoryLayout<Message>.size, unknownOffset: -1, fields)
  }

  /// A table for a projection without fields.
  public init<Message>(projection name: StaticString, of _: Message.Type) {
    self.init(name, size: MemoryLayout<Message>.size, unknownOffset: -1, [Field<Message>]())
  }

  private init<Message>(
    _ name: StaticString, size: Int, unknownOffset: Int, wholes: [[Int]] = [], _ fields: [Field<Message>]
  ) {
    let fields = fields.sorted { $0.tag < $1.tag }
    let slots = UnsafeMutablePointer<FieldSlot>.allocate(capacity: fields.count + 1)
    for (index, field) in fields.enumerated() {
      precondition(index == 0 || fields[index - 1].tag < field.tag, "a tag stands twice in a table")
      (slots + index).initialize(to: FieldSlot(field))
    }
    // The engine may look at the slot after the last one without a check. The kind of this slot refuses every record,
    // so a hostile key that equals its key is an error too.
    (slots + fields.count).initialize(to: .sentinel)
    let denseCount = Swift.min((fields.last?.tag ?? 0) + 1, 4 * fields.count + 8)
    let dense = UnsafeMutablePointer<UInt16>.allocate(capacity: denseCount)
    dense.initialize(repeating: UInt16.max, count: denseCount)
    for (index, field) in fields.enumerated() where field.tag < denseCount { dense[field.tag] = UInt16(index) }
    let storage = UnsafeMutablePointer<FieldTableStorage>.allocate(capacity: 1)
    storage.initialize(
      to: FieldTableStorage(
        slots: slots, end: slots + fields.count, dense: dense, denseCount: denseCount, unknownOffset: unknownOffset,
        name: name, names: fields.map(\.name), types: fields.map(\.type), encoders: fields.map(\.encoder),
        shown: fields.map(\.shown),
        mergeKinds: MergeKinds(
          sets: fields.filter(\.plan.isSet).map(\.tag),
          counters: fields.filter { $0.plan.kind == .counter }.map(\.tag), wholes: wholes)))
    self.storage = UnsafePointer(storage)
  }

  /// The name of the message in the schema.
  public var name: String { storage.pointee.name.description }

  /// The fields by ascending tags, with the names and types of the schema.
  public var fields: [(tag: Int, name: String, type: FieldType)] {
    storage.pointee.names.indices.map { index in
      (
        Int(storage.pointee.slots[index].tag), storage.pointee.names[index].description,
        storage.pointee.types[index]()
      )
    }
  }

  /// Nil where the table has no field with this tag.
  public func type(of tag: Int) -> FieldType? {
    let slots = storage.pointee.slots
    let index = storage.pointee.names.indices.first { Int(slots[$0].tag) == tag }
    return index.map { storage.pointee.types[$0]() }
  }

  /// The tags of sets and counters, whose changes merge by elements and by amounts.
  package var mergeKinds: MergeKinds { storage.pointee.mergeKinds }
}

struct FieldTableStorage {
  let slots: UnsafePointer<FieldSlot>
  let end: UnsafePointer<FieldSlot>
  /// Maps small tags to slots; `UInt16.max` for a tag without a field.
  let dense: UnsafePointer<UInt16>
  let denseCount: Int
  /// -1 where unknown fields are skipped.
  let unknownOffset: Int
  let name: StaticString
  let names: [StaticString]
  let types: [() -> FieldType]
  let encoders: [PropertyEncoder]
  let shown: [AnyKeyPath]
  let mergeKinds: MergeKinds
}

/// A row of the table: plain old data.
struct FieldSlot {
  /// Tag and wire type as a canonical writer writes them. `alternateKey` has the other wire type that a reader accepts,
  /// or is 0.
  let key: UInt32
  let alternateKey: UInt32
  let tag: UInt32
  let offset: UInt32
  let kind: FieldKind
  let encodedKey: EncodedKey
  /// Never released, because tables are never freed. Nil for most of the kinds that the engine knows itself.
  let codec: Unmanaged<FieldCodec>?

  static var sentinel: Self { Self(key: 0, alternateKey: 0, tag: .max, offset: 0, kind: .sentinel, codec: nil) }

  init<Message>(_ field: Field<Message>) {
    self.init(field.tag, field.plan, offset: field.offset)
    _ = codec?.retain()
  }

  /// Does not retain the codec. The caller keeps the plan alive.
  init(_ tag: Int, _ plan: FieldPlan, offset: Int) {
    let tag = UInt32(tag)
    self.init(
      key: tag << 3 | UInt32(plan.wireType.rawValue),
      alternateKey: plan.alternate.map { tag << 3 | UInt32($0.rawValue) } ?? 0,
      tag: tag, offset: UInt32(offset), kind: plan.kind, codec: plan.codec.map(Unmanaged.passUnretained))
  }

  private init(
    key: UInt32, alternateKey: UInt32, tag: UInt32, offset: UInt32, kind: FieldKind, codec: Unmanaged<FieldCodec>?
  ) {
    self.key = key
    self.alternateKey = alternateKey
    self.tag = tag
    self.offset = offset
    self.kind = kind
    self.encodedKey = EncodedKey(key)
    self.codec = codec
  }
}

extension Unmanaged<FieldCodec> {
  /// Calls `body` without counting references. Sound: a table never releases its codecs.
  @inline(__always)
  func withoutRetain(_ body: (FieldCodec) throws(WireError) -> Void) throws(WireError) {
    var failure: WireError?
    _withUnsafeGuaranteedRef { codec in
      do throws(WireError) { try body(codec) } catch { failure = error }
    }
    if let failure { throw failure }
  }
}

extension FieldTable {
  /// The slot that takes records with this key, if there is one.
  func slot(for key: UInt64) -> UnsafePointer<FieldSlot>? {
    let table = storage.pointee
    let tag = key >> 3
    var found: UnsafePointer<FieldSlot>
    if tag < table.denseCount {
      let index = table.dense[Int(tag)]
      guard index != .max else { return nil }
      found = table.slots + Int(index)
    } else {
      var low = table.slots
      var high = table.end
      while low < high {
        let middle = low + (high - low) / 2
        if middle.pointee.tag < tag { low = middle + 1 } else { high = middle }
      }
      guard low < table.end else { return nil }
      found = low
    }
    return found.pointee.key == key || found.pointee.alternateKey == key ? found : nil
  }
}
