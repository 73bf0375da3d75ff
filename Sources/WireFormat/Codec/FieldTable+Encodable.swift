// Writes messages through `Encodable`, as JSON for programs that do not speak protobuf, by the same table as the bytes.

extension FieldTabled {
  /// Writes every field by its name.
  ///
  /// Ids, hashes and times are texts (`Timestamp` as ISO 8601), sets are arrays, `data` is an array of numbers, an enum
  /// is the name of its case, and an absent value is null.
  package func encodeFields(into container: inout KeyedEncodingContainer<FieldKey>) throws {
    let storage = Self.fieldTable.storage
    try withUnsafeBytes(of: self) { bytes in
      for (index, encode) in storage.pointee.encoders.enumerated() {
        guard let message = bytes.baseAddress else { return }
        try encode(message, FieldKey(storage.pointee.names[index].description), &container)
      }
    }
  }
}

/// The name of a field, as a coding key.
package struct FieldKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(_ name: String) {
    stringValue = name
  }

  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { nil }
}

/// Encodes a property of the message at an address.
typealias PropertyEncoder = (UnsafeRawPointer, FieldKey, inout KeyedEncodingContainer<FieldKey>) throws -> Void

func propertyEncoder<Message, Value: Encodable>(of property: KeyPath<Message, Value>) -> PropertyEncoder {
  { message, key, container in
    // Sound: a table is given addresses of its own messages only.
    try container.encode(message.assumingMemoryBound(to: Message.self).pointee[keyPath: property], forKey: key)
  }
}

extension WireStruct {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldKey.self)
    try encodeFields(into: &container)
  }
}

extension WireEnum {
  /// The name of the case; `unknown(7)` for a number of a newer schema.
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: "\(self)") }
}

extension ObjectID: Encodable {
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}

extension UUIDValue: Encodable {
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}

extension ContentHash: Encodable {
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}

extension Timestamp: Encodable {
  public func encode(to encoder: any Encoder) throws { try encoder.encode(text: description) }
}

extension SortedSet: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for element in self { try container.encode(element) }
  }
}

extension Encoder {
  fileprivate func encode(text: String) throws {
    var container = singleValueContainer()
    try container.encode(text)
  }
}
