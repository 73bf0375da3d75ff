// Turns the fields of messages into JSON: the counterpart of `MessageField`.

package import JSON
package import WireFormat

extension JSONValue {
  package static func id(_ value: UUIDValue?) -> Self { text(value) }
  package static func id<Object>(_ value: ObjectID<Object>?) -> Self { text(value) }
  package static func int64(_ value: Int64?) -> Self { text(value) }
  package static func time(_ value: Timestamp?) -> Self { text(value?.millisecondsSince1970) }
  package static func base64(_ value: [UInt8]) -> Self { .string(Base64.text(of: value)) }
  package static func message(_ value: (some MessageValue)?) -> Self { value?.json ?? .null }
  package static func list(_ values: [some MessageValue]) -> Self { .array(values.map(\.json)) }
  package static func list(texts values: [some CustomStringConvertible]) -> Self { .array(values.map { text($0) }) }

  package static func text(_ value: (some CustomStringConvertible)?) -> Self {
    value.map { .string($0.description) } ?? .null
  }
}
