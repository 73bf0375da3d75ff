// Decodes the bytes of a message by the field tables in the store. Pure. Damage is noted, never thrown.
import ModelSupport

struct MessageReading: Equatable {
  /// Sorted by tag.
  var entries: [FieldEntry] = []
  /// The damage that was found. Each text is a clause for people.
  var problems: [String] = []

  init(_ bytes: [UInt8], as fields: [StoredField]) {
    self = bytes.withUnsafeBytes { Self($0, in: 0..<bytes.count, MessageShape(fields)) }
  }

  fileprivate init(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>, _ shape: MessageShape) {
    var reader = RecordReader(bytes, in: range)
    var records: [Int: [Record]] = [:]
    do throws(WireError) {
      while let record = try reader.next() { records[record.tag, default: []].append(record) }
    } catch {
      problems.append("the bytes break off: \(error)")
    }
    for (tag, records) in records.sorted(by: { $0.key < $1.key }) { add(records, tag, bytes, shape) }
  }

  /// Adds the records of one tag. Those that fit the type in the table become its value; the others are shown as
  /// records.
  private mutating func add(_ records: [Record], _ tag: Int, _ bytes: UnsafeRawBufferPointer, _ shape: MessageShape) {
    let field = shape.fields[tag]
    let type = field.map { ValueType($0, in: shape.outer) }
    var values: [FieldValue] = []
    var strangers: [FieldValue] = []
    for record in records {
      let isPacked = type?.isCollection == true && record.wireType == .length && type?.wireType != .length
      if let type, let field, record.wireType == type.wireType || isPacked {
        let reading = ValueReading(bytes, record, type, shape.inside(field))
        values += reading.values
        problems += reading.problems.map { "`\(field.name)`: \($0)" }
      } else {
        strangers.append(.record(record.wireType, Array(bytes[record.value])))
      }
    }
    if let type, let field, let last = values.last {
      // For a single value the last record counts, as for every reader.
      entries.append(FieldEntry(tag: tag, name: field.name, value: type.isCollection ? .list(values) : last))
    }
    if let first = strangers.first {
      let name = type?.element == .unknown ? field?.name : nil
      entries.append(FieldEntry(tag: tag, name: name, value: strangers.count == 1 ? first : .list(strangers)))
    }
  }
}

/// The fields of a message by tag, and the structs around it by name.
struct MessageShape {
  var fields: [Int: StoredField]
  var outer: [String: [StoredField]]
  var depth = 0

  init(_ fields: [StoredField], outer: [String: [StoredField]] = [:], depth: Int = 0) {
    self.fields = Dictionary(fields.map { ($0.tag, $0) }) { first, _ in first }
    self.outer = outer
    self.depth = depth
  }

  /// The shape of a struct that is the value of `field`.
  func inside(_ field: StoredField) -> Self {
    let name = ValueType.structName(of: field)
    let fields = field.fields ?? outer[name] ?? []
    return Self(fields, outer: outer.merging([name: fields]) { $1 }, depth: depth + 1)
  }
}

/// The values of one record.
private struct ValueReading {
  var values: [FieldValue] = []
  var problems: [String] = []

  init(_ bytes: UnsafeRawBufferPointer, _ record: Record, _ type: ValueType, _ shape: MessageShape) {
    if type.isCollection, record.wireType == .length, type.wireType != .length {
      unpack(bytes, record.value, type)
    } else if case .structure = type.element {
      nest(bytes, record.value, shape)
    } else if record.wireType == .length {
      let value = FieldValue(Array(bytes[record.value]), as: type.element)
      if case .unreadable = value { problems.append("its bytes cannot be read as \(type.element)") }
      values = [value]
    } else {
      values = [FieldValue(number: Self.number(bytes, record.value, record.wireType), as: type.element)]
    }
  }

  private mutating func nest(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ shape: MessageShape) {
    guard shape.depth <= WireLimits.maximumDepth else {
      problems.append("nested too deep")
      values = [.unreadable(Array(bytes[range]))]
      return
    }
    let message = MessageReading(bytes, in: range, shape)
    values = [.message(message.entries)]
    problems = message.problems
  }

  private mutating func unpack(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ type: ValueType) {
    var reader = RecordReader(bytes, in: range)
    var rest = range
    while !rest.isEmpty {
      let width = type.wireType == .fixed64 ? 8 : 4
      if type.wireType == .varint, let number = try? reader.varint() {
        values.append(FieldValue(number: number.value, as: type.element))
        rest = reader.offset..<range.upperBound
      } else if let wireType = type.wireType, wireType != .varint, rest.count >= width {
        let number = Self.number(bytes, rest.prefix(width), wireType)
        values.append(FieldValue(number: number, as: type.element))
        rest = rest.dropFirst(width)
      } else {
        problems.append("a packed list breaks off")
        return values.append(.unreadable(Array(bytes[rest])))
      }
    }
  }

  /// The number in a record. The reader has found the record's end, so all its bytes are there.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ wireType: WireType) -> UInt64 {
    let shift: UInt64 = wireType == .varint ? 7 : 8
    let mask: UInt8 = wireType == .varint ? 0x7F : 0xFF
    return bytes[range].reversed().reduce(0) { $0 &<< shift | UInt64($1 & mask) }
  }
}

extension FieldValue {
  fileprivate init(number: UInt64, as type: ValueType.Element) {
    switch type {
    case .bool: self = .bool(number != 0)
    case .int32: self = .integer(Int64(Int32(truncatingIfNeeded: number)))
    case .uint32: self = .natural(UInt64(UInt32(truncatingIfNeeded: number)))
    case .uint64: self = .natural(number)
    case .counter: self = .integer(Zigzag.decode(number))
    case .timestamp: self = .time(Timestamp(millisecondsSince1970: Int64(bitPattern: number)))
    case .float: self = .float(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
    case .double: self = .fraction(Double(bitPattern: number))
    case .enumeration(let cases):
      let number = Int32(truncatingIfNeeded: number)
      self = .enumeration(number, name: cases.first { $0.number == number }?.name)
    default: self = .integer(Int64(bitPattern: number))
    }
  }

  /// Decodes a value of wire type `length`.
  fileprivate init(_ bytes: [UInt8], as type: ValueType.Element) {
    let value: FieldValue? =
      switch type {
      case .string: String(validating: bytes, as: UTF8.self).map { .text($0) }
      case .data: .data(bytes)
      case .uuid, .id: UUIDValue(bytes: bytes).map { .word("\($0)") }
      case .hash: ContentHash(bytes: bytes).map { .word("\($0)") }
      default: nil
      }
    self = value ?? .unreadable(bytes)
  }
}
