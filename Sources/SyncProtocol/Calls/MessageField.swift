// The kinds of fields that messages have, and their bounds.

package import JSON
package import WireFormat

/// Reads a field of one kind from JSON.
package struct MessageField<Value: Sendable>: Sendable {
  package let read: @Sendable (JSONValue) throws(MessageError) -> Value

  package init(_ read: @escaping @Sendable (JSONValue) throws(MessageError) -> Value) {
    self.read = read
  }

  /// A string that stands for a value. `parse` returns nil for a text that stands for none.
  fileprivate static func text(_ parse: @escaping @Sendable (String) -> Value?) -> Self {
    Self { value throws(MessageError) in
      guard case .string(let text) = value else { throw MessageError(.wrongType) }
      guard let value = parse(text) else { throw MessageError(.invalidValue) }
      return value
    }
  }

  /// A name from a list that a newer version may extend. Throws `unknownName` for any other.
  package static func name(_ parse: @escaping @Sendable (String) -> Value?) -> Self {
    Self { value throws(MessageError) in
      guard let value = parse(try MessageField<String>.string.read(value)) else { throw MessageError(.unknownName) }
      return value
    }
  }
}

extension MessageField where Value: MessageValue {
  package static var message: Self {
    Self { value throws(MessageError) in try Value(try MessageReader(value)) }
  }
}

extension MessageField {
  /// An array of at most `maximum` elements. A longer one is refused before its elements are read.
  package static func list<Element>(_ element: MessageField<Element>, atMost maximum: Int) -> Self
  where Value == [Element] {
    Self { value throws(MessageError) in
      guard case .array(let elements) = value else { throw MessageError(.wrongType) }
      guard elements.count <= maximum else { throw MessageError(.tooLarge) }
      var values: [Element] = []
      values.reserveCapacity(elements.count)
      for (index, value) in elements.enumerated() {
        do throws(MessageError) { values.append(try element.read(value)) } catch { throw error.below("[\(index)]") }
      }
      return values
    }
  }
}

extension MessageField<String> {
  package static var string: Self { text { $0 } }

  package static var typeName: Self {
    text { ProtocolLimits.isTypeName($0) ? $0 : nil }
  }
}

extension MessageField<SchemaVersion> {
  package static var schemaVersion: Self { text(SchemaVersion.init) }
}

extension MessageField<Bool> {
  package static var bool: Self {
    Self { value throws(MessageError) in
      guard case .bool(let value) = value else { throw MessageError(.wrongType) }
      return value
    }
  }
}

extension MessageField<Int> {
  /// A JSON number without a fraction, within bounds.
  package static func count(in bounds: ClosedRange<Int>) -> Self {
    Self { value throws(MessageError) in
      guard case .number(let digits) = value else { throw MessageError(.wrongType) }
      guard let value = Int(digits), bounds.contains(value) else { throw MessageError(.invalidValue) }
      return value
    }
  }

  /// How often the user has tried an operation again.
  package static var attempt: Self { count(in: 0...ProtocolLimits.attempts) }
}

extension MessageField<Int64> {
  package static var int64: Self { text(Int64.init(canonical:)) }

  /// A revision, a cursor or a number of objects: not negative.
  package static var revision: Self {
    text { text in Int64(canonical: text).flatMap { $0 < 0 ? nil : $0 } }
  }
}

extension MessageField<UInt64> {
  package static var uint64: Self { text(UInt64.init(canonical:)) }
}

extension MessageField<Timestamp> {
  package static var timestamp: Self {
    text { text in
      guard let time = Int64(canonical: text), time.magnitude <= ProtocolLimits.timeMilliseconds.magnitude else {
        return nil
      }
      return Timestamp(millisecondsSince1970: time)
    }
  }
}

extension MessageField {
  package static func id<Object>() -> Self where Value == ObjectID<Object> { text(ObjectID.init) }
}

extension MessageField<UUIDValue> {
  /// The id of an object of any model.
  package static var uuid: MessageField<UUIDValue> { text(UUIDValue.init) }
}

extension MessageField<ContentHash> {
  package static var hash: Self { text(ContentHash.init) }
}

extension MessageField<[UInt8]> {
  /// Base64 of at most `maximum` bytes. A longer text is refused before it is decoded.
  package static func bytes(atMost maximum: Int) -> Self {
    Self { value throws(MessageError) in
      guard case .string(let text) = value else { throw MessageError(.wrongType) }
      guard Base64.capacity(of: text) <= maximum + 2 else { throw MessageError(.tooLarge) }
      guard let bytes = Base64.bytes(of: text) else { throw MessageError(.invalidValue) }
      guard bytes.count <= maximum else { throw MessageError(.tooLarge) }
      return bytes
    }
  }
}

extension FixedWidthInteger {
  /// Nil unless the digits are written as the protocol writes them: no plus sign, no leading zero.
  fileprivate init?(canonical text: String) {
    guard let value = Self(text), value.description == text else { return nil }
    self = value
  }
}
