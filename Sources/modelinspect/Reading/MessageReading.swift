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
    var values: [ReportValue] = []
    var strangers: [ReportValue] = []
    for record in records {
      let isPacked = type?.mayBePacked == true && record.wireType == .length
      if let type, let field, record.wireType == type.wireType || isPacked {
        var reading = ValueReading(bytes: bytes, field: field, type: type)
        if isPacked { reading.unpack(record.value) } else { reading.read(record, shape) }
        values += reading.values
        problems += reading.problems.map { "`\(field.name)`: \($0)" }
      } else {
        strangers.append(.undescribed(record.wireType, Array(bytes[record.value])))
      }
    }
    if let type, let field, let last = values.last {
      // For a single value the last record counts, as for every reader.
      entries.append(FieldEntry(tag: tag, name: field.name, value: type.isCollection ? .list(values) : last))
    }
    if let first = strangers.first {
      let name = type?.wireType == nil ? field?.name : nil
      entries.append(FieldEntry(tag: tag, name: name, value: strangers.count == 1 ? first : .list(strangers)))
    }
  }
}

/// The fields of a message by tag, and the structs around it by name.
private struct MessageShape {
  var fields: [Int: StoredField]
  var outer: [String: [StoredField]]
  var depth: Int

  init(_ fields: [StoredField], outer: [String: [StoredField]] = [:], depth: Int = 0) {
    self.fields = Dictionary(fields.map { ($0.tag, $0) }) { first, _ in first }
    (self.outer, self.depth) = (outer, depth)
  }

  /// The shape of a struct with this name that is the value of `field`.
  func inside(_ field: StoredField, _ name: String) -> Self {
    let fields = field.fields ?? outer[name] ?? []
    return Self(fields, outer: outer.merging([name: fields]) { $1 }, depth: depth + 1)
  }
}

/// The values of one record.
private struct ValueReading {
  let bytes: UnsafeRawBufferPointer
  let field: StoredField
  let type: ValueType
  var values: [ReportValue] = []
  var problems: [String] = []

  mutating func read(_ record: Record, _ shape: MessageShape) {
    let content = Array(bytes[record.value])
    if type.isStruct {
      guard shape.depth < WireLimits.maximumDepth else {
        problems.append("nested too deep")
        values = [.unreadable(content)]
        return
      }
      let message = MessageReading(bytes, in: record.value, shape.inside(field, type.word))
      values = [message.entries.object]
      problems = message.problems
    } else if record.wireType == .length {
      let value = ReportValue(content, as: type.word)
      if value == nil { problems.append("its bytes cannot be read as \(type.word)") }
      values = [value ?? .unreadable(content)]
    } else {
      values = [ReportValue(number: number(in: record.value), of: field, as: type.word)]
    }
  }

  /// Reads a list of numbers in one record.
  mutating func unpack(_ range: Range<Int>) {
    var reader = RecordReader(bytes, in: range)
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + (type.wireType == .fixed64 ? 8 : 4)
      if type.wireType == .varint { end = (try? reader.varint()) == nil ? start : reader.offset }
      guard end > start, end <= range.upperBound else {
        problems.append("a packed list breaks off")
        return values.append(.unreadable(Array(bytes[start..<range.upperBound])))
      }
      values.append(ReportValue(number: number(in: start..<end), of: field, as: type.word))
      start = end
    }
  }

  /// The number in a range that holds all of its bytes.
  private func number(in range: Range<Int>) -> UInt64 {
    let shift: UInt64 = type.wireType == .varint ? 7 : 8
    let mask: UInt8 = type.wireType == .varint ? 0x7F : 0xFF
    return bytes[range].reversed().reduce(0) { $0 &<< shift | UInt64($1 & mask) }
  }
}
