// Reads messages from JSON: every field by its name and kind, every error with the path of its field.

package import JSON

/// A value that travels as a JSON object.
package protocol MessageValue: Sendable {
  init(_ reader: MessageReader) throws(MessageError)
  var json: JSONValue { get }
}

/// One JSON object, read field by field. A field that is null counts as absent. Other members are ignored.
package struct MessageReader {
  private let members: [JSONValue.Member]

  package init(_ value: JSONValue) throws(MessageError) {
    guard case .object(let members) = value else { throw MessageError(.wrongType) }
    self.members = members
  }

  package func required<Value>(_ name: String, _ field: MessageField<Value>) throws(MessageError) -> Value {
    guard let value = try optional(name, field) else { throw MessageError(.missing, at: name) }
    return value
  }

  package func optional<Value>(_ name: String, _ field: MessageField<Value>) throws(MessageError) -> Value? {
    guard let value = members.first(where: { $0.name == name })?.value, !value.isNull else { return nil }
    do { return try field.read(value) } catch { throw error.below(name) }
  }
}
