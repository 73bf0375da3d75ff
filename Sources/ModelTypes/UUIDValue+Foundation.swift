// Converts ids between the runtime and Foundation, for apps whose other code uses `UUID`.

public import Foundation
public import WireFormat

extension UUIDValue {
  /// The same 16 bytes.
  public init(_ uuid: UUID) {
    self = withUnsafeBytes(of: uuid.uuid) { bytes in
      Self(
        high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
}

extension UUID {
  /// The same 16 bytes.
  public init(_ value: UUIDValue) {
    self = withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) { bytes in
      UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
  }
}

extension ObjectID {
  /// An id that was made elsewhere, such as a user's. Ids of new objects come from `.new(in:)`.
  public init(_ uuid: UUID) { self.init(UUIDValue(uuid)) }
}

extension UUID {
  /// The same 16 bytes.
  public init<Object>(_ id: ObjectID<Object>) { self.init(id.rawValue) }
}
