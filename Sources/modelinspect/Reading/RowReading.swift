// Reads the columns of a row. Each may be damaged on its own.
import ModelSupport

/// Reads columns one by one. Notes a damaged one, and goes on with the others.
struct RowReading {
  let row: StoredRow
  /// The damage that was found. Each text is a sentence or a clause for people.
  private(set) var problems: [String] = []

  init(_ row: StoredRow) {
    self.row = row
  }

  mutating func integer(_ column: String) -> Int64? { take { try $0.integer(column) } }

  mutating func text(_ column: String) -> String? { take { try $0.text(column) } }

  mutating func bytes(_ column: String) -> [UInt8] { take { try $0.bytes(column) } ?? [] }

  mutating func id<Object>(_ column: String) -> ObjectID<Object>? {
    let id: UUIDValue? = id(column)
    return id.map { ObjectID($0) }
  }

  mutating func id(_ column: String) -> UUIDValue? {
    guard let bytes = take({ try $0.bytes(column) }) else { return nil }
    if let id = UUIDValue(bytes: bytes) { return id }
    addProblem("`\(column)` has \(counted(bytes.count, "byte")) instead of 16.")
    return nil
  }

  /// Reads ids of 16 bytes each.
  mutating func ids(_ column: String) -> [UUIDValue] {
    let bytes = bytes(column)
    if bytes.count % 16 != 0 {
      addProblem("`\(column)` has \(counted(bytes.count, "byte")), which is not a multiple of 16.")
    }
    return stride(from: 0, through: bytes.count - 16, by: 16).compactMap {
      UUIDValue(bytes: Array(bytes[$0..<$0 + 16]))
    }
  }

  /// Reads a number that stands for a case; nil where it has no meaning.
  mutating func word<Word: RawRepresentable<Int64>>(_ column: String) -> Word? {
    guard let number = integer(column) else { return nil }
    let word = Word(rawValue: number)
    if word == nil { addProblem("`\(column)` is \(number), which has no meaning.") }
    return word
  }

  /// Reads the columns of failed attempts; nil where none has failed.
  mutating func failure() -> QueueFailure? {
    guard let attempts = integer("attempts"), attempts > 0 else { return nil }
    return QueueFailure(
      attempts: Int(clamping: attempts), retryAt: optional("retryAt") { $0.time("retryAt") } ?? .zero,
      message: optional("lastError") { $0.text("lastError") } ?? "")
  }

  mutating func time(_ column: String) -> Timestamp? {
    integer(column).map { Timestamp(millisecondsSince1970: $0) }
  }

  mutating func message(_ column: String, as fields: [StoredField]) -> [FieldEntry] {
    let reading = MessageReading(bytes(column), as: fields)
    for problem in reading.problems { addProblem("`\(column)`: \(problem).") }
    return reading.entries
  }

  /// Reads a column that may be NULL.
  mutating func optional<Value>(_ column: String, _ read: (inout Self) -> Value?) -> Value? {
    row.isNull(column) ? nil : read(&self)
  }

  mutating func addProblem(_ problem: String) { problems.append(problem) }

  private mutating func take<Value>(_ read: (StoredRow) throws -> Value) -> Value? {
    do { return try read(row) } catch {
      addProblem("\(error)")
      return nil
    }
  }
}
