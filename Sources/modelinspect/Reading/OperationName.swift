// How a person names an operation: by its number, or by the beginning of its id.
import ModelRuntime

struct OperationName {
  let text: String
  let number: Int64?
  /// Of the id, in lower case; nil where the text has anything else in it.
  private let digits: String?

  init(_ text: String) {
    self.text = text
    number = Int64(text)
    let digits = text.lowercased().filter { $0 != "-" }
    self.digits = !digits.isEmpty && digits.count <= 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
  }

  func begins(_ id: UUIDValue) -> Bool { digits.map { hexadecimal(id.bytes).hasPrefix($0) } ?? false }

  /// How many digits of the id are the same, from its beginning.
  func likeness(_ id: UUIDValue) -> Int {
    zip(digits ?? "", hexadecimal(id.bytes)).prefix { $0 == $1 }.count
  }
}

/// The rows that a name could mean.
struct OperationSearch {
  struct Found: Equatable {
    var table: StoreInspection.Table
    var row: StoredRow
    var id: UUIDValue
    var number: Int64?
  }

  let name: OperationName
  private(set) var found: [Found] = []
  /// Problems of the tables: the operation that was meant may have been lost with a row.
  var problems: [String] = []
  /// Others that may have been meant, by how much they are like it.
  private var near: [(likeness: Int, found: Found)] = []

  init(_ name: OperationName) {
    self.name = name
  }

  mutating func look(at row: StoredRow, of table: StoreInspection.Table) {
    guard let bytes = try? row.bytes(table == .attention ? "operation" : "id"), let id = UUIDValue(bytes: bytes) else {
      return
    }
    let candidate = Found(table: table, row: row, id: id, number: try? row.integer("number"))
    // Operations in attention are counted on their own: there a number means another operation.
    let hasNumber = candidate.number != nil && candidate.number == name.number
    if hasNumber && table != .attention {
      found.append(candidate)
    } else if name.begins(id) {
      found.append(candidate)
    } else {
      let likeness = touches(row) ? 33 : hasNumber ? 32 : name.likeness(id)
      if likeness > 1 { near.append((likeness, candidate)) }
    }
  }

  /// Whether it changes the object whose id somebody took for that of an operation.
  private func touches(_ row: StoredRow) -> Bool {
    guard let object = UUIDValue(name.text) else { return false }
    let changes = (try? row.bytes("changes")).flatMap { try? OperationChanges(bytes: $0) }
    return changes?.objects.contains { $0.object == object } ?? false
  }

  /// The one that is meant: of several, the one whose number it is; nil where that is not certain.
  var meant: Found? {
    let numbered = found.filter { $0.number == name.number && $0.table != .attention }
    let meant = numbered.isEmpty ? found : numbered
    return Set(meant.map(\.id)).count == 1 ? meant.first : nil
  }

  /// The most likely ones, for a person to choose from.
  var candidates: [Found] {
    Array((found.isEmpty ? near.sorted { $0.likeness > $1.likeness }.map(\.found) : found).prefix(5))
  }
}
