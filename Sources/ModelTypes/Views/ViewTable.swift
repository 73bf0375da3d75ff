// The fields of a view, as a table that generated code writes: one engine turns every view into JSON.

import WireFormat

/// A view that can be written as JSON: `JSONEncoder().encode(cell)`, also inside of an app's own types.
///
/// Every view of a schema is one. It is written with its `id` and its fields, as a model is; nothing decodes it.
public protocol EncodableView: ModelView, Encodable {
  /// Made once, in a `static let`.
  static var fieldTable: ViewTable<Self> { get }
}

/// The fields of a view, by the names that the schema gives them.
public struct ViewTable<View>: Sendable {
  let fields: [ViewField<View>]

  /// In the order in which they are written.
  public init(_ fields: ViewField<View>...) {
    self.fields = fields
  }
}

/// One field of a view: its name, and where its value is.
public struct ViewField<View>: Sendable {
  let name: String
  let value: @Sendable (View) -> any Encodable

  /// `property` is a stored property. Not `& Sendable`, which no literal is in Swift 5.
  public init<Value: Encodable & SendableMetatype>(_ name: String, _ property: KeyPath<View, Value>) {
    self.name = name
    nonisolated(unsafe) let property = property
    value = { view in view[keyPath: property] }
  }
}

extension EncodableView {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldKey.self)
    try container.encode(id, forKey: FieldKey("id"))
    for field in Self.fieldTable.fields { try container.encode(field.value(self), forKey: FieldKey(field.name)) }
  }
}

extension Model {
  /// Writes the object with its `id` and its fields.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldKey.self)
    try container.encode(id, forKey: FieldKey("id"))
    try encodeFields(into: &container)
  }
}
