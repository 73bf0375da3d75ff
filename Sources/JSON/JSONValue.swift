// JSON (RFC 8259) as a value: members in their order, numbers as their digits, so that nothing is lost.

package indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// The digits, as they were written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONValue {
  /// The member with this name; nil if there is none, or if the value is no object.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var isNull: Bool { self == .null }

  /// A number; null for nil.
  package static func count(_ value: Int?) -> Self { value.map { .number($0.description) } ?? .null }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0, $1) })
  }

  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
