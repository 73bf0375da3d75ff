// Parameters and columns in PostgreSQL's binary format.

import SyncProtocol
import WireFormat

/// A parameter of a statement. The format of each type is that of its `typsend` function.
enum PostgresValue: Sendable {
  case int(Int64?)
  case text(String?)
  case bytes([UInt8]?)
  case id(UUIDValue?)
  case bool(Bool)
  case ints([Int64?])
  case texts([String?])
  case blobs([[UInt8]?])
  case ids([UUIDValue?])

  static func id<Object>(_ id: ObjectID<Object>) -> Self { .id(id.rawValue) }
  static func ids<Object>(_ ids: [ObjectID<Object>]) -> Self { .ids(ids.map(\.rawValue)) }
  static func time(_ time: Timestamp) -> Self { .int(time.millisecondsSince1970) }

  /// The number of the type (`pg_type.dat`). These never change.
  var type: UInt32 {
    switch self {
    case .int: 20
    case .text: 25
    case .bytes: 17
    case .id: 2950
    case .bool: 16
    case .ints: 1016
    case .texts: 1009
    case .blobs: 1001
    case .ids: 2951
    }
  }

  /// Nil for NULL.
  var encoded: [UInt8]? {
    switch self {
    case .int(let value): value?.bigEndianBytes
    case .text(let value): value.map { Array($0.utf8) }
    case .bytes(let value): value
    case .id(let value): value?.bytes
    case .bool(let value): [value ? 1 : 0]
    case .ints(let values): Self.array(of: 20, values.map { $0?.bigEndianBytes })
    case .texts(let values): Self.array(of: 25, values.map { $0.map { Array($0.utf8) } })
    case .blobs(let values): Self.array(of: 17, values)
    case .ids(let values): Self.array(of: 2950, values.map { $0?.bytes })
    }
  }

  /// `array_send`: dimensions, whether there are NULLs, the type of the elements, their number and first index; then each
  /// element behind its length, which is -1 for NULL.
  private static func array(of type: Int32, _ elements: [[UInt8]?]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
    let hasNull: Int32 = elements.contains { $0 == nil } ? 1 : 0
    let head = elements.isEmpty ? [0, hasNull, type] : [1, hasNull, type, Int32(elements.count), 1]
    for number in head { bytes += number.bigEndianBytes }
    for element in elements {
      bytes += Int32(element?.count ?? -1).bigEndianBytes
      if let element { bytes += element }
    }
    return bytes
  }
}

extension FixedWidthInteger {
  fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

/// A row of a result.
struct PostgresRow: Sendable {
  /// Nil for NULL.
  private let columns: [[UInt8]?]

  init(_ columns: [[UInt8]?]) { self.columns = columns }

  func bytesIfAny(_ index: Int) throws -> [UInt8]? {
    guard columns.indices.contains(index) else {
      throw PostgresError(.badRow, "A row of the server's database has no column \(index).")
    }
    return columns[index]
  }

  func bytes(_ index: Int) throws -> [UInt8] { try value(index) { $0 } }

  /// Of any width.
  func int(_ index: Int) throws -> Int64 {
    try value(index) { bytes in
      guard [2, 4, 8].contains(bytes.count) else { return nil }
      let start: Int64 = bytes[0] & 0x80 == 0 ? 0 : -1
      return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }
  }

  func intIfAny(_ index: Int) throws -> Int64? { try bytesIfAny(index) == nil ? nil : int(index) }

  func bool(_ index: Int) throws -> Bool { try value(index) { $0.count == 1 ? $0[0] == 1 : nil } }

  func text(_ index: Int) throws -> String { try value(index) { String(validating: $0, as: UTF8.self) } }

  func textIfAny(_ index: Int) throws -> String? { try bytesIfAny(index) == nil ? nil : text(index) }

  func id(_ index: Int) throws -> UUIDValue { try value(index) { UUIDValue(bytes: $0) } }

  func id<Object>(_ index: Int) throws -> ObjectID<Object> { ObjectID(try id(index)) }

  func time(_ index: Int) throws -> Timestamp { Timestamp(millisecondsSince1970: try int(index)) }

  func hash(_ index: Int) throws -> ContentHash { try value(index) { ContentHash(bytes: $0) } }

  private func value<Value>(_ index: Int, _ decode: ([UInt8]) -> Value?) throws -> Value {
    guard let bytes = try bytesIfAny(index), let value = decode(bytes) else {
      throw PostgresError(.badRow, "Column \(index) of a row of the server's database cannot be read.")
    }
    return value
  }
}
