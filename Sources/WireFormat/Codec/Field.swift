// One entry of a field table, as generated code writes it.

/// A field: its tag, its name in the schema, and the stored property that holds it.
public struct Field<Message> {
  let tag: Int
  let name: StaticString
  let plan: FieldPlan
  /// A closure, because a struct may hold a list of itself, and its table does not exist yet when this field is made.
  let type: () -> FieldType
  let encoder: PropertyEncoder
  /// The property that shows the value, which may be another one than that which holds it.
  let shown: AnyKeyPath
  let offset: Int

  /// Infers from the property's type how the field is encoded.
  public init<Value: WireField>(_ tag: Int, _ name: StaticString, _ property: KeyPath<Message, Value>) {
    self.init(tag, name, Value._plan, { Value._fieldType }, propertyEncoder(of: property), property, property)
  }

  /// A converted field: `property` holds what the bytes say, and `shown` is its value.
  public init<Value: WireField, Shown: WireField>(
    _ tag: Int, _ name: StaticString, _ property: KeyPath<Message, Value>, shown: KeyPath<Message, Shown>
  ) {
    self.init(tag, name, Value._plan, { Shown._fieldType }, propertyEncoder(of: shown), property, shown)
  }

  /// A counter: a number whose changes are sent as increments.
  public init(_ tag: Int, _ name: StaticString, counter: KeyPath<Message, Int64>) {
    self.init(tag, name, FieldPlan(.counter, .varint), { .counter }, propertyEncoder(of: counter), counter, counter)
  }

  private init(
    _ tag: Int, _ name: StaticString, _ plan: FieldPlan, _ type: @escaping () -> FieldType,
    _ encoder: @escaping PropertyEncoder, _ property: PartialKeyPath<Message>, _ shown: PartialKeyPath<Message>
  ) {
    precondition(1...WireLimits.maximumTag ~= tag, "tag out of range")
    self.tag = tag
    self.name = name
    self.plan = plan
    self.type = type
    self.encoder = encoder
    self.shown = shown
    self.offset = storedOffset(of: property)
  }
}

/// The offset of a stored property of a struct. Traps for any other property, which a table cannot describe.
func storedOffset<Message>(of property: PartialKeyPath<Message>) -> Int {
  guard let offset = MemoryLayout<Message>.offset(of: property) else {
    preconditionFailure("not a stored property of a struct")
  }
  return offset
}
