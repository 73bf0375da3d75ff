// The name that a person gives to an operation: its number, or the beginning of its id.
import ModelSupport

struct OperationName {
  let text: String
  let number: Int64?
  /// The text as lower-case hexadecimal digits without `-`, for comparing ids; nil where it contains anything else.
  private let digits: String?

  init(_ text: String) {
    self.text = text
    number = Int64(text)
    let digits = text.lowercased().filter { $0 != "-" }
    self.digits = !digits.isEmpty && digits.count <= 32 && digits.allSatisfy(\.isHexDigit) ? digits : nil
  }

  func begins(_ id: OperationID) -> Bool { digits.map { hexadecimal(id.rawValue.bytes).hasPrefix($0) } ?? false }

  /// The number of leading digits that the text and the id share.
  func likeness(_ id: OperationID) -> Int {
    zip(digits ?? "", hexadecimal(id.rawValue.bytes)).prefix { $0 == $1 }.count
  }
}

/// Finds the rows that a name may mean.
struct OperationSearch {
  struct Found: Equatable {
    var table: StoreInspection.Table
    var row: StoredRow
    var id: OperationID
    var number: Int64?
  }

  let name: OperationName
  private(set) var found: [Found] = []
  /// Damage of the tables. The operation may have been lost with a damaged row.
  var problems: [String] = []
  /// Other operations that may have been meant, each with its likeness to the name.
  private var near: [(likeness: Int, found: Found)] = []

  init(_ name: OperationName) {
    self.name = name
  }

  mutating func look(at row: StoredRow, of table: StoreInspection.Table) {
    guard let bytes = try? row.bytes(table == .failed ? "operation" : "id"), let id = OperationID(bytes: bytes) else {
      return
    }
    let candidate = Found(table: table, row: row, id: id, number: try? row.integer("number"))
    // Operations among the failed operations are numbered on their own, so there the number means another operation.
    let hasNumber = candidate.number != nil && candidate.number == name.number
    if hasNumber && table != .failed {
      found.append(candidate)
    } else if name.begins(id) {
      found.append(candidate)
    } else {
      let likeness = touches(row) ? 33 : hasNumber ? 32 : name.likeness(id)
      if likeness > 1 { near.append((likeness, candidate)) }
    }
  }

  /// Whether the operation changes the object with this id: the person may have taken that for an operation's id.
  private func touches(_ row: StoredRow) -> Bool {
    guard let object = UUIDValue(name.text) else { return false }
    let changes = (try? row.bytes("changes")).flatMap { try? OperationChanges(bytes: $0) }
    return changes?.objects.contains { $0.object == object } ?? false
  }

  /// The operation that the name means. A number goes before the beginning of an id. Nil where none or several remain.
  var meant: Found? {
    let numbered = found.filter { $0.number == name.number && $0.table != .failed }
    let meant = numbered.isEmpty ? found : numbered
    return Set(meant.map(\.id)).count == 1 ? meant.first : nil
  }

  /// The most likely operations, at most 5, for a person to choose from.
  var candidates: [Found] {
    Array((found.isEmpty ? near.sorted { $0.likeness > $1.likeness }.map(\.found) : found).prefix(5))
  }
}
